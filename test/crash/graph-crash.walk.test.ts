import { beforeAll, describe, expect, it } from 'vitest';
import { GUARANTEE_MODES, type GuaranteeMode } from '../../src/graph/index.ts';
import type { Json } from '../../src/kernel/index.ts';
import { shareOf } from '../support/run-seed.ts';
import { type Boundary, buildWorker, GraphFolder, NEVER, type Worked } from './graph-processes.ts';
import { EFFECTS, innerGraph, mapGraphs, tenNodes } from './graph-ten-nodes.ts';

const START = ['run', 'ten', '{"n":5}'];

beforeAll(buildWorker);

function prepare(mode: GuaranteeMode): GraphFolder {
  return new GraphFolder([tenNodes(mode), innerGraph(mode)]);
}

/** A third of the boundaries. */
function boundaries(commits: number): readonly Boundary[] {
  const all = Array.from({ length: commits }, (_, i) => i + 1).flatMap((n): Boundary[] => [
    ['before', n],
    ['after', n],
  ]);
  return shareOf(all, 3);
}

/** The outputs of the nodes, without effects that a person only confirmed as done. */
function withoutOutputs(outputs: Readonly<Record<string, Json>>, done: readonly string[]) {
  const unknown = done.flatMap((line) => EFFECTS[line] ?? []);
  return { ...outputs, ...Object.fromEntries(unknown.map((node) => [node, null])) };
}

/** The state before the nodes that follow such an effect. */
function withoutLasts(lasts: Readonly<Record<string, Json>>, done: readonly string[]) {
  const after: Record<string, string> = { first: 'keep', second: 'end' };
  const unknown = done.flatMap((line) => after[line] ?? []);
  return { ...lasts, ...Object.fromEntries(unknown.map((node) => [node, null])) };
}

describe.each(GUARANTEE_MODES)('a graph of ten nodes in %s mode', (mode) => {
  it('that is killed at a commit boundary continues to the same outputs, with each effect once', async () => {
    const whole = prepare(mode);
    const undisturbed = whole.work(NEVER, ...START) as Worked;
    expect(undisturbed).toMatchObject({ status: 'completed', output: { answer: 'yes', kept: true } });
    expect(undisturbed.output).toHaveProperty(
      'part.inner',
      (undisturbed.outputs['recall'] as { value: Json }).value,
    );
    expect(whole.effects()).toEqual(Object.keys(EFFECTS));
    await whole.expectSound();
    const lasts = await whole.lasts(undisturbed.id);
    const commits = whole.commits();
    expect(commits).toBeGreaterThan(15);

    // The modes share the boundaries: each walks those that the others leave out.
    const turn = GUARANTEE_MODES.indexOf(mode);
    const own = boundaries(commits).filter((_, i) => i % GUARANTEE_MODES.length === turn);
    for (const boundary of own) {
      const at = boundary.join(' commit ');
      const place = prepare(mode);
      expect(place.work(boundary, ...START), at).toBeUndefined();
      const resumed = (await place.continueRun(NEVER, START)) as Worked;
      const done = place.toldDone();
      expect({ at, status: resumed.status, failure: resumed.failure }).toEqual({ at, status: 'completed' });
      expect(resumed.output, at).toEqual(undisturbed.output);
      expect(resumed.outputs, at).toEqual(withoutOutputs(undisturbed.outputs, done));
      expect(await place.lasts(resumed.id), at).toEqual(withoutLasts(lasts, done));
      expect(place.effects(), at).toEqual(Object.keys(EFFECTS));
      await place.expectSound();
    }
  });
});

describe.each(GUARANTEE_MODES)('a graph of ten nodes in %s mode', (mode) => {
  it('that is killed repeatedly still completes, with each effect once', async () => {
    const place = prepare(mode);
    expect(place.work(['after', 2], ...START)).toBeUndefined();
    let worked: Worked | undefined;
    for (let kills = 1; worked === undefined; kills++) {
      expect(kills).toBeLessThan(60);
      const commits = 3 + (kills % 3);
      worked = await place.continueRun([kills % 2 === 0 ? 'after' : 'before', commits], START);
    }
    expect(worked).toMatchObject({ status: 'completed', output: { answer: 'yes' } });
    expect(place.effects()).toEqual(Object.keys(EFFECTS));
    await place.expectSound();
  });
});

it('a map that is killed at a commit boundary gives the same list, with the effect of each item once', async () => {
  const start = ['run', 'all', '["one","two","three"]'];
  const whole = new GraphFolder(mapGraphs());
  const undisturbed = whole.work(NEVER, ...start);
  expect(undisturbed).toMatchObject({ status: 'completed', output: ['did one', 'did two', 'did three'] });
  const effects = whole.effects().sort();
  expect(effects).toEqual(['one', 'three', 'two']);

  for (const boundary of boundaries(whole.commits())) {
    const at = boundary.join(' commit ');
    const place = new GraphFolder(mapGraphs());
    place.work(boundary, ...start);
    const resumed = await place.continueRun(NEVER, start);
    expect({ at, ...resumed }).toMatchObject({ at, status: 'completed', output: undisturbed?.output });
    expect(place.effects().sort(), at).toEqual(effects);
    await place.expectSound();
  }
});
