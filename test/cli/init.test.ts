import {
  cpSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from '@photostructure/sqlite';
import { expect, test } from 'vitest';
import type { InitAnswer, RunListItem } from '../../src/api/index.ts';
import { tempFolder } from '../support/temp-folder.ts';
import { BRIEF, Workspace } from './oka-process.ts';

async function trustedByCommand(): Promise<Workspace> {
  const workspace = new Workspace();
  await workspace.answer('init', '--trust');
  return workspace;
}

/** The database of another program. */
function foreignDatabase(folder: string): Buffer {
  const file = join(folder, 'foreign.db');
  const database = new DatabaseSync(file);
  database.exec('CREATE TABLE cookies (name TEXT)');
  database.close();
  return readFileSync(file);
}

/** A workspace whose own configuration would leave a mark, if it were allowed to. */
function withMarkingHooks(): Workspace {
  const hooks = ['before_run', 'after_run', 'before_node', 'after_node', 'on_error'].map((on) => ({
    on,
    command: ['touch', 'hook-ran'],
  }));
  return new Workspace({ config: { hooks } });
}

test('init creates the workspace and says that it is not trusted yet', async () => {
  const workspace = new Workspace();
  const first = await workspace.oka('init');
  expect(first).toMatchObject({ exitCode: 0, stderr: '' });
  expect(first.stdout).toBe(
    `Created workspace: ${workspace.root}\nNot trusted yet. To trust it: oka init --trust\n`,
  );
  expect(statSync(workspace.at('.oka')).mode & 0o777).toBe(0o700);
  expect(workspace.text('.oka/.gitignore')).toContain('oka.db*');
});

test('init --trust trusts the folder, and a later init changes nothing', async () => {
  const workspace = new Workspace();
  const { data } = await workspace.answer<InitAnswer>('init', '--trust');
  expect(data).toEqual({ workspace: workspace.root, created: true, trusted: true });
  const { data: made } = await workspace.answer('do', BRIEF);
  workspace.put('.oka/.gitignore', 'mine\n');
  workspace.put('.oka/config.json', '{"limits":{"steps":77}}');

  const again = await workspace.answer<InitAnswer>('init');
  expect(again.data).toEqual({ workspace: workspace.root, created: false, trusted: true });
  expect(workspace.text('.oka/.gitignore')).toBe('mine\n');
  expect(workspace.text('.oka/config.json')).toBe('{"limits":{"steps":77}}');
  const { data: listed } = await workspace.answer<{ runs: RunListItem[] }>('runs', 'list');
  expect(listed.runs.map((run) => run.id)).toEqual([made.run.id]);
});

test('nothing acts in an untrusted folder, and the error names the command that trusts it', async () => {
  const workspace = new Workspace();
  for (const when of ['without .oka', 'with .oka']) {
    const { exitCode, error } = await workspace.refusal('do', BRIEF);
    expect({ when, exitCode, code: error.code }).toEqual({ when, exitCode: 4, code: 'config.not_trusted' });
    expect(error.message).toContain('oka init --trust');
    expect(error.data).toEqual({ workspace: workspace.root });
    if (when === 'without .oka') await workspace.oka('init');
  }
  const { exitCode, stderr } = await workspace.oka('do', BRIEF);
  expect(exitCode).toBe(4);
  expect(stderr).toMatch(/^✗ .+ run: oka init --trust\. \(config\.not_trusted\)\n$/);
  expect(workspace.has('BRIEF.md')).toBe(false);
});

test('every command that acts is rejected in an untrusted folder', async () => {
  const workspace = new Workspace();
  await workspace.oka('init');
  const acting = [
    ['do', BRIEF, '--simulate'],
    ['runs', 'resume', 'some-run'],
    ['runs', 'pause', 'some-run'],
    ['runs', 'cancel', 'some-run'],
    ['runs', 'undo', 'some-run'],
    ['runs', 'signal', 'some-run', 'go'],
    ['runs', 'fork', 'some-run', '--step', '1'],
    ['runs', 'correct', 'some-run', 'text'],
    ['approvals', 'approve', 'some-approval'],
    ['approvals', 'deny', 'some-approval'],
    ['ledger', 'gc', '--bodies-days', '0'],
  ];
  for (const args of acting) {
    const { exitCode, error } = await workspace.refusal(...args);
    expect({ args, exitCode, code: error.code }).toEqual({ args, exitCode: 4, code: 'config.not_trusted' });
  }
});

test('a cloned folder with its own .oka runs no hooks before it is trusted', async () => {
  const workspace = withMarkingHooks();
  expect(await workspace.refusal('do', BRIEF)).toMatchObject({ exitCode: 4 });
  expect(await workspace.refusal('do', 'nonsense')).toMatchObject({ exitCode: 4 });
  await workspace.oka('init');
  expect(await workspace.refusal('do', BRIEF)).toMatchObject({ exitCode: 4 });
  for (const args of [['runs', 'list'], ['doctor'], ['ledger', 'verify'], ['approvals', 'list']])
    await workspace.oka(...args);
  expect(workspace.has('hook-ran')).toBe(false);

  await workspace.answer('init', '--trust');
  expect(workspace.has('hook-ran')).toBe(false);
  await workspace.answer('do', BRIEF);
  expect(workspace.has('hook-ran')).toBe(true);
});

test('an untrusted folder with an unreadable configuration can be read', async () => {
  const workspace = new Workspace();
  workspace.put('.oka/config.json', '{ broken');
  await workspace.oka('init');
  expect(await workspace.answer('runs', 'list')).toMatchObject({ exitCode: 0, data: { runs: [] } });
});

test('trust is stored in OKA_HOME, not in the folder', async () => {
  const workspace = await trustedByCommand();
  const trust = JSON.parse(readFileSync(join(workspace.home, 'trust.json'), 'utf8'));
  expect(Object.keys(trust.workspaces)).toEqual([workspace.root]);
  expect(statSync(join(workspace.home, 'trust.json')).mode & 0o077).toBe(0);

  const stranger = new Workspace({ root: workspace.root, files: {} });
  expect(await stranger.refusal('do', BRIEF)).toMatchObject({ exitCode: 4 });
  expect(await workspace.answer('do', BRIEF)).toMatchObject({ exitCode: 0 });
});

test('trust is bound to the real folder: copies and moved folders are not trusted', async () => {
  const workspace = await trustedByCommand();
  const elsewhere = tempFolder();
  const copy = join(elsewhere, 'copy');
  cpSync(workspace.root, copy, { recursive: true, filter: (path) => !/-(wal|shm)$/.test(path) });
  expect(await workspace.refusal('-C', copy, 'do', BRIEF)).toMatchObject({
    exitCode: 4,
    error: { data: { workspace: copy } },
  });

  const moved = join(elsewhere, 'moved');
  renameSync(workspace.root, moved);
  const answer = await workspace.okaWith({ folder: elsewhere }, '-C', moved, 'do', BRIEF, '--json');
  expect(answer).toMatchObject({ exitCode: 4, stdout: expect.stringContaining('config.not_trusted') });
});

test('a link to an untrusted folder is not trusted, and a link to a trusted one is', async () => {
  const workspace = await trustedByCommand();
  const other = new Workspace();
  await other.oka('init');
  const links = tempFolder();
  symlinkSync(other.root, join(links, 'to-other'));
  symlinkSync(workspace.root, join(links, 'to-trusted'));
  expect(await workspace.refusal('-C', join(links, 'to-other'), 'do', BRIEF)).toMatchObject({ exitCode: 4 });
  expect(await workspace.answer('-C', join(links, 'to-trusted'), 'do', BRIEF)).toMatchObject({ exitCode: 0 });
  expect(workspace.has('BRIEF.md')).toBe(true);
});

test('a trusted folder replaced by a link to another one is not trusted', async () => {
  const workspace = await trustedByCommand();
  const other = new Workspace();
  await other.oka('init');
  const aside = `${workspace.root}.aside`;
  renameSync(workspace.root, aside);
  symlinkSync(other.root, workspace.root);
  const { exitCode } = await workspace.okaWith({ folder: '/' }, '-C', workspace.root, 'do', BRIEF);
  expect(exitCode).toBe(4);
  expect(other.has('BRIEF.md')).toBe(false);
  renameSync(aside, join(tempFolder(), 'aside'));
});

test.each(['.oka', '.oka/run_ledger.jsonl', '.oka/oka.db', '.oka/objects'])(
  'a cloned folder with a link at %s does not change the target',
  async (link) => {
    const giver = Workspace.trusted();
    await giver.answer('do', 'dance');
    const outside = tempFolder();
    const target = join(outside, 'target');
    const foreign = link.endsWith('.db')
      ? foreignDatabase(outside)
      : Buffer.from('mine\nwithout a newline at the end');
    const isFolder = !/\.(jsonl|db)$/.test(link);
    if (isFolder) mkdirSync(target);
    else writeFileSync(target, foreign);
    const clone = new Workspace();
    if (link !== '.oka')
      cpSync(giver.at('.oka'), clone.at('.oka'), {
        recursive: true,
        filter: (path) => !/-(wal|shm)$/.test(path),
      });
    rmSync(clone.at(link), { recursive: true, force: true });
    symlinkSync(target, clone.at(link));

    for (const args of [
      ['init'],
      ['init', '--trust'],
      ['ledger', 'verify'],
      ['ledger', 'rebuild'],
      ['do', 'dance'],
    ]) {
      const { exitCode } = await clone.oka(...args);
      expect({ args, refused: exitCode !== 0 }).toEqual({ args, refused: true });
    }
    if (isFolder) expect(readdirSync(target)).toEqual([]);
    else expect(readFileSync(target)).toEqual(foreign);
  },
);
