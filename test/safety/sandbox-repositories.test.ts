import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import { isPlainRepository } from '../../src/adapters/processes/plain-repository.ts';
import { RepositoryMetadata } from '../../src/adapters/processes/repository-metadata.ts';
import { tempFolder } from '../support/temp-folder.ts';
import { openProcesses, runNode, sandboxTitle, withoutSandbox } from './sandbox-kit.ts';

let root: string;

function git(cwd: string, ...args: readonly string[]) {
  const env = { PATH: process.env['PATH'], HOME: root, GIT_CONFIG_NOSYSTEM: '1' };
  return spawnSync('git', ['-c', 'user.name=a', '-c', 'user.email=a@example.org', ...args], {
    cwd,
    env,
    encoding: 'utf8',
  });
}

beforeEach(() => {
  root = tempFolder();
  git(root, 'init', '-q');
});

/** What a program does to make the person's next git command run one of its own. */
const ATTACKS: Readonly<Record<string, readonly [script: string, cwd: string]>> = {
  'a bare repository at the root, with .git/HEAD renamed': [
    `try { fs.renameSync('.git/HEAD', '.git/H'); } catch {} bare('.');`,
    '.',
  ],
  'a bare repository in a new folder': [
    `fs.mkdirSync('deep/er', { recursive: true }); bare('deep/er');`,
    'deep/er',
  ],
  'a repository in a new folder': [`fs.mkdirSync('sub/.git', { recursive: true }); bare('sub/.git');`, 'sub'],
  'a .git file that names a folder of the program': [
    `fs.mkdirSync('store'); bare('store'); fs.mkdirSync('sub'); fs.writeFileSync('sub/.git', 'gitdir: ../store');`,
    'sub',
  ],
  'a .git link to a folder of the program': [
    `fs.mkdirSync('store'); bare('store'); fs.mkdirSync('sub'); fs.symlinkSync('../store', 'sub/.git');`,
    'sub',
  ],
  'the configuration of .git': [`fs.appendFileSync('.git/config', '[core]\\n\\tfsmonitor = ' + evil);`, '.'],
};
const PRELUDE = (
  evil: string,
): string => `const fs = require('node:fs'); const evil = ${JSON.stringify(evil)};
const bare = (folder) => { for (const name of ['objects', 'refs']) fs.mkdirSync(folder + '/' + name, { recursive: true });
  fs.writeFileSync(folder + '/HEAD', 'ref: refs/heads/main\\n');
  fs.writeFileSync(folder + '/config', '[core]\\n\\trepositoryformatversion = 0\\n\\tbare = false\\n\\tworktree = /\\n\\tfsmonitor = ' + evil + '\\n'); };`;

