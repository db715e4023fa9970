import type { Edges } from './components.ts';

/** Tells which vertices are on every path from the root. */
export interface Dominators {
  /** True when every path from the root to `vertex` passes `other`, and they differ. */
  passes(vertex: number, other: number): boolean;
  isReachable(vertex: number): boolean;
}

interface Walk {
  /** Vertices in the order of a depth-first walk. */
  readonly order: readonly number[];
  /** The place of each vertex in that order; -1 when it is not reachable. */
  readonly place: Int32Array;
  readonly parent: Int32Array;
}

/** The algorithm of Lengauer and Tarjan, without recursion, in nearly linear time. */
export function findDominators(edges: Edges, root: number): Dominators {
  const walk = walkFrom(edges, root);
  const dominator = immediateDominators(edges, walk);
  const { first, last } = numberTree(dominator);
  return {
    isReachable: (vertex) => walk.place[vertex] !== -1,
    passes(vertex, other) {
      const below = walk.place[vertex] as number;
      const above = walk.place[other] as number;
      if (below === -1 || above === -1 || below === above) return false;
      return (
        (first[above] as number) <= (first[below] as number) &&
        (last[below] as number) <= (last[above] as number)
      );
    },
  };
}

function walkFrom(edges: Edges, root: number): Walk {
  const place = new Int32Array(edges.length).fill(-1);
  const parent = new Int32Array(edges.length).fill(-1);
  const next = new Int32Array(edges.length);
  const order = [root];
  const path = [root];
  place[root] = 0;
  while (path.length > 0) {
    const vertex = path.at(-1) as number;
    const target = edges[vertex]?.[next[vertex] as number];
    if (target === undefined) {
      path.pop();
      continue;
    }
    next[vertex] = (next[vertex] as number) + 1;
    if (place[target] !== -1) continue;
    place[target] = order.length;
    parent[order.length] = place[vertex] as number;
    order.push(target);
    path.push(target);
  }
  return { order, place, parent };
}

/** For each place of the walk the place of its immediate dominator; the root's is -1. */
function immediateDominators(edges: Edges, { order, place, parent }: Walk): Int32Array {
  const size = order.length;
  const before: number[][] = order.map(() => []);
  for (const [at, vertex] of order.entries())
    for (const target of edges[vertex] as readonly number[]) before[place[target] as number]?.push(at);

  const semi = Int32Array.from({ length: size }, (_, at) => at);
  const label = Int32Array.from(semi);
  const ancestor = new Int32Array(size).fill(-1);
  const dominator = new Int32Array(size).fill(-1);
  const bucket: number[][] = order.map(() => []);
  const best = (at: number): number => evaluate(at, ancestor, label, semi);

  for (let at = size - 1; at > 0; at--) {
    for (const from of before[at] as number[])
      semi[at] = Math.min(semi[at] as number, semi[best(from)] as number);
    (bucket[semi[at] as number] as number[]).push(at);
    const above = parent[at] as number;
    ancestor[at] = above;
    for (const waiting of bucket[above] as number[]) {
      const found = best(waiting);
      dominator[waiting] = (semi[found] as number) < above ? found : above;
    }
    bucket[above] = [];
  }
  for (let at = 1; at < size; at++)
    if (dominator[at] !== semi[at]) dominator[at] = dominator[dominator[at] as number] as number;
  return dominator;
}

/** The vertex with the smallest semidominator on the path up; compresses the path for the next call. */
function evaluate(at: number, ancestor: Int32Array, label: Int32Array, semi: Int32Array): number {
  if (ancestor[at] === -1) return at;
  const path: number[] = [];
  for (let up = at; ancestor[ancestor[up] as number] !== -1; up = ancestor[up] as number) path.push(up);
  for (let step = path.length - 1; step >= 0; step--) {
    const lower = path[step] as number;
    const upper = ancestor[lower] as number;
    if ((semi[label[upper] as number] as number) < (semi[label[lower] as number] as number))
      label[lower] = label[upper] as number;
    ancestor[lower] = ancestor[upper] as number;
  }
  return label[at] as number;
}

/** Numbers the dominator tree so that the descendants of a vertex have numbers between its first and its last. */
function numberTree(dominator: Int32Array): { first: Int32Array; last: Int32Array } {
  const size = dominator.length;
  const children: number[][] = Array.from({ length: size }, () => []);
  for (let at = 1; at < size; at++) (children[dominator[at] as number] as number[]).push(at);
  const first = new Int32Array(size);
  const last = new Int32Array(size);
  const next = new Int32Array(size);
  const path = [0];
  let count = 1;
  while (path.length > 0) {
    const at = path.at(-1) as number;
    const child = children[at]?.[next[at] as number];
    if (child === undefined) {
      last[at] = count;
      path.pop();
      continue;
    }
    next[at] = (next[at] as number) + 1;
    first[child] = count++;
    path.push(child);
  }
  return { first, last };
}
