import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { findComponents } from './components.ts';
import { findDominators } from './dominators.ts';
import { answerReach } from './reach.ts';

/** Random ways between a few vertices. */
const edgesOf = fc.integer({ min: 1, max: 9 }).chain((size) =>
  fc.array(fc.array(fc.integer({ min: 0, max: size - 1 }), { maxLength: 3 }), {
    minLength: size,
    maxLength: size,
  }),
);

/** The vertices that can be reached over at least one edge, without passing `without`. */
function reached(edges: readonly (readonly number[])[], from: number, without = -1): Set<number> {
  const seen = new Set<number>();
  const waiting = from === without ? [] : [from];
  for (let vertex = waiting.pop(); vertex !== undefined; vertex = waiting.pop()) {
    for (const target of edges[vertex] ?? []) {
      if (target === without || seen.has(target)) continue;
      seen.add(target);
      waiting.push(target);
    }
  }
  return seen;
}

describe('findDominators', () => {
  it('reports a dominator exactly when the other vertex is unreachable without it', () => {
    fc.assert(
      fc.property(edgesOf, (edges) => {
        const ways = findDominators(edges, 0);
        const all = new Set([0, ...reached(edges, 0)]);
        for (const vertex of edges.keys()) {
          expect(ways.isReachable(vertex)).toBe(all.has(vertex));
          for (const other of edges.keys()) {
            const around = other !== 0 && (vertex === 0 || reached(edges, 0, other).has(vertex));
            const expected = all.has(vertex) && all.has(other) && vertex !== other && !around;
            expect(ways.passes(vertex, other)).toBe(expected);
          }
        }
      }),
      { numRuns: 1_000 },
    );
  });

  it('handles a chain of 100,000 vertices', () => {
    const size = 100_000;
    const ways = findDominators(
      Array.from({ length: size }, (_, at) => (at + 1 < size ? [at + 1, 0] : [])),
      0,
    );
    expect(ways.passes(size - 1, 1)).toBe(true);
    expect(ways.passes(1, size - 1)).toBe(false);
  });
});

describe('findComponents', () => {
  it('puts vertices that reach each other into one group, and later groups lower', () => {
    fc.assert(
      fc.property(edgesOf, (edges) => {
        const { of, cyclic } = findComponents(edges);
        for (const [vertex, targets] of edges.entries()) {
          const there = reached(edges, vertex);
          expect(cyclic[of[vertex] as number]).toBe(there.has(vertex));
          for (const target of targets) {
            expect(of[target]).toBeLessThanOrEqual(of[vertex] as number);
            expect(of[target] === of[vertex]).toBe(target === vertex || reached(edges, target).has(vertex));
          }
        }
      }),
      { numRuns: 1_000 },
    );
  });
});

describe('answerReach', () => {
  it('gives the same answers as a walk', () => {
    fc.assert(
      fc.property(edgesOf, (edges) => {
        const vertices = [...edges.keys()];
        const queries = vertices.flatMap((from) => vertices.map((to) => ({ from, to })));
        expect(answerReach(edges, queries)).toEqual(
          queries.map(({ from, to }) => reached(edges, from).has(to)),
        );
      }),
      { numRuns: 1_000 },
    );
  });

  it('answers for more starting points than fit in one batch', () => {
    const size = 3_000;
    const edges = Array.from({ length: size }, (_, at) => (at + 2 < size ? [at + 2] : []));
    const queries = Array.from({ length: size }, (_, from) => ({ from, to: size - 1 }));
    expect(answerReach(edges, queries)).toEqual(
      queries.map(({ from }) => from % 2 === 1 && from !== size - 1),
    );
  });
});