describe.skipIf(withoutSandbox !== undefined)(sandboxTitle('repositories in the sandbox'), () => {
  it.each(Object.keys(ATTACKS))('the person’s git runs no code of a program that leaves %s', async (name) => {
    const [script, cwd] = ATTACKS[name] as readonly [string, string];
    const proof = join(root, 'proof');
    const evil = join(root, 'evil.sh');
    writeFileSync(evil, `#!/bin/sh\ntouch ${proof}\n`, { mode: 0o755 });
    await runNode(openProcesses(root), `${PRELUDE(evil)} ${script}`);
    if (existsSync(join(root, cwd))) git(join(root, cwd), 'status');
    expect(existsSync(proof)).toBe(false);
  });

  it('an existing repository below the workspace cannot be changed, nor replaced with the folder around it', async () => {
    mkdirSync(join(root, 'lib'));
    git(join(root, 'lib'), 'init', '-q');
    const config = readFileSync(join(root, 'lib/.git/config'), 'utf8');
    const { stdout, note } = await runNode(
      openProcesses(root),
      `const fs = require('node:fs');
       for (const file of ['config', 'hooks/post-checkout', 'HEAD']) try { fs.writeFileSync('lib/.git/' + file, 'x'); console.log(file); } catch {}
       fs.renameSync('lib', 'away'); fs.mkdirSync('lib/.git/hooks', { recursive: true });`,
    );
    expect(stdout).toBe('');
    expect(note).toContain('only people may create lib/.git');
    expect(readFileSync(join(root, 'away/.git/config'), 'utf8')).toBe(config);
    expect(existsSync(join(root, 'lib/.git'))).toBe(false);
  });

  it('git itself commits, but changes neither configuration nor hooks', async () => {
    writeFileSync(join(root, 'a.txt'), 'a');
    git(root, 'config', 'user.name', 'a');
    git(root, 'config', 'user.email', 'a@example.org');
    const run = (...argv: string[]) =>
      openProcesses(root).run({ argv, timeoutMs: 60_000 }, new AbortController().signal);
    expect(await run('git', 'add', 'a.txt')).toMatchObject({ exitCode: 0 });
    expect(await run('git', 'commit', '-qm', 'first')).toMatchObject({ exitCode: 0 });
    expect(git(root, 'log', '--format=%s').stdout).toBe('first\n');
    expect((await run('git', 'config', 'core.fsmonitor', 'evil')).exitCode).not.toBe(0);
    expect(readFileSync(join(root, '.git/config'), 'utf8')).not.toContain('evil');
    expect(await run('git', 'hash-object', '-w', 'a.txt')).toMatchObject({ exitCode: 0 });
  });

  it('git keeps a plain repository that it makes', async () => {
    const request = { argv: ['git', 'init', '-q', 'plain'], timeoutMs: 60_000 };
    const { note } = await openProcesses(root).run(request, new AbortController().signal);
    expect(note).toBeUndefined();
    expect(existsSync(join(root, 'plain/.git/HEAD'))).toBe(true);
  });

  it('folders that only share names with a repository stay as they are', async () => {
    const script = `const fs = require('node:fs'); for (const name of ['config', 'objects', 'hooks', 'refs']) fs.mkdirSync(name);`;
    expect((await runNode(openProcesses(root), script)).note).toBeUndefined();
    expect(readdirSync(root)).toEqual(expect.arrayContaining(['config', 'objects', 'hooks', 'refs']));
  });

  it('a worktree of another repository is readable only if that repository lists it', async () => {
    writeFileSync(join(root, 'a.txt'), 'a');
    git(root, 'add', '.');
    git(root, 'commit', '-qm', 'first');
    const other = join(tempFolder(), 'tree');
    git(root, 'worktree', 'add', '-q', other);
    const log = (workspace: string) =>
      openProcesses(workspace).run(
        { argv: ['git', 'log', '--format=%s'], timeoutMs: 60_000 },
        new AbortController().signal,
      );
    expect((await log(other)).stdout).toBe('first\n');
    const forged = tempFolder();
    writeFileSync(join(forged, '.git'), `gitdir: ${join(root, '.git/worktrees/tree')}\n`);
    expect((await log(forged)).stdout).toBe('');
  });
});

describe('the scan for repositories', () => {
  it.each([
    ['hooks', (folder: string) => writeFileSync(join(folder, 'hooks/post-checkout'), '')],
    ['a program in its configuration', (folder: string) => git(folder, 'config', 'core.fsmonitor', 'evil')],
    ['an included configuration', (folder: string) => git(folder, 'config', 'include.path', '../evil')],
    ['a command as its remote', (folder: string) => git(folder, 'config', 'remote.x.url', 'ext::sh -c evil')],
    ['another common folder', (folder: string) => writeFileSync(join(folder, 'commondir'), '../evil')],
  ])('does not treat a repository with %s as a plain one', (_, change) => {
    const folder = join(root, '.git');
    mkdirSync(join(folder, 'hooks'), { recursive: true });
    expect(isPlainRepository(folder)).toBe(true);
    change(folder);
    expect(isPlainRepository(folder)).toBe(false);
  });

  it('finds what was added since, also where only a deeper folder changed', async () => {
    mkdirSync(join(root, 'a/b/c'), { recursive: true });
    const metadata = new RepositoryMetadata(root);
    const before = await metadata.scan();
    expect(before).toMatchObject({ complete: true, repositories: [{ kind: 'git' }] });
    mkdirSync(join(root, 'a/b/c/.git'));
    expect(await metadata.disableNew(before, false)).toEqual([expect.stringContaining('a/b/c/.git')]);
    expect(await metadata.disableNew(before, false)).toEqual([]);
  });
});
