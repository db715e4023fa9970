import { expect, it } from 'vitest';
import type { RunFacts } from './ledger-model.ts';
import { scenarios } from './scenarios.ts';
import { holdsFor } from './sequences.ts';
import { leadsTo, own } from './state-graphs.ts';
import { play, type World } from './world.ts';

/** What a run did that its graph does not allow. */
function missteps({ scenario: { graph } }: World, run: RunFacts): string[] {
  const found = [...run.misplaced, ...run.afterEnd.map((type) => `${type} after the run had ended`)];
  for (const { from, to, by } of run.moves) {
    const end = own(graph, to)?.terminal;
    const way = `from ${from} to ${to} by ${by}`;
    if (own(graph, from)?.terminal !== undefined) found.push(`out of an end: ${way}`);
    if (by === 'run.failed') {
      // Any state may fail; a graph without a failed state leaves the run where it was.
      if (end !== 'failed') found.push(`failed into a state that is not for that: ${way}`);
    } else if (!leadsTo(graph, from, to)) found.push(`no such way: ${way}`);
    else if (by === 'run.completed') {
      if (end !== 'completed') found.push(`finished into a state that is no end: ${way}`);
    } else if (end !== undefined) found.push(`into an end without ending: ${way}`);
  }
  if (run.ended === 'completed' && own(graph, run.state)?.terminal !== 'completed')
    found.push(`completed in ${run.state}`);
  return found;
}

function allMissteps(world: World): string[] {
  return [...world.model.runs.values()].flatMap((run) => missteps(world, run));
}

it('moves along edges only, and never after the end, whatever planners, tools, people and crashes do', async () => {
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
    helper: true,
  });
  await holdsFor(sequences, async (scenario) => {
    expect(allMissteps(await play(scenario))).toEqual([]);
  });
});

it('moves along edges only, and never after the end, whatever middleware does', async () => {
  const sequences = scenarios({
    conduct: ['honest', 'failing'],
    moves: ['work', 'people', 'end'],
    middleware: true,
    people: true,
    deaths: true,
  });
  await holdsFor(sequences, async (scenario) => {
    expect(allMissteps(await play(scenario))).toEqual([]);
  });
});
