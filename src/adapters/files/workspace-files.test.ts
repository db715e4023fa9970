import { execFileSync } from 'node:child_process';
import {
  chmod,
  link,
  mkdir,
  mkdtemp,
  readdir,
  readFile,
  realpath,
  rename,
  rm,
  stat,
  symlink,
  writeFile,
} from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { filesConformance } from './files.conformance.ts';
import { OPEN_FILES, PinnedFolder } from './pinned-folder.ts';
import { WorkspaceFiles } from './workspace-files.ts';

filesConformance('WorkspaceFiles', (root) => new WorkspaceFiles(root));
filesConformance(
  'WorkspaceFiles without a list of open files',
  (root) => new WorkspaceFiles(root, '/nowhere'),
);

describe('WorkspaceFiles', () => {
  let root: string;
  let files: WorkspaceFiles;

  beforeEach(async () => {
    root = await realpath(await mkdtemp(join(tmpdir(), 'oka-files-')));
    files = new WorkspaceFiles(root);
  });
  afterEach(() => rm(root, { recursive: true, force: true }));

  it('keeps the permissions of a replaced file, and leaves nothing else behind', async () => {
    await writeFile(join(root, 'run.sh'), 'old');
    await chmod(join(root, 'run.sh'), 0o754);
    await files.writeAtomic('run.sh', 'new');
    expect((await stat(join(root, 'run.sh'))).mode & 0o777).toBe(0o754);
    expect(await readFile(join(root, 'run.sh'), 'utf8')).toBe('new');
    expect(await readdir(root)).toEqual(['run.sh']);
  });

  it('replaces only the name, so that a hard link keeps the old content', async () => {
    await writeFile(join(root, 'one'), 'old');
    await link(join(root, 'one'), join(root, 'two'));
    await files.writeAtomic('one', 'new');
    expect(await readFile(join(root, 'two'), 'utf8')).toBe('old');
  });

  it('keeps the old file and leaves no temporary file if writing fails', async () => {
    await writeFile(join(root, 'kept'), 'old');
    const notBytes = { length: 1 } as unknown as Uint8Array;
    await expect(files.writeAtomic('kept', notBytes)).rejects.toThrow();
    expect(await readFile(join(root, 'kept'), 'utf8')).toBe('old');
    expect(await readdir(root)).toEqual(['kept']);
  });

  it('rejects pipes and sockets without blocking', async () => {
    execFileSync('sh', ['-c', 'mkfifo "$0"', join(root, 'pipe')]);
    const server = createServer().listen(join(root, 'socket'));
    await new Promise((resolve) => server.once('listening', resolve));
    try {
      for (const path of ['pipe', 'socket']) {
        await expect(files.read(path)).rejects.toMatchObject({ code: 'files.not_a_file' });
        await expect(files.writeAtomic(path, 'x')).rejects.toMatchObject({ code: 'files.not_a_file' });
        expect(await files.stat(path)).toMatchObject({ kind: 'other' });
      }
    } finally {
      await new Promise((resolve) => server.close(resolve));
    }
  });

  it('works in a workspace behind a link, by both of its names', async () => {
    const alias = `${root}-alias`;
    await symlink(root, alias);
    try {
      await writeFile(join(root, 'a.txt'), 'a');
      const through = new WorkspaceFiles(alias);
      expect((await through.read(join(alias, 'a.txt'))).path).toBe('a.txt');
      expect((await through.read(join(root, 'a.txt'))).path).toBe('a.txt');
      expect((await through.writeAtomic('b/c.txt', 'c')).path).toBe('b/c.txt');
    } finally {
      await rm(alias);
    }
  });

  it('reports a missing workspace, and accepts names with dots', async () => {
    await files.writeAtomic('..a/...', 'dots');
    expect((await files.read('..a/...')).bytes).toBe(4);
    await rm(root, { recursive: true });
    await expect(files.list('.', { depth: 1, max: 1 })).rejects.toMatchObject({ code: 'files.not_found' });
  });

  it('explains what failed, with which path, and what to do', async () => {
    await expect(files.read('absent.txt')).rejects.toThrow(
      '"absent.txt" does not exist. List existing files with files.list.',
    );
    await expect(files.read('a\u202eb')).rejects.toMatchObject({ data: { path: 'a�b' } });
    await expect(files.read('x'.repeat(300))).rejects.toMatchObject({ code: 'files.invalid_path' });
  });

  it('keeps the opened folder if another one replaces it', async () => {
    await mkdir(join(root, 'inner'));
    await writeFile(join(root, 'inner/a.txt'), 'inside');
    const held = await PinnedFolder.open({ path: root, openFiles: OPEN_FILES }, 'inner');
    await rename(join(root, 'inner'), join(root, 'moved'));
    await symlink('/etc', join(root, 'inner'));
    try {
      expect(await readFile(held.at('a.txt'), 'utf8')).toBe('inside');
      await expect(readFile(held.at('passwd'))).rejects.toMatchObject({ code: 'ENOENT' });
    } finally {
      await held.close();
    }
  });

  it('detects a replaced folder without a list of open files', async () => {
    await mkdir(join(root, 'inner'));
    const held = await PinnedFolder.open({ path: root, openFiles: '/nowhere' }, 'inner');
    await rename(join(root, 'inner'), join(root, 'moved'));
    await symlink('/etc', join(root, 'inner'));
    try {
      await expect(held.openFile('passwd', 0)).rejects.toMatchObject({ code: 'files.outside_workspace' });
    } finally {
      await held.close();
    }
  });

  it.runIf(process.getuid?.() !== 0)('reports denied access, and lists the rest', async () => {
    await files.writeAtomic('locked/a.txt', 'a');
    await files.writeAtomic('open/b.txt', 'b');
    await writeFile(join(root, 'read-only'), 'x', { mode: 0o444 });
    await chmod(join(root, 'locked'), 0);
    try {
      await expect(files.read('locked/a.txt')).rejects.toMatchObject({ code: 'files.denied' });
      await expect(files.writeAtomic('read-only', 'y')).rejects.toMatchObject({ code: 'files.denied' });
      const listing = await files.list('.', { depth: 3, max: 99 });
      expect(listing.unreadable).toEqual(['locked']);
      const walked = [];
      for await (const entry of files.walk('.')) walked.push(`${entry.kind} ${entry.path}`);
      expect(walked).toEqual(['directory locked', 'file open/b.txt', 'file read-only']);
    } finally {
      await chmod(join(root, 'locked'), 0o700);
    }
  });
});
