// `schema-2.tar.gz` is a workspace that commit 85d122a wrote and verified, with its user folder: completed, waiting and archived
// runs of goals and graphs, facts of which one was erased, an episode, a conversation with an agent, a schedule, a credential
// with its key, and a scanned tree with two frames. The conversation keeps its messages for 100 years.
import { expect, test } from 'vitest';
import type {
  FactView,
  RepairAnswer,
  RunAnswer,
  RunListItem,
  ScanAnswer,
  VerifyAnswer,
} from '../../src/api/index.ts';
import { trustFolder } from '../support/trust-folder.ts';
import { unpack } from './unpack.ts';

const HEAD = { seq: 123, hash: '46c010d98247b268a8b541e15d31e861aead2ea2881c48428bb0651a80ff4201' };
const SOUND = { ok: true, faults: [], head: HEAD, events: 119, archived: 4, mirrorEqual: true, blobs: 12 };
const TREE = '73593aef50ec0d3e55f9ba8bf6c968dc5837c28c9fe1d6d690315dc838a78c3f';
const BRIEF_RUN = '01m7k9x9hh0sf3feydefd5ajmd';

async function open() {
  const workspace = unpack('schema-2.tar.gz');
  trustFolder(workspace.home, workspace.root);
  return workspace;
}

test('a workspace of the previous version verifies before anything opens it', async () => {
  const { exitCode, data } = await unpack('schema-2.tar.gz').answer<VerifyAnswer>(
    'ledger',
    'verify',
    '--full',
  );
  expect({ exitCode, data }).toMatchObject({ exitCode: 0, data: SOUND });
});

test('a workspace of the previous version keeps everything', async () => {
  const workspace = await open();
  const list = async (...words: readonly string[]) => (await workspace.answer<object>(...words)).data;
  const { runs } = (await list('runs', 'list')) as { runs: RunListItem[] };
  expect(runs.filter(({ status }) => status === 'completed')).toHaveLength(9);
  expect(runs.filter(({ status }) => status === 'waiting').map(({ goal }) => goal)).toEqual([
    'open the gate',
    'wait for the event rain',
  ]);
  expect(await list('runs', 'explain', BRIEF_RUN)).toMatchObject({ run: { id: BRIEF_RUN } });
  expect(await list('graph', 'list')).toMatchObject({ graphs: [{ id: 'gate' }, { id: 'water' }] });
  expect(await list('graph', 'runs', 'water')).toMatchObject({ runs: [{ status: 'completed' }] });
  expect(await list('graph', 'schedule', 'list')).toMatchObject({
    schedules: [{ id: 'water-1', graph: 'water', enabled: true, cron: '30 8 * * MON-FRI' }],
  });
  expect(await list('memory', 'fact', 'list')).toMatchObject({
    facts: [{ text: 'Ada prefers tea' }, { text: 'The office is in Bern', key: 'office' }],
  });
  const { facts } = (await list('memory', 'fact', 'list')) as { facts: FactView[] };
  for (const fact of facts)
    expect(fact).toMatchObject({ status: 'confirmed', uses: 0, by: expect.any(String) });
  const office = facts.find(({ key }) => key === 'office');
  expect(await list('memory', 'history', office?.id as string)).toMatchObject({
    changes: [{ fact: office?.id, change: 'added' }],
  });
  expect(await list('memory')).toMatchObject({ facts: { live: 2 }, episodes: 3, conversations: 2 });
  expect(await list('memory', 'retrieve', 'what does Ada drink')).toMatchObject({
    hits: expect.arrayContaining([
      expect.objectContaining({ kind: 'episode', text: 'Ada: I drank green tea in the shed.' }),
    ]),
  });
  expect(await list('chat', 'view', 'garden')).toMatchObject({
    messages: [
      { from: 'user', content: '@ada plan the beds' },
      { from: 'ada', content: 'Good day.' },
    ],
  });
  expect(await list('chat', 'trace', 'garden')).toMatchObject({
    notifications: [{ agent: 'ada', status: 'done', attempts: 1 }],
  });
  expect(await list('vault', 'list')).toMatchObject({
    credentials: [{ name: 'github', status: 'active', scopes: ['host:api.github.com'] }],
  });
  expect(await list('context', 'status')).toMatchObject({
    ...{ root: TREE, files: 5, frames: 2 },
    heads: { fresh: 2, stale: 0, rests_on_stale: 0 },
  });
  expect(await list('context', 'get-node', 'src/beds.ts')).toMatchObject({
    frames: [{ content: 'how many beds there are\n', stale: false }],
  });
  expect(await list('ledger', 'verify', '--full')).toMatchObject(SOUND);
});

test('work of the previous version continues', async () => {
  const workspace = await open();
  const { data } = await workspace.answer<{ runs: RunListItem[] }>('runs', 'list');
  for (const [goal, event] of [
    ['open the gate', 'go'],
    ['wait for the event rain', 'rain'],
  ] as const) {
    const waiting = data.runs.find((run) => run.goal === goal)?.id as string;
    const signalled = await workspace.answer<RunAnswer>('runs', 'signal', waiting, event);
    expect(signalled.data.run).toMatchObject({ status: 'completed' });
  }
  const triggered = await workspace.answer<RunAnswer>('graph', 'schedule', 'trigger', 'water-1');
  expect(triggered.data.run).toMatchObject({ status: 'completed', graph: 'water' });
  expect((await workspace.answer<ScanAnswer>('context', 'scan')).data).toMatchObject({
    root: TREE,
    changed: 0,
  });
  expect((await workspace.answer('runs', 'undo', BRIEF_RUN)).exitCode).toBe(0);
  expect(workspace.has('BRIEF.md')).toBe(false);
  // Decrypts the credential with the stored key.
  expect((await workspace.answer('vault', 'rotate-key')).exitCode).toBe(0);
  expect((await workspace.answer('chat', 'send', 'garden', 'thank you')).exitCode).toBe(0);
  // It contradicts "The office is in Bern" by its subject.
  await workspace.answer('memory', 'fact', 'add', 'The office is in Basel');
  const { data: memory } = await workspace.answer<object>('memory');
  expect(memory).toMatchObject({ facts: { live: 2, superseded: 1 } });
  await workspace.verified();
});

test.each([
  ['its tables', ['ledger', 'rebuild']],
  ['its database from the mirror', ['ledger', 'rebuild', '--from', 'mirror']],
])('a workspace of the previous version rebuilds %s', async (_what, words) => {
  const workspace = await open();
  expect((await workspace.answer<RepairAnswer>(...words)).exitCode).toBe(0);
  expect((await workspace.answer<VerifyAnswer>('ledger', 'verify', '--full')).data).toMatchObject(SOUND);
});
