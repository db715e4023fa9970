import { existsSync, mkdirSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { WorkspaceProcesses } from '../../src/adapters/processes/index.ts';
import { systemClock } from '../../src/kernel/index.ts';
import { classifyGit } from '../../src/tools/index.ts';
import { tempFolder } from '../support/temp-folder.ts';
import { HostileRepository, plainGit, plantBareRepository, processesIn } from './git-kit.ts';

/** One or more calls for each read-only command, with the options that reach most of its code. */
const READS: readonly string[] = [
  ...[
    'status',
    'status --short --branch',
    'status -sb --untracked-files=all --ignored --show-stash',
    'status --porcelain=v2 -z',
  ],
  ...[
    'diff',
    'diff --stat',
    'diff --cached -p --text',
    'diff HEAD~1 --word-diff',
    'diff HEAD --name-status',
    'diff -- a.txt',
  ],
  ...[
    'log',
    'log -p --text -n 3',
    'log --format=%H%G?%GS --stat',
    'log --oneline --graph --all',
    'log -L1,1:a.txt',
    'log -Sone --patch',
  ],
  ...[
    'show',
    'show HEAD:a.txt',
    'show v1 --text -p',
    'show HEAD --format=%G?',
    'shortlog -sn HEAD',
    'reflog',
    'reflog show -n3',
  ],
  ...[
    'branch',
    'branch --list ma*',
    'branch -avv',
    'branch --show-current',
    'tag',
    'tag -l v*',
    'tag -n3',
    'remote',
    'remote -v',
  ],
  ...[
    'remote get-url origin',
    'rev-parse --show-toplevel',
    'rev-parse --abbrev-ref HEAD',
    'rev-list --count HEAD',
    'merge-base HEAD v1',
  ],
  ...[
    'describe --tags --always',
    'for-each-ref --sort=-creatordate',
    'ls-files -m',
    'ls-files --others --exclude-standard',
    'ls-files --eol',
  ],
  ...[
    'ls-tree -r HEAD',
    'cat-file -p HEAD',
    'cat-file -p HEAD:a.txt',
    'blame a.txt',
    'blame -L1,1 b.bin',
    'grep one',
    'grep -n --untracked one',
  ],
  ...[
    'config --get core.fsmonitor',
    'config --list --show-origin',
    'stash list',
    'worktree list --porcelain',
    'check-ignore -v marks',
  ],
  ...['count-objects -v', 'version', '--version', '--no-pager log -1'],
];

it('the settings of the hostile repository do start programs when git runs without Oka', () => {
  const repository = new HostileRepository();
  for (const args of [
    'status',
    'diff a.txt',
    'diff .gitignore',
    '-p log --show-signature -p',
    'st',
    '-c core.fsmonitor=false blame a.txt',
  ])
    repository.unhardened(...args.split(' '));
  expect(repository.ran()).toEqual(
    expect.arrayContaining([
      'alias-st',
      'core.fsmonitor',
      'diff.evil.command',
      'diff.evil.textconv',
      'filter.old.clean',
      'included',
    ]),
  );
});

const sandbox = new WorkspaceProcesses({
  workspace: '.',
  toolFolders: [],
  sandbox: 'auto',
  clock: systemClock,
}).sandbox;
const KINDS = sandbox.kind === 'none' ? (['off'] as const) : (['off', 'auto'] as const);

describe.each(KINDS)('with sandbox %s', (kind) => {
  it('no read-only command starts a program or changes a file', async () => {
    const repository = new HostileRepository();
    const run = processesIn(repository.root, kind);
    const before = repository.digest();
    for (const line of READS) {
      const args = line.split(' ');
      expect([line, classifyGit(args)]).toEqual([line, 'read']);
      const { exitCode, stderr } = await run({ argv: ['git', ...args] });
      expect([line, exitCode, exitCode === 0 ? '' : stderr, repository.ran()]).toEqual([line, 0, '', []]);
    }
    expect(repository.digest()).toBe(before);
  }, 120_000);
});

it('a write that a person approved starts no hook, filter, editor or signing program', async () => {
  const repository = new HostileRepository({ submodule: false });
  const run = processesIn(repository.root, 'off');
  for (const line of [
    'add a.txt',
    'commit -m changed',
    'commit --allow-empty',
    'checkout -b other',
    'stash',
    'gc --quiet',
  ])
    await run({ argv: ['git', ...line.split(' ')] });
  expect(repository.ran()).toEqual([]);
  expect(
    plainGit(
      repository.root,
      '-c',
      'log.showSignature=false',
      '-c',
      'core.fsmonitor=false',
      'log',
      '--format=%s',
      '-1',
    ).trim(),
  ).toBe('changed');
});

it('an alias of the repository is not run', async () => {
  const repository = new HostileRepository({ submodule: false });
  const run = processesIn(repository.root, 'off');
  for (const name of ['st', 'x']) expect((await run({ argv: ['git', name] })).exitCode).not.toBe(0);
  expect(repository.ran()).toEqual([]);
});

it.each([
  '-c core.fsmonitor=/bin/x status',
  '-ccore.fsmonitor=/bin/x status',
  '--config-env=core.fsmonitor=HOME status',
  '--exec-path=/tmp status',
  '--git-dir=sub status',
  '--git-dir sub status',
  '--work-tree=. status',
  '-C sub status',
  '--bare status',
  'fetch --upload-pack=/bin/x origin',
  'fetch --upload-p /bin/x origin',
  'clone -u /bin/x . y',
  'clone --upload-pack /bin/x . y',
  'clone -c core.fsmonitor=x . y',
  'clone --config=core.fsmonitor=x . y',
  'push --receive-pack=/bin/x origin',
  'diff --ext-diff',
  'diff --textconv',
  'log -p --textcon',
  'grep -Oless one',
  'grep -nOless one',
  'grep --open-files-in-pager=less one',
])('no arguments can disable the hardening: git %s', async (line) => {
  const run = processesIn(tempFolder('oka-git-'), 'off');
  await expect(run({ argv: ['git', ...line.split(' ')] })).rejects.toMatchObject({
    code: 'process.git_refused',
  });
  expect(classifyGit(line.split(' '))).toBe('write');
});

it('a setting whose name cannot be overridden is refused', async () => {
  const repository = new HostileRepository({ submodule: false });
  plainGit(repository.root, 'config', 'filter.a=b.clean', 'touch marks/equals');
  const run = processesIn(repository.root, 'off');
  await expect(run({ argv: ['git', 'status'] })).rejects.toMatchObject({ code: 'process.git_refused' });
  expect(repository.ran()).toEqual([]);
});

it('a remote cannot be a program', async () => {
  const repository = new HostileRepository({ submodule: false });
  const run = processesIn(repository.root, 'off');
  const { exitCode, stderr } = await run({
    argv: ['git', 'fetch', `ext::sh -c touch% ${repository.marks}/ext`],
  });
  expect(exitCode).not.toBe(0);
  expect(stderr).toContain('ext');
  expect(repository.ran()).toEqual([]);
});

it.each(['git status', 'git diff', 'git log', 'git rev-parse --show-toplevel', 'git ls-files -m'])(
  'a bare repository that an agent wrote is not used by %s, at the root and in a folder',
  async (line) => {
    const workspace = tempFolder('oka-git-');
    const mark = join(tempFolder('oka-git-'), 'mark');
    mkdirSync(join(workspace, 'docs'));
    plantBareRepository(join(workspace, 'docs'), mark);
    plantBareRepository(workspace, mark);
    const run = processesIn(workspace, 'off');
    for (const cwd of ['.', 'docs']) expect((await run({ argv: line.split(' '), cwd })).exitCode).not.toBe(0);
    expect(existsSync(mark)).toBe(false);
  },
);

it('a bare repository starts a program when git runs without Oka', () => {
  const workspace = tempFolder('oka-git-');
  const mark = join(tempFolder('oka-git-'), 'mark');
  plantBareRepository(workspace, mark);
  try {
    plainGit(workspace, 'status');
  } catch {
    // The planted repository is incomplete; the program has run before git notices.
  }
  expect(existsSync(mark)).toBe(true);
});

it('git commits with the name that the repository configures', async () => {
  const root = tempFolder('oka-git-');
  plainGit(root, 'init', '-q');
  plainGit(root, 'config', 'user.name', 'Ann Own');
  plainGit(root, 'config', 'user.email', 'ann@own.test');
  const run = processesIn(root, 'off');
  expect(await run({ argv: ['git', 'commit', '--allow-empty', '-m', 'x'] })).toMatchObject({ exitCode: 0 });
  expect(plainGit(root, 'log', '--format=%an <%ae>').trim()).toBe('Ann Own <ann@own.test>');
  expect(readdirSync(root)).toEqual(['.git']);
});
