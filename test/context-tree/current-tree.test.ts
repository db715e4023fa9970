import { appendFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { openNodeIndex } from '../../src/adapters/sqlite/index.ts';
import { scanWorkspace } from '../../src/adapters/workspace-tree/index.ts';
import { CurrentTree } from '../../src/context/index.ts';
import { ManualClock } from '../support/manual-clock.ts';
import { tempFolder } from '../support/temp-folder.ts';
import { treeKit } from './tree-kit.ts';

/** A scanned workspace, and a reading of it that compares at most so much. */
async function scanned(limit: { readonly entries: number; readonly bytes: number }) {
  const clock = new ManualClock();
  const kit = treeKit(tempFolder(), clock);
  kit.write({ 'a.txt': 'a', 'big/1.txt': '1', 'big/2.txt': '2', 'big/3.txt': '3', 'small/4.txt': '4' });
  await kit.scan();
  const since = clock.now();
  const index = openNodeIndex(join(kit.workspace, '.oka/run/context-nodes.db'));
  if (index === undefined) throw new Error('the scan left no index');
  onTestFinished(() => index.close());
  const folder = kit.workspace;
  const reading = () =>
    new CurrentTree({
      ...{ folder, index, limit },
      walk: (own, scope) => scanWorkspace({ workspace: folder, index: own, scope, now: 0 }),
    });
  return { ...kit, since, reading };
}

describe('a reading that may compare little', () => {
  it('tells a folder with more in it as unchecked since the last scan, and with it the folders above', async () => {
    const { reading, since, workspace, tree } = await scanned({ entries: 2, bytes: 1_000 });
    const known = await tree.scanned().node('big');
    appendFileSync(join(workspace, 'big/1.txt'), 'changed');
    expect(await reading().unchecked('big')).toEqual({ since });
    expect(await reading().node('big')).toEqual(known);
    expect(await reading().unchecked('')).toEqual({ since });
    expect(await reading().unchecked('small')).toBeUndefined();
  });

  it('compares a file in such a folder, without reading the files next to it', async () => {
    const { reading, workspace, tree } = await scanned({ entries: 2, bytes: 10 });
    writeFileSync(join(workspace, 'big/1.txt'), 'changed');
    writeFileSync(join(workspace, 'big/new.txt'), 'more than ten bytes');
    const now = reading();
    expect(await now.unchecked('big/1.txt')).toBeUndefined();
    const version = (await now.node('big/1.txt'))?.id;
    await tree.scan({ force: false, by: 'test' });
    expect(version).toBe((await tree.scanned().node('big/1.txt'))?.id);
  });

  it('tells a changed file as unchecked that has more bytes than it may read', async () => {
    const { reading, since, workspace } = await scanned({ entries: 10, bytes: 10 });
    writeFileSync(join(workspace, 'a.txt'), 'more than ten bytes');
    expect(await reading().unchecked('a.txt')).toEqual({ since });
    expect(await reading().unchecked('small/4.txt')).toBeUndefined();
  });

  it('finds what is new, and misses what is gone, with the folder that held it', async () => {
    const { reading, workspace, write } = await scanned({ entries: 100, bytes: 1_000 });
    write({ 'new/er/5.txt': '5' });
    expect(await reading().node('new/er/5.txt')).toMatchObject({ kind: 'file' });
    expect(await reading().unchecked('new')).toBeUndefined();
    rmSync(join(workspace, 'big'), { recursive: true });
    expect(await reading().node('big/1.txt')).toBeUndefined();
    expect(await reading().unchecked('big/1.txt')).toBeUndefined();
    expect((await reading().children('')).map(({ name }) => name)).toEqual(['a.txt', 'new', 'small']);
  });
});
