import type { LayoutEdge } from './types.ts';

/** The layer of each node from top to bottom, and the edges that go up because they close a cycle. */
export interface Layers {
  readonly layerOf: readonly number[];
  readonly upward: ReadonlySet<LayoutEdge>;
}

/** Breaks cycles at their back edges, then puts each node one below its lowest predecessor. */
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

/** Walks depth first, from the nodes without predecessors and then in order; an edge to an open node is a back edge. */
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
