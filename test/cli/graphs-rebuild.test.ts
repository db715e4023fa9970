import { rmSync } from 'node:fs';
import { expect, test } from 'vitest';
import type { RebuildAnswer } from '../../src/api/index.ts';
import { defineGraph } from '../support/graph-kit.ts';
import { onOwnFiles } from '../support/server-environment.ts';
import { SMALL_PROJECT, Workspace } from './oka-process.ts';

const START = { node_id: 'start', type: 'start', next: 'a' };
const END = { node_id: 'end', type: 'end' };

const GRAPHS = [
  defineGraph(
    [
      START,
      { node_id: 'a', type: 'read_state', key: 'count', default: 0, next: 'b' },
      { node_id: 'b', type: 'transform', expression: 'value + 1', next: 'c' },
      { node_id: 'c', type: 'write_state', key: 'count', next: 'd' },
      {
        node_id: 'd',
        type: 'tool',
        tool: 'files.write',
        args: { path: 'count.txt', content: 'n {{b}}' },
        next: 'end',
      },
      END,
    ],
    { id: 'counts' },
  ),
  defineGraph(
    [
      START,
      {
        node_id: 'a',
        type: 'tool',
        tool: 'files.write',
        args: { path: 'once.txt', content: 'x' },
        idempotency_key: 'once',
        next: 'end',
      },
      END,
    ],
    { id: 'once' },
  ),
  defineGraph(
    [START, { node_id: 'a', type: 'tool', tool: 'files.read', args: { path: 'none.txt' }, next: 'end' }, END],
    { id: 'fails' },
  ),
  defineGraph([START, { node_id: 'a', type: 'approval', question: 'Go on?', next: 'end' }, END], {
    id: 'asks',
  }),
  defineGraph([START, { node_id: 'a', type: 'wait', event: 'go', next: 'end' }, END], { id: 'waits' }),
  defineGraph([START, { node_id: 'a', type: 'subgraph', graph: 'counts', next: 'end' }, END], {
    id: 'outer',
  }),
  defineGraph(
    [
      START,
      { node_id: 'a', type: 'map', items: [1, 2, 3], graph: 'doubles', max_items: 3, next: 'end' },
      END,
    ],
    { id: 'maps' },
  ),
  defineGraph([START, { node_id: 'a', type: 'transform', expression: '$ * 2', next: 'end' }, END], {
    id: 'doubles',
  }),
];

/** A workspace in which graphs have run in every way, with schedules that are on, off and gone. */
async function lived(): Promise<Workspace> {
  const files = GRAPHS.map((graph) => [`.oka/graphs/${graph.id}.json`, JSON.stringify(graph)]);
  const place = Workspace.trusted({ files: { ...SMALL_PROJECT, ...Object.fromEntries(files) } });
  const run = async (...args: string[]) => (await place.answer('graph', ...args)).data.run.id;
  const counted = await run('run', 'counts');
  await run('run', 'counts');
  await run('replay', counted);
  await run('run', 'counts', '--mode', 'flex');
  await run('run', 'once');
  await run('resume', await run('run', 'fails'));
  await run('run', 'asks');
  await run('run', 'outer');
  await run('run', 'maps');
  const waiting = await run('run', 'waits');
  await run('run', 'waits');
  await place.answer('runs', 'signal', waiting, 'go', '{"now":true}');
  const add = async (...args: string[]) =>
    (await place.answer<{ schedule: { id: string } }>('graph', 'schedule', 'add', ...args)).data.schedule.id;
  const yearly = await add('counts', '30 8 1 1 *', '--zone', 'Europe/Berlin');
  await run('schedule', 'trigger', yearly);
  await place.answer(
    'graph',
    'schedule',
    'off',
    await add('fails', '@yearly', '--zone', 'UTC', '--misfire', 'all'),
  );
  await place.answer('graph', 'schedule', 'delete', await add('asks', '--on-change', 'src'));
  return place;
}

const QUESTIONS = [
  ...GRAPHS.map(({ id }) => ['graph', 'runs', id, '50']),
  ['graph', 'state', 'show', 'counts'],
  ['graph', 'state', 'get', 'counts', 'count'],
  ['graph', 'state', 'history', 'counts', 'count', '50'],
  ['graph', 'schedule', 'list'],
  ['approvals', 'list'],
  ['runs', 'list', '--limit', '50'],
];

/** What the workspace answers, question by question. */
async function answers(place: Workspace): Promise<readonly unknown[]> {
  const found: unknown[] = [];
  for (const args of QUESTIONS) found.push({ args, ...(await place.answer(...args)) });
  return found;
}

test('tables rebuilt from the events give the same answers after all kinds of graph runs', async () => {
  const place = await lived();
  const events = await place.verified();
  const before = await answers(place);
  expect(JSON.stringify(before)).toContain('"value":6');
  const { exitCode, data } = await place.answer<RebuildAnswer>('ledger', 'rebuild', '--from', 'table');
  expect({ exitCode, data }).toMatchObject({ exitCode: 0, data: { from: 'table', events } });
  expect(await answers(place)).toEqual(before);
  expect(await place.verified()).toBe(events);
});

onOwnFiles('a missing database is rebuilt from the mirror and gives the same answers', async () => {
  const place = await lived();
  const events = await place.verified();
  const before = await answers(place);
  for (const suffix of ['', '-wal', '-shm']) rmSync(place.at(`.oka/oka.db${suffix}`), { force: true });
  expect(await place.refusal('graph', 'runs', 'counts')).toMatchObject({
    exitCode: 7,
    error: { code: 'ledger.database_missing' },
  });
  const { exitCode, data } = await place.answer<RebuildAnswer>('ledger', 'rebuild');
  expect({ exitCode, data }).toMatchObject({ exitCode: 0, data: { from: 'mirror', events } });
  expect(await answers(place)).toEqual(before);
  expect(await place.verified()).toBe(events);
});

test('runs continue and keys stay valid on a rebuilt database', async () => {
  const place = await lived();
  const { data: asked } = await place.answer<{ approvals: { id: string }[] }>('approvals', 'list');
  for (const suffix of ['', '-wal', '-shm']) rmSync(place.at(`.oka/oka.db${suffix}`), { force: true });
  await place.answer('ledger', 'rebuild');
  const [approval] = asked.approvals;
  const done = await place.answer('approvals', 'approve', approval?.id as string, '--answer', 'yes');
  expect(done).toMatchObject({ exitCode: 0, data: { output: { answer: 'yes' } } });
  const { data } = await place.answer<{ runs: { id: string; status: string }[] }>('graph', 'runs', 'waits');
  const waiting = data.runs.find(({ status }) => status === 'waiting')?.id as string;
  expect((await place.answer('runs', 'signal', waiting, 'go', '7')).data.output).toBe(7);
  rmSync(place.at('once.txt'));
  expect((await place.answer('graph', 'run', 'once')).data.output).toMatchObject({ path: 'once.txt' });
  expect(place.has('once.txt')).toBe(false);
  await place.verified();
});
