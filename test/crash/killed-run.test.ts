import { beforeAll, expect, it } from 'vitest';
import { buildWorker, GraphFolder, NEVER } from './graph-processes.ts';
import { EFFECTS, innerGraph, tenNodes } from './graph-ten-nodes.ts';

const START = ['run', 'ten', '{"n":5}'];

beforeAll(buildWorker);

it('a run whose process is killed between two commits continues to its output, with each effect once', async () => {
  const place = new GraphFolder([tenNodes('strict'), innerGraph('strict')]);
  expect(place.work(['before', 9], ...START)).toBeUndefined();
  const resumed = await place.continueRun(NEVER, START);
  expect(resumed).toMatchObject({ status: 'completed', output: { answer: 'yes', kept: true } });
  expect(place.effects()).toEqual(Object.keys(EFFECTS));
  await place.expectSound();
});
