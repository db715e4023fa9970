import fc from 'fast-check';
import { expect, it } from 'vitest';
import { MemoryArtifactStore, MemoryCache } from '../../src/engine/index.ts';
import { canonicalJson, type Digest, type Json } from '../../src/kernel/index.ts';
import { middlewarePlans } from './middleware.ts';
import type { Scenario } from './scenario.ts';
import { scenarios } from './scenarios.ts';
import { holdsFor } from './sequences.ts';
import { mayRepeatPlan, steadyAnswerOf, type ToolPlan } from './tools.ts';
import { WholeClock } from './whole-clock.ts';
import { play, type World } from './world.ts';

/** Several runs, one after another, that share a cache; tools change their version from run to run. */
interface Generations {
  readonly scenario: Scenario;
  readonly versions: readonly string[];
}

const generations: fc.Arbitrary<Generations> = fc.record({
  scenario: scenarios({
    conduct: ['steady', 'failing'],
    moves: ['work', 'children', 'end'],
    people: true,
    deaths: true,
  }),
  versions: fc.array(fc.constantFrom('1', '2'), { minLength: 2, maxLength: 4 }),
});

function ofVersion(scenario: Scenario, version: string): Scenario {
  return { ...scenario, tools: scenario.tools.map((tool) => ({ ...tool, version })) };
}

async function playAll({ scenario, versions }: Generations): Promise<World[]> {
  const clock = new WholeClock();
  const shared = { cache: new MemoryCache(clock), artifacts: new MemoryArtifactStore(clock) };
  const worlds: World[] = [];
  for (const version of versions) worlds.push(await play(ofVersion(scenario, version), shared));
  return worlds;
}

/** Answers in the ledger that differ from what the tool gives for that input, or that came from the cache but may not. */
async function wrongAnswers(world: World, earlier: readonly World[]): Promise<string[]> {
  const found: string[] = [];
  for (const [run, facts] of world.model.runs) {
    for (const call of facts.calls) {
      const plan = world.scenario.tools.find((tool) => tool.name === call.tool);
      if (plan === undefined || call.outcome === 'refused' || call.outcome === 'pending' || call.told)
        continue;
      const made = world.calls.filter((one) => one.run === run && one.step === call.step);
      const what = `${plan.name} ${plan.version} of ${call.input}`;
      if (call.outcome === 'failed' && made.length === 0) found.push(`${what}: a failure came from nowhere`);
      if (call.outcome !== 'ok') continue;
      const answer = await wholeOutput(world, call.output);
      if (answer !== expected(plan, call.input)) found.push(`${what}: ${answer}`);
      // Who died after the call leaves its answer in the cache, for the next one to find.
      if (call.cached && made.length > 0 && world.deaths === 0)
        found.push(`${what}: called and cached at once`);
      if (made.length > 0) continue;
      if (!plan.cacheable || !mayRepeatPlan(plan)) found.push(`${what}: may not be cached`);
      if (![...earlier, world].some((one) => gaveBefore(one, plan, call.input)))
        found.push(`${what}: nobody ever gave that`);
    }
  }
  return found;
}

function expected(plan: ToolPlan, input: string): string {
  return canonicalJson(steadyAnswerOf(plan, JSON.parse(input) as Json));
}

async function wholeOutput(world: World, output: Json | undefined): Promise<string> {
  const { artifact } = (output ?? {}) as { artifact?: Digest };
  return artifact === undefined
    ? canonicalJson(output)
    : new TextDecoder().decode(await world.artifacts.get(artifact));
}

function gaveBefore(world: World, plan: ToolPlan, input: string): boolean {
  return world.calls.some(
    (call) =>
      call.plan.name === plan.name &&
      call.plan.version === plan.version &&
      call.input === input &&
      call.output !== undefined,
  );
}

it('answers from the cache only with the result of the same tool version for the same input', async () => {
  await holdsFor(generations, async (sequence) => {
    const worlds = await playAll(sequence);
    for (const [i, world] of worlds.entries())
      expect(await wrongAnswers(world, worlds.slice(0, i))).toEqual([]);
  });
});

it('caches no result that a middleware made up', async () => {
  const sequences = fc.record({
    scenario: scenarios({ conduct: ['steady', 'failing'], moves: ['work', 'end'] }),
    middleware: middlewarePlans(),
  });
  await holdsFor(sequences, async ({ scenario, middleware }) => {
    const clock = new WholeClock();
    const shared = { cache: new MemoryCache(clock), artifacts: new MemoryArtifactStore(clock) };
    const before = await play({ ...scenario, middleware }, shared);
    expect(await wrongAnswers(await play(scenario, shared), [before])).toEqual([]);
  });
});
