import { mkdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, it, onTestFinished } from 'vitest';
import { tempFolder } from '../support/temp-folder.ts';
import { leavesOf, treeKit } from './tree-kit.ts';

/** Watches, and waits for roots. */
async function watching(kit: ReturnType<typeof treeKit>) {
  const stop = new AbortController();
  const seen: string[] = [];
  const troubles: string[] = [];
  let wake = (): void => undefined;
  let onReady = (): void => undefined;
  const ready = new Promise<void>((resolve) => {
    onReady = resolve;
  });
  const ended = kit.tree.watch({
    by: 'test',
    signal: stop.signal,
    onReady,
    onChange: ({ root, changes }) => {
      seen.push(root, ...changes.map(({ path }) => path));
      wake();
    },
    onWarning: (what) => troubles.push(what),
  });
  onTestFinished(async () => {
    stop.abort();
    await ended;
  });
  await ready;
  const until = async (isThere: () => Promise<boolean> | boolean): Promise<void> => {
    while (!(await isThere()))
      await new Promise<void>((resolve) => {
        wake = resolve;
      });
  };
  return { seen, troubles, until, stop, ended };
}

describe('a watch', () => {
  it('brings every kind of edit into the tree without a scan', async () => {
    const kit = treeKit(tempFolder('watch-'));
    kit.write({ 'a/b/one.txt': '1', 'a/two.txt': '2', '.gitignore': '*.log\n', '.git/info/exclude': '' });
    const { until, seen, troubles } = await watching(kit);
    const has = (path: string) => async () => (await leavesOf(kit.tree)).includes(path);
    kit.write({ 'a/b/one.txt': 'changed' });
    await until(() => seen.includes('a/b/one.txt'));
    kit.write({ 'new/deep/file.txt': '3', 'new/deep/x.log': 'n' });
    await until(has('new/deep/file.txt'));
    renameSync(join(kit.workspace, 'new'), join(kit.workspace, 'moved'));
    await until(has('moved/deep/file.txt'));
    rmSync(join(kit.workspace, 'a'), { recursive: true });
    await until(async () => !(await has('a/two.txt')()));
    writeFileSync(join(kit.workspace, '.gitignore'), '');
    await until(has('moved/deep/x.log'));
    writeFileSync(join(kit.workspace, '.git/info/exclude'), '*.log\n');
    await until(async () => !(await has('moved/deep/x.log')()));
    const { root } = await kit.tree.treeStatus();
    expect(await kit.scan({ force: true })).toBe(root);
    expect(await kit.tree.faults()).toEqual([]);
    expect(troubles).toEqual([]);
  });

  it('also reports changes that another process found first', async () => {
    const kit = treeKit(tempFolder('watch-'));
    kit.write({ 'a/one.txt': '1', 'two.txt': '2' });
    const other = treeKit(kit.workspace);
    const { until, seen, troubles } = await watching(kit);
    kit.write({ 'a/one.txt': 'changed' });
    const root = await other.scan();
    await until(() => seen.includes('a/one.txt'));
    expect(seen).toContain(root);
    expect(seen).not.toContain('two.txt');
    expect(troubles).toEqual([]);
  });

  it('stops on request', async () => {
    const kit = treeKit(tempFolder('watch-'));
    const { stop, ended } = await watching(kit);
    stop.abort();
    await expect(ended).resolves.toBeUndefined();
  });
});

describe('an update of some folders', () => {
  const name = fc.constantFrom('a', 'b', 'c');
  const path = fc.array(name, { minLength: 1, maxLength: 3 }).map((names) => names.join('/'));
  const edit = fc.record({
    kind: fc.constantFrom('write', 'remove', 'folder', 'ignored'),
    path,
    text: fc.constantFrom('1', '2', '3'),
  });

  it('produces the same tree as a full scan', async () => {
    const kit = treeKit(tempFolder('update-'));
    kit.write({ '.gitignore': 'c/b\n' });
    await kit.scan();
    const inside = (place: string): string => join(kit.workspace, place);
    await fc.assert(
      fc.asyncProperty(fc.array(edit, { minLength: 1, maxLength: 8 }), async (edits) => {
        const folders = new Set<string>();
        for (const { kind, path: place, text } of edits) {
          folders.add(place.split('/').slice(0, -1).join('/'));
          try {
            if (kind === 'remove') rmSync(inside(place), { recursive: true, force: true });
            else if (kind === 'folder') mkdirSync(inside(place));
            else writeFileSync(inside(place), text);
          } catch {
            // What does not fit beside what is there is not done.
          }
        }
        const updated = await kit.tree.update({ by: 'test', folders });
        expect(await kit.tree.faults()).toEqual([]);
        expect(await kit.scan({ force: true })).toBe(updated.root);
      }),
      { numRuns: 25, seed: 11 },
    );
  });

  it('reads only the folder of the edit', async () => {
    const kit = treeKit();
    kit.write({ 'a/b/one': '1', 'a/c/two': '2', 'd/three': '3' });
    await kit.scan();
    kit.write({ 'a/b/one': 'x', 'd/three': 'x' });
    const outcome = await kit.tree.update({ by: 'test', folders: new Set(['a/b']) });
    expect(
      outcome.delta
        .changes()
        .map(({ path }) => path)
        .sort(),
    ).toEqual(['', 'a', 'a/b', 'a/b/one']);
    expect(outcome.read).toBe(1);
  });
});
