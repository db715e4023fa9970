import { expect, it } from 'vitest';
import { runProjection, statusOf } from '../../src/engine/index.ts';
import { canonicalJson } from '../../src/kernel/index.ts';
import { ChainVerifier, MemoryEventStore, MemoryTables } from '../../src/ledger/index.ts';
import type { HandlerCall } from './handler-log.ts';
import type { IntentFacts } from './ledger-model.ts';
import { playOnDisk } from './on-disk.ts';
import { type Happenings, scenarios } from './scenarios.ts';
import { holdsFor, ON_DISK } from './sequences.ts';
import { mayRepeatPlan } from './tools.ts';
import { play, type World } from './world.ts';

/** Handlers with effects that ran without an intent of their own before them. */
function unannounced({ calls, handlers }: World): string[] {
  const found = [...handlers.ghosts];
  for (const call of calls) {
    if (call.plan.sideEffect === 'read') continue;
    const { intent } = call;
    const what = `${call.plan.name}(${call.input}) in step ${call.step}`;
    if (intent === undefined) found.push(`${what}: no intent stands open`);
    else if (intent.tool !== call.plan.name || intent.step !== call.step || intent.input !== call.input) {
      found.push(`${what}: the intent is ${intent.tool}(${intent.input}) in step ${intent.step}`);
    } else if (intent.key !== call.key) found.push(`${what}: key ${call.key}, intended with ${intent.key}`);
  }
  return found;
}

/** Intents of runs that have stopped, with no outcome, no question, or more than one outcome. */
function unsettled(world: World): string[] {
  const found: string[] = [];
  for (const run of world.model.runs.values()) {
    for (const intent of run.intents) {
      const what = `${intent.tool} in step ${intent.step} of ${run.id}`;
      if (intent.outcomes > 1) found.push(`${what}: ${intent.outcomes} outcomes`);
      // A person who cancels a run while an effect is unknown has decided about it.
      const over = run.ended === 'completed' || run.ended === 'failed';
      if (over && intent.outcomes === 0 && intent.questions === 0)
        found.push(`${what}: nobody knows what became of it`);
    }
  }
  return found;
}

/** Effects that may not be repeated and were, without a person's word. */
function repeated(world: World): string[] {
  const times = new Map<IntentFacts, HandlerCall[]>();
  for (const call of world.calls) {
    if (call.intent !== undefined && call.plan.sideEffect !== 'read' && !mayRepeatPlan(call.plan)) {
      times.set(call.intent, [...(times.get(call.intent) ?? []), call]);
    }
  }
  const found: string[] = [];
  for (const [intent, calls] of times) {
    if (calls.length > 1 + intent.retriesGranted)
      found.push(`${intent.tool} in step ${intent.step} acted ${calls.length} times`);
  }
  return [...found, ...redone(world)];
}

/** The same, over runs that go on from one that failed: what was done, or may have been, is not done again under its key. */
function redone(world: World): string[] {
  const found: string[] = [];
  const first = new Map<string, HandlerCall>();
  for (const call of world.calls) {
    if (call.intent === undefined || mayRepeatPlan(call.plan)) continue;
    const before = first.get(call.key);
    first.set(call.key, call);
    if (before?.intent === undefined || before.intent === call.intent || before.intent.failed) continue;
    const asked = world.model.run(call.run).unknownAsked > 0;
    if (before.intent.open && asked) continue;
    found.push(`${call.plan.name} acted in ${before.run} and again in ${call.run}, both under ${call.key}`);
  }
  return found;
}

/**
 * Calls that the handlers saw and the ledger does not know. A death, or a commit that failed, may hide the one call
 * without effects under way.
 */
function unrecorded(world: World): string[] {
  const found: string[] = [];
  for (const call of world.calls) {
    const run = world.model.runs.get(call.run);
    const intended = run?.intents.some(
      (intent) => intent.step === call.step && intent.tool === call.plan.name,
    );
    const recorded = run?.calls.some(
      (one) => one.step === call.step && one.tool === call.plan.name && one.outcome !== 'refused',
    );
    const cutOff = !world.processes.some(({ name, store }) => name === call.process && !store.dead);
    const hidden = call.plan.sideEffect === 'read' && world.scenario.hiccups.some(({ stored }) => !stored);
    const stopped = run?.ended === 'cancelled' && run.calls.every((one) => one.step !== call.step);
    if (!intended && !recorded && !cutOff && !hidden && !stopped)
      found.push(`${call.plan.name}(${call.input}) in step ${call.step} of ${call.run}`);
  }
  return found;
}

