import { expect, test } from 'vitest';
import { seededRandom } from '../support/seeded-random.ts';
import { RecordedWorld } from './recorded-world.ts';
import { SHAPES } from './run-shapes.ts';

const RUNS = 300;
const ENDED: readonly string[] = ['completed', 'failed', 'cancelled'];

/** Replays every run of a world in both modes, and lists what is not equal. */
async function unequalRuns(world: RecordedWorld): Promise<unknown[]> {
  const unequal: unknown[] = [];
  for (const { id, goal } of await world.oka.runs.list({ limit: 100_000 }))
    for (const mode of ['decision', 'full'] as const) {
      const { equal, differences, notes } = await world.oka.runs.replay(id, mode);
      const questions = notes.filter((note) => note.includes('another question'));
      if (!equal || questions.length > 0) unequal.push({ mode, goal, differences, questions });
    }
  return unequal;
}

/** Makes every ended run without a parent an eval case, and lists the cases that do not pass in the same workspace. */
async function divergingCases(world: RecordedWorld): Promise<unknown[]> {
  for (const { id, parent, status } of await world.oka.runs.list({ limit: 100_000 }))
    if (parent === undefined && ENDED.includes(status))
      await world.oka.evals.add({ run: id, replace: false });
  const { results } = await world.oka.evals.run({ cases: [], live: false, junit: false });
  expect(results.length).toBeGreaterThan(0);
  return results.filter(({ passed }) => !passed);
}

test('runs of all shapes, in random order, replay equally in both modes, and pass as eval cases', async () => {
  const world = await RecordedWorld.open();
  const random = seededRandom(7);
  const shapes = Object.values(SHAPES);
  const recorded = async () => (await world.oka.runs.list({ limit: 100_000 })).length;
  for (const [n, record] of shapes.entries()) await record(world, n);
  for (let n = shapes.length; (await recorded()) < RUNS; n++)
    await shapes[Math.floor(random.next() * shapes.length)]?.(world, n);
  expect(await recorded()).toBeGreaterThanOrEqual(RUNS);
  expect(await unequalRuns(world)).toEqual([]);
  expect(await divergingCases(world)).toEqual([]);
});
