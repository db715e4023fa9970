import { spawnSync } from 'node:child_process';
import { chmodSync, existsSync, readdirSync, readFileSync, rmSync, statfsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import type { RunAnswer, RunListItem } from '../../src/api/index.ts';
import { bundleWorker } from '../support/bundle-worker.ts';
import { tempFolder } from '../support/temp-folder.ts';
import { BRIEF, toAnswer, toRefusal, Workspace } from './oka-process.ts';
import { mountReadOnly, mountSmallDisk, withoutPrivileges } from './own-mounts.ts';

/** Fills the disk of a folder up to some kilobytes; answers with how to free it again. */
function fill(folder: string, leftKilobytes: number): () => void {
  const { bavail, bsize } = statfsSync(folder);
  const file = join(folder, 'filler');
  writeFileSync(file, Buffer.alloc(Math.max(0, bavail * bsize - leftKilobytes * 1024)));
  return () => rmSync(file);
}

test.for([0, 40, 130, 200, 250])(
  'on a disk with %d kB left, a run prints one answer, writes no partial files, and continues when there is space',
  async (left, { skip }) => {
    const folder = tempFolder();
    const disk = await mountSmallDisk(folder, 2048);
    if (typeof disk === 'string') return skip(disk);
    const workspace = new Workspace({ root: folder, through: disk.through, files: {} });
    writeFileSync(join(disk.seenAt, 'README.md'), '# Garden\n');
    await workspace.answer('init', '--trust');
    const free = fill(disk.seenAt, left);
    const attempt = await workspace.oka('do', BRIEF, '--json');
    if (attempt.exitCode === 0) expect(toAnswer<RunAnswer>(attempt).data.run.status).toBe('completed');
    else expect(toRefusal(attempt).exitCode).toBe(1);
    free();

    const { data } = await workspace.answer<{ runs: RunListItem[] }>('runs', 'list');
    for (const run of data.runs) {
      expect(await workspace.answer('runs', 'resume', run.id)).toMatchObject({
        exitCode: 0,
        data: { run: { id: run.id, status: 'completed' } },
      });
    }
    expect(await workspace.answer('do', BRIEF)).toMatchObject({ exitCode: 0 });
    await workspace.verified();
    expect(readdirSync(disk.seenAt).sort()).toEqual(['.oka', 'BRIEF.md', 'README.md']);
  },
);

test.for(['in parts', 'as a whole'])(
  'a file replaced %s stays unchanged if the disk fills up during the write',
  async (way, { skip }) => {
    const folder = tempFolder();
    const disk = await mountSmallDisk(folder, 64);
    if (typeof disk === 'string') return skip(disk);
    const program = await bundleWorker(join(import.meta.dirname, 'replace-file-program.ts'));
    writeFileSync(join(disk.seenAt, 'old'), 'as it was');
    const [command = '', ...rest] = disk.through;
    const args = [...rest, process.execPath, program, way, join(folder, 'old')];
    expect(spawnSync(command, args, { encoding: 'utf8' }).stdout).toBe('ENOSPC');
    expect(readFileSync(join(disk.seenAt, 'old'), 'utf8')).toBe('as it was');
    expect(readdirSync(disk.seenAt)).toEqual(['old']);
  },
);

test('a full disk is reported, whatever needs the space', async ({ skip }) => {
  const folder = tempFolder();
  const disk = await mountSmallDisk(folder, 2048);
  if (typeof disk === 'string') return skip(disk);
  const workspace = new Workspace({ root: folder, through: disk.through, files: {} });
  await workspace.answer('init', '--trust');
  for (const left of [0, 16, 40, 64]) {
    const free = fill(disk.seenAt, left);
    const { exitCode, error } = await workspace.refusal('do', BRIEF);
    expect({ left, exitCode }).toEqual({ left, exitCode: 1 });
    expect(error.code).toMatch(/^(?:files|ledger|system)\.disk_full$/);
    free();
  }
});

test('on a full disk init leaves no incomplete workspace', async ({ skip }) => {
  const folder = tempFolder();
  const disk = await mountSmallDisk(folder, 2048);
  if (typeof disk === 'string') return skip(disk);
  const workspace = new Workspace({ root: folder, through: disk.through, files: {} });
  const free = fill(disk.seenAt, 64);
  const { exitCode, error } = await workspace.refusal('init', '--trust');
  expect(exitCode).toBe(1);
  expect(error.code).toMatch(/^(config|ledger|system)\./);
  free();
  expect(await workspace.answer('init', '--trust')).toMatchObject({ exitCode: 0 });
  await workspace.verified();
});

test('init fails on a read-only disk', async ({ skip }) => {
  const folder = tempFolder();
  const disk = await mountReadOnly(folder);
  if (typeof disk === 'string') return skip(disk);
  const workspace = new Workspace({ root: folder, through: disk.through, files: {} });
  const { exitCode, error } = await workspace.refusal('init', '--trust');
  expect({ exitCode, code: error.code }).toEqual({ exitCode: 1, code: 'config.unwritable' });
  expect(error.message).toContain(`${folder}/.oka cannot be created`);
});

test('a read-only disk is reported', async ({ skip }) => {
  const folder = tempFolder();
  const disk = await mountReadOnly(folder);
  if (typeof disk === 'string') return skip(disk);
  const workspace = new Workspace({ root: folder, through: disk.through, files: {} });
  const { error } = await workspace.refusal('init', '--trust');
  expect(error).toMatchObject({ message: expect.stringContaining('read-only'), data: { code: 'EROFS' } });
});

test('a workspace that becomes read-only is reported and loses nothing', async ({ skip }) => {
  const before = Workspace.trusted();
  await before.answer('do', BRIEF);
  const disk = await mountReadOnly(before.root);
  if (typeof disk === 'string') return skip(disk);
  const workspace = new Workspace({ root: before.root, home: before.home, through: disk.through, files: {} });
  for (const args of [
    ['do', BRIEF],
    ['ledger', 'gc'],
    ['ledger', 'repair'],
  ]) {
    const { exitCode, error } = await workspace.refusal(...args);
    expect({ args, exitCode }).toEqual({ args, exitCode: 1 });
    expect(error.code).toMatch(/^ledger\.(read_only|unavailable)$/);
    expect(error.message).toMatch(/may (not )?be written|read-only/);
  }
  await before.verified();
});

test('a file system without new folders is rejected at once', async ({ skip }) => {
  if (!existsSync('/proc/self')) return skip('this system has no /proc, where nobody can make a folder');
  const workspace = new Workspace({ files: {} });
  const { exitCode, error } = await workspace.refusal('-C', '/proc', 'init', '--trust');
  expect({ exitCode, code: error.code }).toEqual({ exitCode: 1, code: 'config.unwritable' });
});

test('an unreadable folder is rejected', async ({ skip }) => {
  const through = withoutPrivileges();
  if (typeof through === 'string') return skip(through);
  const workspace = new Workspace({ through });
  const locked = tempFolder();
  chmodSync(locked, 0o000);
  onTestFinished(() => chmodSync(locked, 0o700));
  for (const args of [
    ['init', '--trust'],
    ['do', BRIEF],
    ['runs', 'list'],
  ]) {
    const { exitCode, error } = await workspace.refusal('-C', locked, ...args);
    expect({ args, exitCode, code: error.code }).toEqual({ args, exitCode: 3, code: 'config.no_folder' });
    expect(error.message).toMatch(/check its permissions/i);
  }
});

test('unwritable folders and unreadable files are reported', async ({ skip }) => {
  const through = withoutPrivileges();
  if (typeof through === 'string') return skip(through);
  const workspace = new Workspace({ through });
  chmodSync(workspace.root, 0o500);
  const { exitCode, error } = await workspace.refusal('init', '--trust');
  expect({ exitCode, code: error.code }).toEqual({ exitCode: 1, code: 'config.unwritable' });
  chmodSync(workspace.root, 0o700);

  await workspace.answer('init', '--trust');
  chmodSync(workspace.at('README.md'), 0o000);
  expect(await workspace.answer('do', 'read README.md')).toMatchObject({
    exitCode: 1,
    data: { run: { status: 'failed', failure: { code: 'files.denied' } } },
  });
  await workspace.verified();
});

test('an unwritable database is reported', async ({ skip }) => {
  const through = withoutPrivileges();
  if (typeof through === 'string') return skip(through);
  const workspace = Workspace.trusted({ through });
  await workspace.answer('init');
  chmodSync(workspace.at('.oka/oka.db'), 0o400);
  expect(await workspace.refusal('do', BRIEF)).toMatchObject({
    exitCode: 1,
    error: { code: 'ledger.read_only' },
  });
});

test('an unwritable user folder is reported', async ({ skip }) => {
  const through = withoutPrivileges();
  if (typeof through === 'string') return skip(through);
  const locked = tempFolder();
  chmodSync(locked, 0o500);
  const workspace = new Workspace({ through, home: join(locked, 'home') });
  const { exitCode, error } = await workspace.refusal('init', '--trust');
  expect({ exitCode, code: error.code }).toEqual({ exitCode: 1, code: 'system.denied' });
  expect(error.message).toContain(locked);
});
