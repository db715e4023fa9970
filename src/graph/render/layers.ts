import type { LayoutEdge } from './types.ts';

/** Where each node stands from top to bottom, and which edges go up because a cycle had to be broken. */
export interface Layers {
  readonly layerOf: readonly number[];
  readonly upward: ReadonlySet<LayoutEdge>;
}

/** Breaks cycles at the edges that lead back, then puts each node one below the lowest that leads to it. */
export function assignLayers(count: number, edges: readonly LayoutEdge[]): Layers {
  const leaving: LayoutEdge[][] = Array.from({ length: count }, () => []);
  for (const edge of edges) leaving[edge.from]?.push(edge);
  const { upward, finished } = walk(leaving);
  const layerOf = Array.from({ length: count }, () => 0);
  for (const node of finished.reverse()) {
    for (const edge of leaving[node] ?? []) {
      if (upward.has(edge) || edge.to === node) continue;
      layerOf[edge.to] = Math.max(layerOf[edge.to] ?? 0, (layerOf[node] ?? 0) + 1);
    }
  }
  return { layerOf, upward };
}

/** Depth first, from the nodes that nothing enters and then in order; an edge to a node that is still open leads back. */
function walk(leaving: readonly (readonly LayoutEdge[])[]): { upward: Set<LayoutEdge>; finished: number[] } {
  const upward = new Set<LayoutEdge>();
  const finished: number[] = [];
  const state: ('new' | 'open' | 'done')[] = leaving.map(() => 'new');
  const entered = new Set(leaving.flat().map(({ to }) => to));
  const roots = [...leaving.keys()].sort((a, b) => Number(entered.has(a)) - Number(entered.has(b)));
  for (const root of roots) {
    if (state[root] !== 'new') continue;
    const path = [{ node: root, next: 0 }];
    state[root] = 'open';
    for (let top = path.at(-1); top; top = path.at(-1)) {
      const edge = leaving[top.node]?.[top.next++];
      if (!edge) {
        state[top.node] = 'done';
        finished.push(top.node);
        path.pop();
      } else if (state[edge.to] === 'open') {
        if (edge.to !== edge.from) upward.add(edge);
      } else if (state[edge.to] === 'new') {
        state[edge.to] = 'open';
        path.push({ node: edge.to, next: 0 });
      }
    }
  }
  return { upward, finished };
}
