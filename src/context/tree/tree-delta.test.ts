import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { decodeDelta, joinDeltas, newNodeText, reverseDelta, TreeDelta } from './tree-delta.ts';
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
  it('join to what lies between the first tree and the last', () => {
    fc.assert(
      fc.property(fc.array(tree, { minLength: 2, maxLength: 6 }), (trees) => {
        const deltas = trees.slice(1).map((to, i) => between(trees[i] as Tree, to));
        expect(joinDeltas(deltas)).toEqual(between(trees[0] as Tree, trees.at(-1) as Tree));
      }),
    );
  });

  it('can be gone back', () => {
    fc.assert(
      fc.property(tree, tree, (from, to) => {
        expect(reverseDelta(between(from, to))).toEqual(between(to, from));
      }),
    );
  });

  it('are read as they were written, and refused when they are cut', () => {
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

  it('count what they add, change and remove, also where nodes come as bytes', () => {
    const delta = new TreeDelta();
    delta.add('', 'directory', '1', '2');
    delta.add('a', 'file', '1', '2');
    delta.addNew(Buffer.from(newNodeText('f', 'b', '3') + newNodeText('d', 'é', '4')), 2, 1);
    delta.add('c', 'link', '5');
    expect(delta.leaves).toEqual({ added: 1, changed: 1, removed: 1 });
    expect(delta.changes().map(({ path, before, after }) => [path, before, after])).toEqual(
      expect.arrayContaining([
        ['', '1', '2'],
        ['a', '1', '2'],
        ['b', undefined, '3'],
        ['é', undefined, '4'],
        ['c', '5', undefined],
      ]),
    );
    expect(delta.changes()).toHaveLength(delta.length);
  });
});
