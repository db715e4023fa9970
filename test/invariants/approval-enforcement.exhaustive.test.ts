import fc from 'fast-check';
import { expect, it } from 'vitest';
import type { Scenario } from './scenario.ts';
import { scenarios } from './scenarios.ts';
import { holdsFor } from './sequences.ts';
import { TOOL_NAMES } from './tools.ts';
import { play, type World } from './world.ts';

/** Calls without the yes that they needed, and decisions of people that were taken otherwise than they were meant. */
function trespasses({ calls, surprises }: World): string[] {
  return [
    ...calls
      .filter((call) => call.permission === 'missing' || call.permission === 'forbidden')
      .map((call) => `${call.plan.name}(${call.input}) in step ${call.step}: permission ${call.permission}`),
    ...surprises,
  ];
}

it('runs a call that needs approval only after its exact approval, once, whatever planners, tools, people and crashes do', async () => {
  const sequences = scenarios({
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
  });
  await holdsFor(sequences, async (scenario) => {
    expect(trespasses(await play(scenario))).toEqual([]);
  });
});

it('runs a call that needs approval only after its exact approval, once, whatever middleware does', async () => {
  const sequences = scenarios({
    conduct: ['honest', 'failing'],
    moves: ['work', 'end'],
    middleware: true,
    policy: true,
    people: true,
  });
  await holdsFor(sequences, async (scenario) => {
    expect(trespasses(await play(scenario))).toEqual([]);
  });
});

it('has no effects in a simulation, and makes no read there that needs approval', async () => {
  const sequences = scenarios({
    conduct: ['honest', 'failing', 'garbage'],
    moves: ['work', 'children', 'end'],
    policy: true,
    people: true,
    simulate: true,
  });
  await holdsFor(sequences, async (scenario) => {
    const world = await play(scenario);
    expect(world.calls.filter((call) => call.plan.sideEffect !== 'read')).toEqual([]);
    expect(trespasses(world)).toEqual([]);
  });
});

it('executes an approved call exactly as approved', async () => {
  const sequences = fc
    .tuple(
      scenarios({
        conduct: ['honest'],
        moves: ['work'],
        limits: fc.constant({ steps: 300, tool_calls: 300 }),
      }),
      fc.array(
        fc.constantFrom(
          'agree' as const,
          'agree, naming what was seen' as const,
          'agree twice' as const,
          'agree to an edit' as const,
          'agree, naming something else' as const,
        ),
        { minLength: 1, maxLength: 6 },
      ),
    )
    .map(
      ([scenario, people]): Scenario => ({
        ...scenario,
        people,
        verdicts: alwaysAsk,
        tools: uncached(scenario),
        graph: uncapped(scenario),
      }),
    );
  await holdsFor(sequences, async (scenario) => {
    const { agreements, surprises } = await play(scenario);
    expect(agreements.filter((agreement) => agreement.usedBy === undefined)).toEqual([]);
    expect(surprises).toEqual([]);
  });
});

const alwaysAsk: Scenario['verdicts'] = Object.fromEntries(
  TOOL_NAMES.map((name) => [name, ['ask' as const]]),
);

/** A stay's cap refuses calls after a person was asked about them. */
function uncapped({ graph }: Scenario): Scenario['graph'] {
  const states = Object.entries(graph.states).map(([name, { budgets: _, ...state }]) => [name, state]);
  return { ...graph, states: Object.fromEntries(states) };
}

/** An answer from the cache needs no handler, and the handler is where these tests look. */
function uncached({ tools }: Scenario): Scenario['tools'] {
  return tools.map((tool) => ({ ...tool, cacheable: false }));
}
