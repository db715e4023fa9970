import { expect, it } from 'vitest';
import { scenarios } from './scenarios.ts';
import { holdsFor } from './sequences.ts';
import { isEligible } from './state-graphs.ts';
import { play, type World } from './world.ts';

/** Calls of a handler while its run was in a state that does not name it, or in none any more. */
function ineligibleCalls({ scenario, calls }: World): string[] {
  return calls
    .filter(
      (call) =>
        call.runEnded || call.state === undefined || !isEligible(scenario.graph, call.state, call.plan),
    )
    .map(
      (call) =>
        `${call.plan.name} (${call.plan.sideEffect}) was called in ${call.runEnded ? 'an ended run' : call.state}`,
    );
}

it('calls no handler outside the states that name it, whatever planners, tools, people and crashes do', async () => {
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
    expect(ineligibleCalls(await play(scenario))).toEqual([]);
  });
});

it('calls no handler outside the states that name it, whatever middleware does', async () => {
  const sequences = scenarios({
    conduct: ['honest', 'failing'],
    moves: ['work', 'people', 'end'],
    middleware: true,
    people: true,
    deaths: true,
  });
  await holdsFor(sequences, async (scenario) => {
    expect(ineligibleCalls(await play(scenario))).toEqual([]);
  });
});
