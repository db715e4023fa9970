import { execFileSync } from 'node:child_process';
import {
  chmodSync,
  closeSync,
  cpSync,
  mkdirSync,
  openSync,
  renameSync,
  rmSync,
  truncateSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { pathBytes } from '../../src/context/index.ts';
import { digestOf } from '../../src/kernel/index.ts';
import { tempFolder } from '../support/temp-folder.ts';
import { leavesOf, treeKit, writeDeep } from './tree-kit.ts';

const FILES = { 'a/one.txt': '1', 'a/b/two.txt': '2', 'c.txt': '3', link: '->a/one.txt', 'a/loop': '->..' };
const scan = { force: false, by: 'test' } as const;

describe('a scan', () => {
  it('gives the same tree the same ids in another folder and for any order of files', async () => {
    const [one, other] = [treeKit(tempFolder('one ')), treeKit(tempFolder('other '))];
    one.write(FILES);
    other.write(Object.fromEntries(Object.entries(FILES).reverse()));
    expect(await other.scan()).toBe(await one.scan());
    for (const path of ['', 'a', 'a/b/two.txt', 'link'])
      expect(await other.tree.scanned().node(path)).toEqual(await one.tree.scanned().node(path));
  });

  it('gives another root for another content, name, place, executable bit or target', async () => {
    const kit = treeKit();
    kit.write(FILES);
    const roots = new Set([await kit.scan()]);
    const change = async (work: () => void): Promise<void> => {
      work();
      roots.add(await kit.scan());
    };
    await change(() => writeFileSync(join(kit.workspace, 'c.txt'), '4'));
    await change(() => renameSync(join(kit.workspace, 'c.txt'), join(kit.workspace, 'd.txt')));
    await change(() => renameSync(join(kit.workspace, 'd.txt'), join(kit.workspace, 'a/d.txt')));
    await change(() => chmodSync(join(kit.workspace, 'a/d.txt'), 0o755));
    await change(() => rmSync(join(kit.workspace, 'link')));
    await change(() => kit.write({ link: '->elsewhere' }));
    await change(() => mkdirSync(join(kit.workspace, 'empty')));
    expect(roots.size).toBe(8);
  });

  it('records links and never follows them', async () => {
    const kit = treeKit();
    const outside = tempFolder('outside ');
    writeFileSync(join(outside, 'secret'), 's');
    kit.write({ ...FILES, out: `->${outside}` });
    await kit.scan();
    expect(await kit.tree.scanned().node('out')).toMatchObject({ kind: 'link', target: outside });
    expect(await leavesOf(kit.tree)).toEqual(['a/b/two.txt', 'a/loop', 'a/one.txt', 'c.txt', 'link', 'out']);
  });

  it('reports special files and continues', async () => {
    const kit = treeKit();
    kit.write(FILES);
    execFileSync('mkfifo', [join(kit.workspace, 'pipe')]);
    const server = createServer().listen(join(kit.workspace, 'a', 'socket'));
    await new Promise((resolve) => server.once('listening', resolve));
    const first = await kit.tree.scan(scan);
    const again = await kit.tree.scan(scan);
    server.close();
    const why = 'it is neither a file, a folder nor a link';
    const left = [
      { path: 'a/socket', why },
      { path: 'pipe', why },
    ];
    expect(first.skipped).toEqual(left);
    expect(again).toMatchObject({ skipped: left, root: first.root });
  });

  it('accepts names with newlines, backslashes and invalid bytes, and gives each its own path', async () => {
    const kit = treeKit();
    const names = ['new\nline', 'back\\slash', 'wi\xffld', 'h\xc3\xbcbsch', '\\xff', ' ', 'x\xc3'];
    for (const name of names)
      writeFileSync(Buffer.concat([Buffer.from(`${kit.workspace}/`), Buffer.from(name, 'latin1')]), name);
    const { added, skipped } = await kit.tree.scan(scan);
    expect({ added, skipped }).toEqual({ added: names.length, skipped: [] });
    const leaves = await leavesOf(kit.tree);
    expect(leaves.map(pathBytes).sort()).toEqual([...names].sort());
    expect(leaves).toContain('hübsch');
    expect(leaves).toContain('wi\\xffld');
  });

  it('reaches files on paths that are too long for the system', async () => {
    const kit = treeKit(tempFolder('deep-'));
    const path = writeDeep(kit.workspace, 220);
    expect(path.length).toBeGreaterThan(4_096);
    expect(await kit.tree.scan(scan)).toMatchObject({ added: 1, skipped: [] });
    expect(await kit.tree.scanned().node(path)).toMatchObject({ kind: 'file', size: 2 });
    execFileSync('rm', ['-rf', join(kit.workspace, path.slice(0, path.indexOf('/')))]);
    expect(await kit.tree.scan(scan)).toMatchObject({ removed: 1 });
  });

  it.skipIf(process.getuid?.() === 0)(
    'reports a folder that it may not enter, and includes it once it may',
    async () => {
      const kit = treeKit();
      kit.write({ 'open/a': '1', 'shut/b': '2' });
      chmodSync(join(kit.workspace, 'shut'), 0);
      const shut = await kit.tree.scan(scan);
      chmodSync(join(kit.workspace, 'shut'), 0o755);
      expect(shut.skipped).toEqual([{ path: 'shut', why: 'it may not be read; check its permissions' }]);
      expect(await leavesOf(kit.tree)).toEqual(['open/a']);
      await kit.scan();
      expect(await leavesOf(kit.tree)).toEqual(['open/a', 'shut/b']);
    },
  );

  it('streams a file that is larger than its buffer', async () => {
    const kit = treeKit();
    const file = join(kit.workspace, 'large');
    closeSync(openSync(file, 'w'));
    truncateSync(file, 5_000_001);
    await kit.scan();
    expect(await kit.tree.scanned().node('large')).toMatchObject({
      size: 5_000_001,
      contentHash: digestOf(new Uint8Array(5_000_001)),
    });
  });

  it('never has .git or .oka in the tree, at any depth', async () => {
    const kit = treeKit();
    kit.write({ '.git/config': 'x', 'a/.git': 'gitdir: elsewhere', 'a/.oka/x': 'y', 'a/z': '1' });
    await kit.scan();
    expect(await leavesOf(kit.tree)).toEqual(['a/z']);
  });

  it('obeys .okaignore as well as .gitignore, which it may override', async () => {
    const kit = treeKit();
    kit.write({ '.gitignore': '*.log\n', '.okaignore': '!keep.log\nprivate/\n' });
    kit.write({ 'a.log': '1', 'keep.log': '2', 'private/x': '3', 'b/private/y': '4', 'b/z': '5' });
    await kit.scan();
    expect(await leavesOf(kit.tree)).toEqual(['.gitignore', '.okaignore', 'b/z', 'keep.log']);
  });

  it('finds files that an edited ignore file includes or excludes, also far below it', async () => {
    const kit = treeKit();
    kit.write({ '.gitignore': '*.tmp\n', 'a/b/x.tmp': '1', 'a/b/y.txt': '2' });
    await kit.scan();
    writeFileSync(join(kit.workspace, '.gitignore'), '*.txt\n');
    await kit.scan();
    expect(await leavesOf(kit.tree)).toEqual(['.gitignore', 'a/b/x.tmp']);
  });
});

describe('a scan after another', () => {
  /** Makes everything old enough that it need not be read again. */
  async function settled(kit: ReturnType<typeof treeKit>): Promise<void> {
    await kit.scan();
    while ((await kit.tree.scan(scan)).read > 0);
  }

  it('reads nothing and records nothing when nothing changed', async () => {
    const kit = treeKit();
    kit.write(FILES);
    await settled(kit);
    const { seq } = await kit.ledger.store.head();
    expect(await kit.tree.scan(scan)).toMatchObject({
      added: 0,
      changed: 0,
      removed: 0,
      unchanged: 5,
      read: 0,
    });
    expect((await kit.ledger.store.head()).seq).toBe(seq);
  });

  it('reports an ignore file that is too large to apply, in every scan', async () => {
    const kit = treeKit(tempFolder());
    kit.write({ '.gitignore': `*.log\n${'#'.repeat(4 * 1_048_576)}`, 'a.log': '1', 'src/b.txt': '2' });
    const told = [{ path: '.gitignore', why: 'it is larger than 4 MiB, so its rules do not count' }];
    expect((await kit.tree.scan({ force: false, by: 'test' })).skipped).toEqual(told);
    expect((await kit.tree.scan({ force: false, by: 'test' })).skipped).toEqual(told);
    expect(await leavesOf(kit.tree)).toContain('a.log');
    kit.write({ '.gitignore': '*.log\n' });
    expect((await kit.tree.scan({ force: false, by: 'test' })).skipped).toEqual([]);
    expect(await leavesOf(kit.tree)).toEqual(['.gitignore', 'src/b.txt']);
  });

  it('finds the same tree in one scan as folder by folder', async () => {
    const [grown, atOnce] = [treeKit(tempFolder()), treeKit(tempFolder())];
    const files: Record<string, string> = {
      '.gitignore': '*.log\nleft\n',
      'part-1/odd/back\\slash/x.txt': 'x',
      'part-2/ruled/.gitignore': '*.skip\n',
      'part-2/ruled/deep/a.skip': 'left out',
      'part-2/ruled/deep/b.txt': 'b',
      'part-3/linked/link': '->../..',
      'part-3/linked/deep/c.txt': 'c',
    };
    for (let i = 0; i < 150; i++) {
      files[`part-${i % 10}/folder ü ${i}/deep/file-${i}.txt`] = `content ${i}`;
      files[`part-${i % 10}/folder ü ${i}/x.log`] = 'left out';
      files[`part-${i % 10}/left/${i}.txt`] = 'left out';
    }
    const all = Object.entries(files);
    for (let from = 0; from < all.length; from += 60) {
      grown.write(Object.fromEntries(all.slice(from, from + 60)));
      await grown.scan();
    }
    atOnce.write(files);
    expect(await atOnce.scan()).toBe(await grown.scan());
    expect(await atOnce.tree.faults()).toEqual([]);
    expect(await leavesOf(atOnce.tree)).toEqual(await leavesOf(grown.tree));
    expect((await leavesOf(atOnce.tree)).length).toBe(156);
    expect(await atOnce.tree.treeStatus()).toEqual(await grown.tree.treeStatus());
  });

  it.each<[string, (kit: ReturnType<typeof treeKit>) => void]>([
    ['both changed', (kit) => kit.write({ 'a/0': 'first', 'a/b/x': '2', 'a/b/new/y': '3' })],
    ['the inner one is gone', ({ workspace }) => rmSync(join(workspace, 'a/b'), { recursive: true })],
    [
      'the inner one is a file',
      ({ workspace }) => {
        rmSync(join(workspace, 'a/b'), { recursive: true });
        writeFileSync(join(workspace, 'a/b'), 'file');
      },
    ],
    ['the inner one is ignored', (kit) => kit.write({ 'a/.gitignore': 'b/\n' })],
    [
      'the inner one was replaced',
      (kit) => {
        renameSync(join(kit.workspace, 'a/b'), join(kit.workspace, 'a/old'));
        kit.write({ 'a/b/c/other': '5' });
      },
    ],
    ['rules of the outer one exclude files below', (kit) => kit.write({ 'a/.gitignore': 'z\n' })],
  ])('of a folder and one inside it finds the same as a full scan when %s', async (_, change) => {
    const kit = treeKit();
    kit.write({ 'a/b/c/z': '1', 'a/d/z': '2', 'e/z': '3', 'a/1': '4' });
    await settled(kit);
    change(kit);
    const folders = new Set(['a/b/c', 'a/b/c/unknown/deep', 'a/b', 'a', 'e']);
    const { root } = await kit.tree.update({ by: 'test', folders });
    expect(await kit.tree.faults()).toEqual([]);
    expect(await kit.scan()).toBe(root);
    expect(await kit.scan({ force: true })).toBe(root);
    expect(await kit.tree.roots(10)).toHaveLength(2);
  });

  it('reads only the changed file, and changes only it and its ancestors', async () => {
    const kit = treeKit();
    kit.write(
      Object.fromEntries(Array.from({ length: 300 }, (_, i) => [`d${i % 17}/e${i % 5}/f${i}`, `${i}`])),
    );
    await settled(kit);
    kit.write({ 'd3/e0/f20': 'other' });
    const changed: string[] = [];
    kit.tree.onChange(({ changes }) => changed.push(...changes.map(({ path }) => path)));
    expect(await kit.tree.scan(scan)).toMatchObject({ changed: 1, added: 0, read: 1 });
    expect(changed.sort()).toEqual(['', 'd3', 'd3/e0', 'd3/e0/f20']);
  });

  it('finds a change of the same size and time', async () => {
    const kit = treeKit();
    kit.write({ a: 'first' });
    const file = join(kit.workspace, 'a');
    utimesSync(file, 1_000, 1_000);
    await settled(kit);
    kit.write({ a: 'other' });
    utimesSync(file, 1_000, 1_000);
    expect(await kit.tree.scan(scan)).toMatchObject({ changed: 1 });
  });

  it('finds every change of a file that is written faster than the file system clock ticks', async () => {
    const kit = treeKit();
    const roots = new Set<string>();
    for (let i = 10; i < 40; i++) {
      kit.write({ a: `${i}` });
      roots.add(await kit.scan());
    }
    expect(roots.size).toBe(30);
  });

  it('reports no change for a file rewritten with the same content', async () => {
    const kit = treeKit();
    kit.write({ a: 'same' });
    const root = await kit.scan();
    kit.write({ a: 'same' });
    expect(await kit.tree.scan(scan)).toMatchObject({ root, changed: 0, unchanged: 1, read: 1 });
  });

  it('reads everything with force, and finds the same tree', async () => {
    const kit = treeKit();
    kit.write(FILES);
    const root = await kit.scan();
    expect(await kit.tree.scan({ force: true, by: 'test' })).toMatchObject({ root, read: 3, changed: 0 });
  });

  it('finds the same root when the index is missing or damaged', async () => {
    const kit = treeKit();
    kit.write(FILES);
    const root = await kit.scan();
    kit.tree.close();
    const cache = join(kit.workspace, '.oka/run/context-nodes.db');
    for (const tail of ['', '-wal', '-shm']) rmSync(cache + tail, { force: true });
    writeFileSync(cache, 'no database at all'.repeat(100));
    expect(await kit.scan()).toBe(root);
    expect(await kit.tree.roots(10)).toHaveLength(1);
  });

  it('turns a folder into a file and back, and leaves nothing of either behind', async () => {
    const kit = treeKit();
    kit.write({ 'a/b/c': '1', z: '2' });
    const root = await kit.scan();
    const status = await kit.tree.treeStatus();
    rmSync(join(kit.workspace, 'a'), { recursive: true });
    kit.write({ a: 'file' });
    await kit.scan();
    expect(await leavesOf(kit.tree)).toEqual(['a', 'z']);
    expect(await kit.tree.faults()).toEqual([]);
    rmSync(join(kit.workspace, 'a'));
    kit.write({ 'a/b/c': '1' });
    expect(await kit.scan()).toBe(root);
    expect(await kit.tree.treeStatus()).toEqual(status);
    expect(await kit.tree.faults()).toEqual([]);
  });

  it('is isolated from other workspaces', async () => {
    const kit = treeKit();
    kit.write(FILES);
    const root = await kit.scan();
    const copy = tempFolder('copy ');
    cpSync(kit.workspace, copy, { recursive: true, filter: (path) => !path.includes('.oka') });
    const other = treeKit(copy);
    expect((await other.tree.treeStatus()).root).toBeNull();
    other.write({ more: 'x' });
    expect(await other.scan()).not.toBe(root);
    expect(await kit.scan()).toBe(root);
  });
});
