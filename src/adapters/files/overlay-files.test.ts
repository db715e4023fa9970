import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
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
    expect(files.changes()).toEqual([
      { path: 'changed', change: 'changed', bytes: 5, bytesBefore: 7 },
      { path: 'new/file', change: 'created', bytes: 5 },
      { path: 'removed', change: 'removed', bytes: 0, bytesBefore: 7 },
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

  it('reports nothing if nothing was written', () => {
    expect(files.changes()).toEqual([]);
  });
});
