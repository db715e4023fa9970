import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { decodeDelta, encodeDelta, joinDeltas, reverseDelta } from './tree-delta.ts';
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
        const delta = between(from, to);
        const bytes = encodeDelta(delta);
        expect(decodeDelta(bytes)).toEqual(delta);
        if (bytes.length > 0) expect(decodeDelta(bytes.subarray(0, -2))).toBeUndefined();
      }),
    );
  });
});
