import { execFileSync, spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import {
  chmodSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { WorkspaceProcesses } from '../../src/adapters/processes/index.ts';
import { systemClock } from '../../src/kernel/index.ts';
import type { ProcessRequest, ProcessResult } from '../../src/tools/index.ts';
import { tempFolder } from '../support/temp-folder.ts';

/** Plain git, to prepare a repository. */
export function plainGit(cwd: string, ...args: readonly string[]): string {
  return execFileSync('git', args, {
    cwd,
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'pipe'],
    env: {
      PATH: process.env['PATH'],
      HOME: cwd,
      GIT_CONFIG_NOSYSTEM: '1',
      GIT_AUTHOR_NAME: 'a',
      GIT_AUTHOR_EMAIL: 'a@b.c',
      GIT_COMMITTER_NAME: 'a',
      GIT_COMMITTER_EMAIL: 'a@b.c',
    },
  });
}

/** A repository in which every setting, hook and attribute that can start a program does so: it writes a file. */
export class HostileRepository {
  readonly root = tempFolder('oka-git-');
  readonly marks = join(this.root, 'marks');
  readonly #evil = join(this.root, 'evil.sh');

  constructor({ submodule = true } = {}) {
    const { root } = this;
    mkdirSync(this.marks);
    writeFileSync(this.#evil, `#!/bin/sh\necho run >> "${this.marks}/$1"\nexit 0\n`);
    chmodSync(this.#evil, 0o755);
    plainGit(root, 'init', '-q', '-b', 'main');
    writeFileSync(join(root, '.gitignore'), 'marks\nevil.sh\n');
    writeFileSync(join(root, 'a.txt'), 'one\n');
    writeFileSync(join(root, 'b.bin'), 'one\0two\n');
    plainGit(root, 'add', '.');
    plainGit(root, 'commit', '-q', '-m', 'first');
    writeFileSync(join(root, '.gitattributes'), '* filter=evil diff=evil merge=evil\n');
    writeFileSync(join(root, 'a.txt'), 'one\nthree\n');
    plainGit(root, 'add', '.');
    plainGit(root, 'commit', '-q', '-m', 'second');
    plainGit(root, 'tag', 'v1');
    if (submodule) this.#addSubmodule();
    // Same size, other content: git has to run the clean filter to compare it.
    writeFileSync(join(root, 'a.txt'), 'one\nFOUR!\n');
    this.#configure(join(root, '.git/config'));
    for (const name of [
      'pre-commit',
      'post-checkout',
      'post-index-change',
      'reference-transaction',
      'fsmonitor-watchman',
    ])
      this.#script(join(root, '.git/hooks', name), `hook-${name}`);
  }

  /** What ran, by the name of the setting that started it. */
  ran(): readonly string[] {
    return readdirSync(this.marks).sort();
  }

  /** The digest of every file of the repository. */
  digest(): string {
    const hash = createHash('sha256');
    const visit = (folder: string): void => {
      for (const name of readdirSync(folder).sort()) {
        const path = join(folder, name);
        if (path === this.marks) continue;
        if (statSync(path).isDirectory()) visit(path);
        else hash.update(`${path}\0`).update(readFileSync(path));
      }
    };
    visit(this.root);
    return hash.digest('hex');
  }

  /** Runs git without Oka, as a person would. */
  unhardened(...args: readonly string[]): void {
    spawnSync('git', args, { cwd: this.root, env: { PATH: process.env['PATH'], HOME: this.root } });
  }

  #command(name: string): string {
    return `${this.#evil} ${name}`;
  }

  #script(path: string, name: string): void {
    mkdirSync(join(path, '..'), { recursive: true });
    writeFileSync(path, `#!/bin/sh\n${this.#command(name)}\n`);
    chmodSync(path, 0o755);
  }

  #configure(file: string): void {
    const set = (name: string, value: string): void =>
      void plainGit(this.root, 'config', '--file', file, name, value);
    for (const name of [
      ...[
        'core.fsmonitor',
        'core.pager',
        'core.editor',
        'core.askPass',
        'core.sshCommand',
        'core.alternateRefsCommand',
      ],
      ...[
        'diff.external',
        'diff.evil.command',
        'diff.evil.textconv',
        'filter.evil.process',
        'merge.evil.driver',
      ],
      ...[
        'gpg.program',
        'gpg.ssh.program',
        'gpg.ssh.defaultKeyCommand',
        'pager.log',
        'pager.status',
        'credential.helper',
      ],
      ...[
        'credential.https://x.test.helper',
        'remote.origin.uploadpack',
        'interactive.diffFilter',
        'sequence.editor',
      ],
    ])
      set(name, this.#command(name.replaceAll(/[^A-Za-z.]/g, '-')));
    // `process` comes first where both are set, so a second driver has the older settings.
    for (const name of ['filter.old.clean', 'filter.old.smudge']) set(name, this.#command(name));
    for (const name of ['st', 'x']) set(`alias.${name}`, `!${this.#command(`alias-${name}`)}`);
    set('log.showSignature', 'true');
    set('status.submoduleSummary', 'true');
    set('diff.submodule', 'diff');
    set('submodule.recurse', 'true');
    set('remote.origin.url', `${this.root}/sub`);
    set('include.path', join(this.root, '.git/more'));
    writeFileSync(
      join(this.root, '.git/more'),
      `[filter "included"]\n\tclean = ${this.#command('included')}\n`,
    );
    mkdirSync(join(this.root, '.git/info'), { recursive: true });
    writeFileSync(join(this.root, '.git/info/attributes'), 'a.txt filter=old\n.gitignore filter=included\n');
    writeFileSync(join(this.root, '.gitignore'), 'marks\nevil.sh \n');
  }

  /** A submodule with settings of its own, and changes in it. */
  #addSubmodule(): void {
    const sub = join(this.root, 'sub');
    mkdirSync(sub);
    plainGit(sub, 'init', '-q', '-b', 'main');
    writeFileSync(join(sub, 'c.txt'), 'c\n');
    writeFileSync(join(sub, '.gitattributes'), '* filter=sub diff=sub\n');
    plainGit(sub, 'add', '.');
    plainGit(sub, 'commit', '-q', '-m', 'sub');
    writeFileSync(
      join(this.root, '.gitmodules'),
      `[submodule "sub"]\n\tpath = sub\n\turl = ./sub\n\tignore = none\n`,
    );
    plainGit(this.root, 'add', '.gitmodules', 'sub');
    plainGit(this.root, 'commit', '-q', '-m', 'third');
    for (const name of ['filter.sub.clean', 'diff.sub.textconv', 'core.fsmonitor'])
      plainGit(sub, 'config', name, this.#command(`sub.${name}`));
    writeFileSync(join(sub, 'c.txt'), 'd\n');
  }
}

/** Runs programs as `process.run` does. */
export function processesIn(
  workspace: string,
  sandbox: 'auto' | 'off',
): (request: Partial<ProcessRequest> & Pick<ProcessRequest, 'argv'>) => Promise<ProcessResult> {
  const processes = new WorkspaceProcesses({ workspace, toolFolders: [], sandbox, clock: systemClock });
  return (request) => processes.run({ timeoutMs: 60_000, ...request }, new AbortController().signal);
}

/** Writes a bare repository, as an agent can with `files.write` alone. */
export function plantBareRepository(folder: string, mark: string): void {
  mkdirSync(join(folder, 'refs/heads'), { recursive: true });
  mkdirSync(join(folder, 'objects'), { recursive: true });
  writeFileSync(join(folder, 'HEAD'), 'ref: refs/heads/main\n');
  writeFileSync(join(folder, 'refs/heads/.keep'), '');
  writeFileSync(join(folder, 'objects/.keep'), '');
  writeFileSync(
    join(folder, 'config'),
    `[core]\n\trepositoryformatversion = 0\n\tbare = false\n\tworktree = .\n\tfsmonitor = "touch ${mark}; false"\n`,
  );
  if (!existsSync(join(folder, 'index'))) writeFileSync(join(folder, 'notes.md'), 'x');
}
