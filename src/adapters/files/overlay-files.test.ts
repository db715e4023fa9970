import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
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
});
