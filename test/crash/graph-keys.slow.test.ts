import { beforeAll, expect, it } from 'vitest';
import { defineGraph } from '../support/graph-kit.ts';
import { buildWorker, GraphFolder, NEVER, type Worked } from './graph-processes.ts';

/** Acts once for each input, with a tool that may not be repeated. */
const ONCE = defineGraph(
  [
    { node_id: 'start', type: 'start', next: 'act' },
    {
      node_id: 'act',
      type: 'tool',
      tool: 'test.append',
      args: { line: 'sent' },
      idempotency_key: '{{input}}',
      next: 'end',
    },
    { node_id: 'end', type: 'end' },
  ],
  { id: 'once' },
);

const RUN = ['run', 'once', '"monday"'];
const SENT = { line: 'sent', times: 1 };

beforeAll(buildWorker);

it('an effect happens once when processes use its key at the same moment', async () => {
  const place = new GraphFolder([ONCE]);
  const worked = await Promise.all([1, 2, 3].map(() => place.workBeside(...RUN)));
  const done = worked.filter(({ status }) => status === 'completed');
  expect(done.length).toBeGreaterThan(0);
  for (const { output } of done) expect(output).toEqual(SENT);
  for (const { status, failure } of worked)
    if (status !== 'completed') expect(failure).toBe('engine.effect_under_way');
  expect(place.effects()).toEqual(['sent']);
  expect(place.work(NEVER, ...RUN)).toMatchObject({ status: 'completed', output: SENT });
  expect(place.effects()).toEqual(['sent']);
  await place.expectSound();
});

it('a key held by a killed run is refused to others until that run has been resumed', async () => {
  const place = new GraphFolder([ONCE]);
  const undisturbed = new GraphFolder([ONCE]);
  undisturbed.work(NEVER, ...RUN);
  const intended = undisturbed.commits() - 2;
  expect(place.work(['after', intended], ...RUN)).toBeUndefined();
  const [killed] = await place.runs();
  expect(place.effects()).toEqual([]);

  const other = place.work(NEVER, ...RUN);
  expect(other).toMatchObject({ status: 'failed', failure: 'engine.effect_under_way' });
  expect(place.effects()).toEqual([]);

  expect(place.work(NEVER, 'resume', killed as string)).toMatchObject({ status: 'completed', output: SENT });
  expect(place.work(NEVER, 'resume', (other as Worked).id)).toMatchObject({
    status: 'completed',
    output: SENT,
  });
  expect(place.effects()).toEqual(['sent']);
  await place.expectSound();
});
