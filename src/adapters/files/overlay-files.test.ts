import { mkdir, mkdtemp, readdir, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { filesConformance } from './files.conformance.ts';
import { OverlayFiles } from './overlay-files.ts';
import { WorkspaceFiles } from './workspace-files.ts';

filesConformance('OverlayFiles', (root) => new OverlayFiles(new WorkspaceFiles(root)));
filesConformance(
  'OverlayFiles over OverlayFiles',
  (root) => new OverlayFiles(new OverlayFiles(new WorkspaceFiles(root))),
);

describe('OverlayFiles', () => {
  let root: string;
  let files: OverlayFiles;

  beforeEach(async () => {
    root = await mkdtemp(join(tmpdir(), 'oka-overlay-'));
    for (const name of ['changed', 'removed', 'same']) await writeFile(join(root, name), name);
    files = new OverlayFiles(new WorkspaceFiles(root));
  });
  afterEach(() => rm(root, { recursive: true, force: true }));

  it('reports the changes and leaves the base unchanged', async () => {
    await files.writeAtomic('changed', 'other');
    await files.writeAtomic('new/file', 'fresh');
    await files.writeAtomic('same', 'other');
    await files.writeAtomic('same', 'same');
    await files.writeAtomic('passing', 'x');
    await files.remove('passing');
    await files.remove('removed');
    expect(await files.changes()).toEqual([
      { path: 'changed', change: 'changed', bytes: 5, bytesBefore: 7, diff: expect.any(String) },
      { path: 'new/file', change: 'created', bytes: 5, diff: expect.any(String) },
      { path: 'removed', change: 'removed', bytes: 0, bytesBefore: 7, diff: expect.any(String) },
    ]);
    expect((await readdir(root)).sort()).toEqual(['changed', 'removed', 'same']);
    expect(await readFile(join(root, 'changed'), 'utf8')).toBe('changed');
  });

  it('copies what is written and read', async () => {
    const bytes = Uint8Array.of(1, 2);
    await files.writeAtomic('bytes', bytes);
    bytes[0] = 9;
    (await files.read('bytes')).content[1] = 9;
    expect([...(await files.read('bytes')).content]).toEqual([1, 2]);
  });

  it('reports nothing if nothing was written', async () => {
    expect(await files.changes()).toEqual([]);
  });

  it('reports one unified diff per text file against the base, over all writes', async () => {
    await writeFile(join(root, 'lines'), 'one\ntwo\nthree\n');
    await files.writeAtomic('lines', 'one\n2\nthree\n');
    await files.writeAtomic('lines', 'one\n2\nthree\nfour\n');
    await files.writeAtomic('fresh', 'a\n');
    await files.writeAtomic('bytes', Uint8Array.of(0, 1));
    const diffs = new Map((await files.changes()).map(({ path, diff }) => [path, diff]));
    expect(diffs.get('lines')).toBe(
      '--- a/lines\n+++ b/lines\n@@ -1,3 +1,4 @@\n one\n-two\n+2\n three\n+four\n',
    );
    expect(diffs.get('fresh')).toBe('--- /dev/null\n+++ b/fresh\n@@ -0,0 +1,1 @@\n+a\n');
    expect(diffs.get('bytes')).toBeUndefined();
  });

  it('reports removed and created folders', async () => {
    await mkdir(join(root, 'empty'));
    await files.remove('empty');
    await files.makeFolder('made');
    expect(await files.changes()).toEqual([
      { path: 'empty', change: 'removed', bytes: 0, folder: true },
      { path: 'made', change: 'created', bytes: 0, folder: true },
    ]);
  });

  const file = (text: string) => ({ kind: 'file', content: Buffer.from(text), mode: 0o644 }) as const;

  it('hides what the base has below a folder that became a link, a file or nothing', async () => {
    for (const name of ['link', 'file', 'gone', 'other']) {
      await mkdir(join(root, name));
      await writeFile(join(root, name, 'inner'), name);
      if (name !== 'other') await files.place(`${name}/inner`, undefined);
    }
    await files.place('link', { kind: 'link', target: 'other' });
    await files.place('file', file('now a file'));
    await files.place('gone', undefined);
    expect(Buffer.from((await files.read('link/inner')).content).toString()).toBe('other');
    expect((await files.list('link', { depth: 1, max: 9 })).path).toBe('other');
    expect(await files.stat('file/inner')).toBeUndefined();
    expect(await files.stat('gone/inner')).toBeUndefined();
    await expect(files.read('file/inner')).rejects.toMatchObject({ code: 'files.not_a_folder' });
    await expect(files.list('gone', { depth: 1, max: 9 })).rejects.toMatchObject({ code: 'files.not_found' });
  });

  it('hides where a link of the base leads once a folder, or nothing, takes its place', async () => {
    await mkdir(join(root, 'target'));
    await writeFile(join(root, 'target', 'inner'), 'target');
    for (const name of ['folder', 'gone']) await symlink('target', join(root, name));
    await files.place('folder', { kind: 'folder', mode: 0o700 });
    await files.writeAtomic('folder/inner', 'own');
    await files.place('gone', undefined);
    expect(Buffer.from((await files.read('target/inner')).content).toString()).toBe('target');
    expect((await files.list('folder', { depth: 1, max: 9 })).entries.map(({ path }) => path)).toEqual([
      'folder/inner',
    ]);
    expect(await files.state('folder')).toEqual({ kind: 'folder', mode: 0o700 });
    await expect(files.read('gone/inner')).rejects.toMatchObject({ code: 'files.not_found' });
    await files.writeAtomic('gone/inner', 'made');
    expect((await files.stat('gone'))?.kind).toBe('directory');
  });

  it('keeps the files of a folder whose permissions change, and takes a whole folder from the disk', async () => {
    await mkdir(join(root, 'folder'), { mode: 0o755 });
    await writeFile(join(root, 'folder', 'inner'), 'x');
    await files.place('folder', { kind: 'folder', mode: 0o700 });
    await files.place('copy', { kind: 'folder', mode: 0o755, from: join(root, 'folder') });
    const { entries } = await files.list('.', { depth: 2, max: 99 });
    expect(entries.map(({ path }) => path)).toEqual(expect.arrayContaining(['copy/inner', 'folder/inner']));
    expect((await files.changes()).map(({ path, change }) => [path, change])).toEqual([
      ['copy/inner', 'created'],
      ['folder', 'changed'],
    ]);
  });

  it('replaces a folder only if it is empty, and never follows a link out of the workspace', async () => {
    await mkdir(join(root, 'full'));
    await writeFile(join(root, 'full', 'inner'), 'x');
    await expect(files.place('full', undefined)).rejects.toMatchObject({ code: 'files.not_a_file' });
    for (const target of ['/etc', '../..']) {
      await files.place('out', { kind: 'link', target });
      await expect(files.read('out/passwd')).rejects.toMatchObject({ code: 'files.outside_workspace' });
    }
    await files.place('round', { kind: 'link', target: 'round' });
    await expect(files.read('round/x')).rejects.toMatchObject({ code: 'files.not_a_file' });
  });

  it('changes the metadata of a repository only for git, and lists it as one change', async () => {
    await mkdir(join(root, '.git'));
    await expect(files.place('.git/HEAD', file('x'))).rejects.toMatchObject({ code: 'files.protected' });
    for (const name of ['HEAD', 'index']) await files.place(`.git/${name}`, file(name), { repository: true });
    expect(await files.state('.git/HEAD', { repository: true })).toMatchObject({ kind: 'file', bytes: 4 });
    expect((await files.list('.', { depth: 3, max: 99 })).entries.map(({ path }) => path)).not.toContain(
      '.git',
    );
    expect(await files.changes()).toEqual([{ path: '.git', change: 'changed', bytes: 9, folder: true }]);
    expect(await readdir(join(root, '.git'))).toEqual([]);
  });
});
