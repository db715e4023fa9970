import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { digestOf } from '../../kernel/index.ts';
import { fileNodeId, linkNodeId } from './node-ids.ts';
import { PackedFolder } from './packed-folder.ts';
import { decodeDelta, joinDeltas, reverseDelta, TreeDelta } from './tree-delta.ts';
import type { NodeChange } from './types.ts';

type Tree = Readonly<Record<string, string>>;

const tree: fc.Arbitrary<Tree> = fc.dictionary(
  fc.constantFrom('a', 'b', 'c/d', 'é\n'),
  fc.constantFrom('1', '2', '3'),
);

function between(from: Tree, to: Tree): readonly NodeChange[] {
  const paths = [...new Set([...Object.keys(from), ...Object.keys(to)])].sort();
  return paths.flatMap((path) => {
    const [before, after] = [from[path], to[path]];
    if (before === after) return [];
    return [{ path, kind: 'file' as const, ...(before ? { before } : {}), ...(after ? { after } : {}) }];
  });
}

describe('deltas', () => {
  it('join to the difference between the first tree and the last', () => {
    fc.assert(
      fc.property(fc.array(tree, { minLength: 2, maxLength: 6 }), (trees) => {
        const deltas = trees.slice(1).map((to, i) => between(trees[i] as Tree, to));
        expect(joinDeltas(deltas)).toEqual(between(trees[0] as Tree, trees.at(-1) as Tree));
      }),
    );
  });

  it('can be reversed', () => {
    fc.assert(
      fc.property(tree, tree, (from, to) => {
        expect(reverseDelta(between(from, to))).toEqual(between(to, from));
      }),
    );
  });

  it('are decoded as they were encoded, and rejected when truncated', () => {
    fc.assert(
      fc.property(tree, tree, (from, to) => {
        const changes = between(from, to);
        const delta = new TreeDelta();
        for (const { path, kind, before, after } of changes) delta.add(path, kind, before, after);
        const bytes = delta.bytes();
        expect(decodeDelta(bytes)).toEqual(changes);
        expect(delta.changes()).toEqual(changes);
        expect(delta.length).toBe(changes.length);
        if (bytes.length > 0) expect(decodeDelta(bytes.subarray(0, -2))).toBeUndefined();
      }),
    );
  });

  const folder = (path: string, names: readonly string[], kinds: string): PackedFolder =>
    PackedFolder.of({
      path,
      id: digestOf(path),
      stamp: { size: 0, modifiedAt: 0, changedAt: 0, inode: 0 },
      rules: '',
      ignoreFiles: 0,
      names,
      kinds,
      contents: names.map((name, i) => (kinds[i] === 'l' ? `../${name}` : digestOf(name))),
      stamps: new Float64Array(names.length * 4),
      skipped: [],
      leftOut: ['build'],
    });

  it('count added, changed and removed nodes, also for new folders', () => {
    const delta = new TreeDelta();
    delta.add('', 'directory', '1', '2');
    delta.add('a', 'file', '1', '2');
    delta.addChildren(folder('é', ['b', 'run.sh', 'sub', 'ü'], 'fxdl'));
    delta.addChildren(folder('é/sub', [], ''));
    delta.add('c', 'link', '5');
    delta.addChildren(folder('', ['top'], 'f'));
    expect(delta.leaves).toEqual({ added: 4, changed: 1, removed: 1 });
    expect(delta.changes()).toEqual([
      { path: '', kind: 'directory', before: '1', after: '2' },
      { path: 'a', kind: 'file', before: '1', after: '2' },
      { path: 'é/b', kind: 'file', after: fileNodeId('é/b', digestOf('b'), false) },
      { path: 'é/run.sh', kind: 'file', after: fileNodeId('é/run.sh', digestOf('run.sh'), true) },
      { path: 'é/sub', kind: 'directory', after: digestOf('sub') },
      { path: 'é/ü', kind: 'link', after: linkNodeId('é/ü', '../ü') },
      { path: 'c', kind: 'link', before: '5' },
      { path: 'top', kind: 'file', after: fileNodeId('top', digestOf('top'), false) },
    ]);
    expect(delta.changes()).toHaveLength(delta.length);
  });

  it('are rejected when a folder in them is truncated or inconsistent', () => {
    const delta = new TreeDelta();
    delta.addChildren(folder('a', ['b', 'c', 'd'], 'fdl'));
    const bytes = delta.bytes();
    for (let length = 1; length < bytes.length; length++)
      expect(decodeDelta(bytes.subarray(0, length))).toBeUndefined();
    for (const [right, wrong] of [
      ['fdl\0', 'fql\0'],
      ['fdl\0', 'f\0dl'],
      ['fdl\0', 'fdd\0'],
      ['b/c', 'b:c'],
      ['..%2Fd', '../%2d'],
      ['..%2Fd', '..%zzd'],
      ['\x002\0', '\x009\0'],
      ['\x002\0', '\0x\0'],
      ['\x002\0', '\0-\0'],
    ] as const) {
      const text = Buffer.from(bytes).toString('latin1');
      expect(text).toContain(right);
      expect(decodeDelta(Buffer.from(text.replace(right, wrong), 'latin1'))).toBeUndefined();
    }
  });
});