/** Handlers that acted for a run whose parent was over, and so for nobody. */
function orphans({ calls }: World): string[] {
  return calls
    .filter((call) => call.orphaned)
    .map((call) => `${call.plan.name} was called in ${call.run}, whose parent is over`);
}

async function brokenLinks(world: World): Promise<unknown[]> {
  const verifier = new ChainVerifier();
  for (const event of await world.events()) verifier.add({ event });
  const report = verifier.report();
  const head = await world.store.head();
  return canonicalJson(report.head) === canonicalJson(head)
    ? [...report.faults]
    : [{ head, report: report.head }];
}

/** Rows that differ from a fold from scratch, and runs that are listed otherwise than they are. */
async function wrongRows(world: World): Promise<string[]> {
  const found: string[] = [];
  const folded = new MemoryTables([runProjection]);
  for (const event of await world.events()) folded.apply(event);
  if (world.store instanceof MemoryEventStore) {
    for (const { name } of runProjection.tables) {
      if (canonicalJson(world.store.tables.rows(name)) !== canonicalJson(folded.rows(name)))
        found.push(`the table ${name} differs`);
    }
  }
  for (const id of world.model.runs.keys()) {
    const run = await world.desk.load(id);
    const listed = (await world.runs.get(id))?.status;
    if (listed !== statusOf(run)) found.push(`${id} is listed as ${listed} and is ${statusOf(run)}`);
    for (const approval of await world.runs.approvals({ run: id, status: 'pending' })) {
      const asked =
        run.waiting?.for === 'approval' || run.waiting?.for === 'answer' ? run.waiting.id : undefined;
      if (approval.id !== asked) found.push(`${approval.id} is listed as open and nobody waits for it`);
    }
  }
  return found;
}

/** Runs that belong to a process that has let go of them, and errors that should have been recorded. */
async function leftovers(world: World): Promise<string[]> {
  const found = world.escapes.map((what) => `out of the engine came: ${what}`);
  for (const id of world.model.runs.keys()) {
    const { owner, ended, cancelRequested, waiting } = await world.desk.load(id);
    if (ended === undefined && cancelRequested && waiting) found.push(`${id} was told to stop and waits on`);
    const alive = world.processes.find(({ name, store }) => name === owner && !store.dead);
    if (ended === undefined && alive !== undefined)
      found.push(`${id} is still owned by ${owner}, which does nothing`);
  }
  return found;
}

const ANYTHING: Happenings = {
  conduct: ['honest', 'failing', 'garbage', 'waiting', 'hostile'],
  moves: ['work', 'people', 'children', 'garbage', 'tamper', 'end'],
  policy: true,
  people: true,
  interventions: true,
  deaths: true,
  slowness: true,
  hiccups: true,
  rateLimits: true,
  snapshots: true,
};

async function isComplete(world: World): Promise<void> {
  expect(unannounced(world)).toEqual([]);
  expect(unsettled(world)).toEqual([]);
  expect(repeated(world)).toEqual([]);
  expect(unrecorded(world)).toEqual([]);
  expect(orphans(world)).toEqual([]);
  expect(await brokenLinks(world)).toEqual([]);
  expect(await leftovers(world)).toEqual([]);
  expect(await wrongRows(world)).toEqual([]);
}

it('records every effect before and after it, and repeats none, whatever planners, tools, people and crashes do', async () => {
  await holdsFor(scenarios(ANYTHING), async (scenario) => isComplete(await play(scenario)));
});

it('records every effect before and after it, whatever middleware does', async () => {
  const sequences = scenarios({
    conduct: ['honest', 'failing'],
    moves: ['work', 'end'],
    middleware: true,
    people: true,
    deaths: true,
  });
  await holdsFor(sequences, async (scenario) => isComplete(await play(scenario)));
});

it('records every effect before and after it on a real ledger', async () => {
  await holdsFor(
    scenarios(ANYTHING),
    (scenario) =>
      playOnDisk(scenario, async (world, ledger) => {
        await isComplete(world);
        expect(ledger.archive.verify().faults).toEqual([]);
      }),
    ON_DISK,
  );
});
