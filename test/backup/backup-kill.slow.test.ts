import { existsSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setImmediate } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { systemRandom } from '../../src/kernel/index.ts';
import { toRefusal, Watched, Workspace } from '../cli/oka-process.ts';
import { bundleWorker } from '../support/bundle-worker.ts';
import { tempFolder } from '../support/temp-folder.ts';
import { verify } from './backup-kit.ts';

/** A workspace that takes a while to copy. */
async function largeWorkspace(): Promise<Workspace> {
  const workspace = new Workspace();
  expect((await workspace.oka('init', '--trust')).exitCode).toBe(0);
  expect((await workspace.oka('memory', 'fact', 'add', 'the gate is green')).exitCode).toBe(0);
  for (const i of [0, 1, 2, 3])
    workspace.put(`.oka/skills/large/${i}.bin`, Buffer.from(systemRandom.hex(3_000_000), 'hex'));
  return workspace;
}

/** Kills a command as soon as a path below its staging folder exists. */
async function killAt(command: Watched, folder: string, prefix: string, path: string): Promise<void> {
  let isOver = false;
  void command.ended.then(() => {
    isOver = true;
  });
  const isReached = (): boolean =>
    readdirSync(folder).some((name) => name.startsWith(prefix) && existsSync(join(folder, name, path)));
  while (!isOver && !isReached()) await setImmediate();
  command.kill('SIGKILL');
  await command.ended;
}

test.for([
  '.',
  'workspace/.oka/oka.db',
  'workspace/.oka/run_ledger.jsonl',
  'workspace/.oka/skills/large/1.bin',
  'archive',
])(
  'a create that is killed after making %s leaves no partial archive under the final name, and the next one cleans up',
  async (path) => {
    const workspace = await largeWorkspace();
    const folder = tempFolder();
    const file = join(folder, 'b.tar.gz');
    await killAt(workspace.start('backup', 'create', file), folder, '.oka-backup-', path);
    if (existsSync(file)) expect((await verify(file)).ok).toBe(true);
    else expect(readdirSync(folder).every((name) => name.startsWith('.oka-backup-'))).toBe(true);
    expect((await workspace.oka('backup', 'create', file, '--force')).exitCode).toBe(0);
    expect(readdirSync(folder)).toEqual(['b.tar.gz']);
    expect((await verify(file)).ok).toBe(true);
    await workspace.verified();
  },
);

test.for(['.oka', '.oka/run_ledger.jsonl', '.oka/skills/large/2.bin', '.oka/run'])(
  'a restore that is killed after making %s leaves the old workspace or the new one, and the next one cleans up',
  async (path) => {
    const workspace = await largeWorkspace();
    const file = join(tempFolder(), 'b.tar.gz');
    expect((await workspace.oka('backup', 'create', file)).exitCode).toBe(0);
    expect((await workspace.oka('memory', 'fact', 'add', 'known later')).exitCode).toBe(0);
    const restore = ['backup', 'restore', file, '--replace'] as const;
    await killAt(workspace.start(...restore), workspace.root, '.oka-restore-', path);
    expect((await workspace.oka('ledger', 'verify')).exitCode).toBe(0);
    expect((await workspace.oka(...restore)).exitCode).toBe(0);
    expect(readdirSync(workspace.root).filter((name) => name.startsWith('.oka'))).toEqual(['.oka']);
    expect(workspace.text('.oka/run_ledger.jsonl')).not.toContain('known later');
    expect((await workspace.oka('ledger', 'verify')).exitCode).toBe(0);
  },
);

test('a restore that is killed between its two renames is undone by the next one', async () => {
  const workspace = await largeWorkspace();
  const file = join(tempFolder(), 'b.tar.gz');
  expect((await workspace.oka('backup', 'create', file)).exitCode).toBe(0);
  // What a restore of a process that is gone has staged.
  const staged = workspace.at('.oka-restore-gone-00000000/.oka');
  mkdirSync(staged, { recursive: true });
  writeFileSync(join(staged, 'oka.db'), 'staged');
  const program = await bundleWorker(join(import.meta.dirname, 'place-worker.ts'));
  const killed = new Watched([process.execPath, program, staged, workspace.root], {
    cwd: '/',
    env: process.env,
  });
  expect((await killed.ended).signal).toBe('SIGKILL');
  expect(workspace.has('.oka')).toBe(false);
  const refused = toRefusal(await workspace.oka('backup', 'restore', file, '--json'));
  expect(refused.error.code).toBe('backup.workspace_exists');
  expect(workspace.text('.oka/run_ledger.jsonl')).toContain('the gate is green');
  expect(readdirSync(workspace.root).filter((name) => name.startsWith('.oka'))).toEqual(['.oka']);
  await workspace.verified();
});
