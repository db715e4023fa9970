import { expect, test } from 'vitest';
import type { EventView, LedgerStatsAnswer, VerifyAnswer } from '../../src/api/index.ts';
import { BRIEF, Workspace } from './oka-process.ts';
import { runByLibrary } from './park-runs.ts';

const MIRROR = '.oka/run_ledger.jsonl';

test('tail --follow shows events of another process live until it is stopped', async () => {
  const workspace = Workspace.trusted();
  await workspace.answer('do', 'read README.md');
  const following = workspace.start('ledger', 'tail', '--follow', '--json', '--last', '1');
  await following.said('run.completed', 'stdout');
  const { data } = await workspace.answer('do', 'read src/beds.ts');
  await following.said(/"stream":"run\/[^\n]+"run\.completed"[\s\S]+"run\.completed"[^\n]*\n/, 'stdout');
  following.kill('SIGINT');
  const { exitCode, stdout, stderr } = await following.ended;
  expect({ exitCode, stderr }).toEqual({ exitCode: 130, stderr: '' });
  const events: EventView[] = stdout
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line));
  expect(events.map((event) => event.seq)).toEqual(events.map((_, at) => (events[0]?.seq as number) + at));
  expect(events.filter((event) => event.stream === `run/${data.run.id}`).map((event) => event.type)).toEqual([
    'run.started',
    'step.completed',
    'step.completed',
    'run.completed',
  ]);
});

test('tail --follow prints nothing while idle, and also ends with SIGTERM', async () => {
  const workspace = Workspace.trusted();
  const { data } = await workspace.answer('do', 'wait for the event "go"');
  const following = workspace.start('ledger', 'tail', '--follow', '--run', data.run.id);
  await following.said('tool.pending', 'stdout');
  // Twelve looks at the ledger, in which a listener that is left behind at each would be complained of.
  for (let n = 0; n < 6; n++) await workspace.answer('do', 'read README.md');
  await workspace.answer('runs', 'signal', data.run.id, 'go');
  await following.said('run.completed', 'stdout');
  following.kill('SIGTERM');
  const { exitCode, stdout, stderr } = await following.ended;
  expect({ exitCode, stderr }).toEqual({ exitCode: 143, stderr: '' });
  expect(stdout).not.toContain('README');
});

test('tail shows the last events, optionally of one run', async () => {
  const workspace = Workspace.trusted();
  const { data: first } = await workspace.answer('do', 'read README.md');
  await workspace.answer('do', BRIEF);
  const tail = async (...args: string[]): Promise<readonly EventView[]> =>
    (await workspace.answer<{ events: EventView[] }>('ledger', 'tail', ...args)).data.events;
  const all = await tail('--last', '1000');
  expect(await tail('--last', '3')).toEqual(all.slice(-3));
  expect(await tail('--last', '0')).toEqual([]);
  const ofFirst = all.filter((event) => event.stream === `run/${first.run.id}`);
  expect(await tail('--run', first.run.id)).toEqual(ofFirst);
  expect(await tail('--run', first.run.id, '--last', '2')).toEqual(ofFirst.slice(-2));
  expect(await tail('--run', first.run.id, '--last', '0')).toEqual([]);
  const spoken = await workspace.oka('ledger', 'tail', '--last', '2');
  expect(spoken.stdout.trimEnd().split('\n')).toHaveLength(2);
});

test('export prints the lines of the mirror, and stats counts them', async () => {
  const workspace = Workspace.trusted();
  await workspace.answer('do', BRIEF);
  await workspace.answer('do', 'dance');
  expect((await workspace.oka('ledger', 'export')).stdout).toBe(workspace.text(MIRROR));
  const events = await workspace.verified();
  const { data } = await workspace.answer<LedgerStatsAnswer>('ledger', 'stats');
  expect(data).toMatchObject({
    events,
    archived: 0,
    streams: 2,
    mirrorBytes: Buffer.byteLength(workspace.text(MIRROR)),
  });
  expect(data.types.reduce((sum, type) => sum + type.events, 0)).toBe(events);
  expect(data.growth.reduce((sum, day) => sum + day.events, 0)).toBe(events);
  expect(data.artifactBytes).toBeGreaterThan(0);
  expect(data.databaseBytes).toBeGreaterThan(0);
});

test('verify reports what it verified', async () => {
  const workspace = Workspace.trusted();
  await workspace.answer('do', BRIEF);
  const { data } = await workspace.answer<VerifyAnswer>('ledger', 'verify');
  const events = workspace.mirror();
  expect(data).toEqual({
    ok: true,
    full: true,
    summary: expect.stringMatching(/^verified: /),
    events: events.length,
    archived: 0,
    streams: 1,
    head: { seq: events.length, hash: expect.stringMatching(/^[0-9a-f]{64}$/) },
    mirrorEqual: true,
    blobs: 3,
    signed: { seq: events.length, at: expect.any(Number) },
    faults: [],
    notes: [],
  });
});

test('rebuilding the tables from the events does not change any output', async () => {
  const workspace = Workspace.trusted();
  const { data } = await workspace.answer('do', BRIEF);
  await workspace.answer('do', 'write notes.txt');
  const look = async (): Promise<unknown[]> => [
    (await workspace.answer('runs', 'list')).data,
    (await workspace.answer('runs', 'show', data.run.id)).data,
    (await workspace.answer('approvals', 'list')).data,
  ];
  const before = await look();
  const rebuilt = await workspace.answer<{ from: string; events: number }>(
    'ledger',
    'rebuild',
    '--from',
    'table',
  );
  expect(rebuilt.data).toMatchObject({ from: 'table', events: await workspace.verified() });
  expect(await look()).toEqual(before);
  const mirrored = await workspace.answer('ledger', 'rebuild', '--from', 'mirror');
  expect(mirrored.data).toMatchObject({ from: 'mirror', kept: expect.stringContaining('before-rebuild') });
  expect(await look()).toEqual(before);
});

test.fails('closing the library releases its files', async () => {
  const workspace = Workspace.trusted();
  await runByLibrary(workspace, 'read README.md');
  expect(workspace.has('.oka/oka.db')).toBe(true);
  expect(workspace.has('.oka/oka.db-wal')).toBe(false);
  expect(workspace.has('.oka/oka.db-shm')).toBe(false);
});
