/** For each vertex the vertices that it leads to. */
export type Edges = readonly (readonly number[])[];

/** Groups of vertices that reach each other. */
export interface Components {
  /** The group of each vertex. Groups are numbered so that edges between groups lead to smaller numbers. */
  readonly of: Int32Array;
  readonly count: number;
  /** Whether the vertices of a group are on a cycle. */
  readonly cyclic: readonly boolean[];
}

/** Tarjan's strongly connected components, without recursion. */
export function findComponents(edges: Edges): Components {
  const size = edges.length;
  const of = new Int32Array(size).fill(-1);
  const order = new Int32Array(size).fill(-1);
  const low = new Int32Array(size);
  const next = new Int32Array(size);
  const open: number[] = [];
  const path: number[] = [];
  const cyclic: boolean[] = [];
  let visited = 0;

  const close = (vertex: number): void => {
    const group = cyclic.length;
    let members = 0;
    for (let member = -1; member !== vertex; members++) {
      member = open.pop() as number;
      of[member] = group;
    }
    cyclic.push(members > 1 || (edges[vertex] as readonly number[]).includes(vertex));
  };

  for (let root = 0; root < size; root++) {
    if (order[root] !== -1) continue;
    path.push(root);
    while (path.length > 0) {
      const vertex = path.at(-1) as number;
      if (order[vertex] === -1) {
        order[vertex] = low[vertex] = visited++;
        open.push(vertex);
      }
      const targets = edges[vertex] as readonly number[];
      const target = targets[next[vertex] as number];
      if (target === undefined) {
        path.pop();
        if (low[vertex] === order[vertex]) close(vertex);
        const above = path.at(-1);
        if (above !== undefined) low[above] = Math.min(low[above] as number, low[vertex] as number);
        continue;
      }
      next[vertex] = (next[vertex] as number) + 1;
      if (order[target] === -1) path.push(target);
      else if (of[target] === -1) low[vertex] = Math.min(low[vertex] as number, order[target] as number);
    }
  }
  return { of, count: cyclic.length, cyclic };
}
