import { readdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import type {
  ExplainAnswer,
  GcAnswer,
  LedgerStatsAnswer,
  ReplayAnswer,
  RunListItem,
} from '../../src/api/index.ts';
import { BRIEF, Workspace } from './oka-process.ts';

const MIRROR = '.oka/run_ledger.jsonl';
const SECRET = 'the roses are for Mathilde';

/** Every file of the workspace's own folder with its content, byte for byte. */
/** Every file with its content; what SQLite shares between processes while they work is left out on demand. */
function filesOf(
  workspace: Workspace,
  options: { readonly shared: boolean } = { shared: true },
): Map<string, string> {
  const files = readdirSync(workspace.at('.oka'), { recursive: true, withFileTypes: true }).filter(
    (file) => file.isFile() && (options.shared || !file.name.endsWith('-shm')),
  );
  return new Map(
    files.map((file) => [file.name, readFileSync(join(file.parentPath, file.name), 'latin1')] as const),
  );
}

/** In which files of the workspace's own folder a text stands. */
function whereIs(workspace: Workspace, text: string): string[] {
  return [...filesOf(workspace)].filter(([, content]) => content.includes(text)).map(([name]) => name);
}

async function gc(workspace: Workspace, ...args: string[]): Promise<GcAnswer> {
  const { exitCode, data } = await workspace.answer<GcAnswer>('ledger', 'gc', ...args);
  expect(exitCode).toBe(0);
  return data;
}

test('gc --dry-run reports what it would erase and changes nothing', async () => {
  const workspace = Workspace.trusted();
  await workspace.answer('do', `write "${SECRET}" to secret.txt`);
  await workspace.verified();
  // The log holds leases, which come and go with every command.
  const stored = () => [...filesOf(workspace, { shared: false })].filter(([name]) => name !== 'oka.db-wal');
  const before = stored();
  const bodies = await gc(workspace, '--bodies-days', '0', '--dry-run');
  expect(bodies).toMatchObject({ dryRun: true, archivedRuns: 0 });
  expect(bodies.erasedBodies).toBeGreaterThan(0);
  const whole = await gc(workspace, '--archive-days', '0', '--dry-run');
  expect(whole).toMatchObject({ dryRun: true, archivedRuns: 1 });
  expect(stored()).toEqual(before);

  expect(await gc(workspace)).toMatchObject({ dryRun: false, erasedBodies: 0, archivedRuns: 0 });
  expect(await gc(workspace, '--bodies-days', '1')).toMatchObject({ erasedBodies: 0 });
  expect(whereIs(workspace, SECRET)).not.toEqual([]);
});

test('gc erases content from every file, and the chain stays valid', async () => {
  const workspace = Workspace.trusted();
  const { data } = await workspace.answer('do', `write "${SECRET}" to secret.txt`);
  const { data: open } = await workspace.answer('do', 'wait for the event "go"');
  rmSync(workspace.at('secret.txt'));
  expect(whereIs(workspace, SECRET)).toEqual(expect.arrayContaining(['oka.db', 'run_ledger.jsonl']));
  const size = Buffer.byteLength(workspace.text(MIRROR));

  const gone = await gc(workspace, '--bodies-days', '0');
  expect(gone.erasedBodies).toBeGreaterThan(0);
  expect(gone.freedBytes).toBeGreaterThan(0);
  expect(whereIs(workspace, SECRET)).toEqual([]);
  expect(Buffer.byteLength(workspace.text(MIRROR))).toBeGreaterThanOrEqual(size);
  await workspace.verified();

  const { data: explained } = await workspace.answer<ExplainAnswer>('runs', 'explain', data.run.id);
  expect(explained.timeline.map(({ state }) => state)).toEqual([
    'intake',
    'explore',
    'decide',
    'act',
    'validate',
    'done',
  ]);
  for (const action of explained.actions) expect(action.rationale).toBe('(erased)');
  const { stdout } = await workspace.oka('runs', 'explain', data.run.id);
  expect(stdout).toContain('why: (erased)');
  expect((await workspace.oka('ledger', 'tail')).stdout).toContain('(erased)');
  expect(await workspace.answer('runs', 'show', data.run.id)).toMatchObject({ exitCode: 0 });
  expect(await workspace.answer('runs', 'replay', data.run.id)).toMatchObject({ exitCode: 0 });

  expect(await gc(workspace, '--bodies-days', '0')).toMatchObject({ erasedBodies: 0 });
  const finished = await workspace.answer('runs', 'signal', open.run.id, 'go');
  expect(finished).toMatchObject({ exitCode: 0, data: { run: { status: 'completed' } } });
  await workspace.verified();
});

test('erased content stays erased after a rebuild', async () => {
  const workspace = Workspace.trusted();
  await workspace.answer('do', `write "${SECRET}" to secret.txt`);
  await gc(workspace, '--bodies-days', '0');
  const { data: before } = await workspace.answer<{ runs: RunListItem[] }>('runs', 'list');
  for (const source of ['mirror', 'table']) {
    await workspace.answer('ledger', 'rebuild', '--from', source);
    await workspace.verified();
    expect((await workspace.answer<{ runs: RunListItem[] }>('runs', 'list')).data).toEqual(before);
  }
  expect(whereIs(workspace, SECRET)).toEqual([]);
});

test('gc also erases from the database that a rebuild kept', async () => {
  const workspace = Workspace.trusted();
  await workspace.answer('do', `write "${SECRET}" to secret.txt`);
  await workspace.answer('ledger', 'rebuild', '--from', 'mirror');
  await gc(workspace, '--bodies-days', '0');
  expect(whereIs(workspace, SECRET)).toEqual([]);
});

test('a full replay of erased content reports the erasure instead of differences', async () => {
  const workspace = Workspace.trusted();
  const { data } = await workspace.answer('do', BRIEF);
  await gc(workspace, '--bodies-days', '0');
  for (const mode of ['decision', 'full']) {
    const replayed = await workspace.answer<ReplayAnswer>(
      'runs',
      'replay',
      data.run.id,
      '--as',
      mode,
      '--expect-equal',
    );
    expect(replayed).toMatchObject({ exitCode: 0, data: { equal: true } });
    expect(replayed.data.notes.join()).toContain('erased');
  }
});

test('gc --bodies-bytes erases the oldest bodies first', async () => {
  const workspace = Workspace.trusted();
  const { data: first } = await workspace.answer('do', BRIEF);
  const { data: second } = await workspace.answer('do', 'read README.md');
  const { data: stats } = await workspace.answer<LedgerStatsAnswer>('ledger', 'stats');
  const bytes = stats.types.reduce((sum, type) => sum + type.bytes, 0);
  await gc(workspace, '--bodies-bytes', String(Math.floor(bytes / 4)));
  const explain = async (run: string): Promise<ExplainAnswer> =>
    (await workspace.answer<ExplainAnswer>('runs', 'explain', run)).data;
  expect((await explain(first.run.id)).actions[0]?.rationale).toBe('(erased)');
  expect((await explain(second.run.id)).actions.at(-1)?.rationale).not.toBe('(erased)');
  await workspace.verified();
});

test('gc archives runs, which are then unknown, and the ledger still verifies and rebuilds', async () => {
  const workspace = Workspace.trusted();
  const { data } = await workspace.answer('do', `write "${SECRET}" to secret.txt`);
  const { data: open } = await workspace.answer('do', 'wait for the event "go"');
  const gone = await gc(workspace, '--archive-days', '0');
  expect(gone).toMatchObject({ archivedRuns: 1, dryRun: false });
  expect(gone.deletedArtifacts).toBeGreaterThan(0);
  expect(whereIs(workspace, SECRET)).toEqual([]);
  expect(workspace.text('secret.txt')).toBe(SECRET);
  const events = await workspace.verified();

  const { data: listed } = await workspace.answer<{ runs: RunListItem[] }>('runs', 'list');
  expect(listed.runs.map((run) => run.id)).toEqual([open.run.id]);
  expect(await workspace.refusal('runs', 'show', data.run.id)).toMatchObject({ exitCode: 3 });
  const { data: stats } = await workspace.answer<LedgerStatsAnswer>('ledger', 'stats');
  expect(stats.archived).toBeGreaterThan(0);

  rmSync(workspace.at('.oka/oka.db'));
  await workspace.answer('ledger', 'rebuild');
  expect(await workspace.verified()).toBe(events);
  expect((await workspace.answer<{ runs: RunListItem[] }>('runs', 'list')).data).toEqual(listed);
  expect(await workspace.answer('runs', 'signal', open.run.id, 'go')).toMatchObject({
    data: { run: { status: 'completed' } },
  });
  await workspace.verified();
});

test('a run with erased content cannot be resumed, and every view shows the erasure', async () => {
  const workspace = Workspace.trusted();
  const { data } = await workspace.answer<{ run: { id: string } }>('do', 'read no-such-file.txt');
  await gc(workspace, '--bodies-days', '0');
  for (const args of [
    ['resume', data.run.id],
    ['fork', data.run.id, '--step', '1'],
  ]) {
    expect(await workspace.refusal('runs', ...args)).toMatchObject({
      exitCode: 3,
      error: { code: 'engine.content_erased' },
    });
  }
  expect((await workspace.oka('runs', 'list')).stdout).toContain('(erased)');
  await workspace.verified();
});

test('export includes archived runs', async () => {
  const workspace = Workspace.trusted();
  await workspace.answer('do', 'read README.md');
  expect(await gc(workspace, '--archive-days', '0')).toMatchObject({ archivedRuns: 1 });
  await workspace.verified();
  const { stdout } = await workspace.oka('ledger', 'export');
  expect(stdout).toBe(workspace.text('.oka/run_ledger.jsonl'));
  expect(stdout).toContain('"archived":true');
});
