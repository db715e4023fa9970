// Owns: where the nodes of a graph are drawn. The file has no positions, so that two people see the same drawing.
import { Graph, layout } from '@dagrejs/dagre';
import { edgesOf, type GraphDocument, type GraphEdge } from './graph-document.ts';

export const NODE_WIDTH = 192;
export const NODE_HEIGHT = 58;
const GAP_ACROSS = 36;
const GAP_DOWN = 56;
/** Above this, dagre takes seconds. */
const MAX_DAGRE_NODES = 600;

export interface Position {
  readonly x: number;
  readonly y: number;
}

/** The place of each node, from the start down to the ends. */
export function layoutGraph(document: GraphDocument): ReadonlyMap<string, Position> {
  const edges = edgesOf(document);
  return document.nodes.length > MAX_DAGRE_NODES ? byDepth(document, edges) : byDagre(document, edges);
}

function byDagre({ nodes }: GraphDocument, edges: readonly GraphEdge[]): Map<string, Position> {
  const graph = new Graph({ multigraph: true });
  graph.setGraph({ rankdir: 'TB', nodesep: GAP_ACROSS, ranksep: GAP_DOWN });
  graph.setDefaultEdgeLabel(() => ({}));
  for (const { node_id } of nodes) graph.setNode(node_id, { width: NODE_WIDTH, height: NODE_HEIGHT });
  for (const { from, to, port } of edges) if (from !== to) graph.setEdge(from, to, {}, port.field);
  layout(graph);
  return new Map(
    nodes.map(({ node_id }) => {
      const { x = 0, y = 0 } = graph.node(node_id) as Partial<Position>;
      return [node_id, { x: Math.round(x - NODE_WIDTH / 2), y: Math.round(y - NODE_HEIGHT / 2) }];
    }),
  );
}

/** Rows by the distance from the start. */
function byDepth({ nodes, start }: GraphDocument, edges: readonly GraphEdge[]): Map<string, Position> {
  const following = new Map<string, string[]>();
  for (const { from, to } of edges) following.set(from, [...(following.get(from) ?? []), to]);
  const depths = new Map<string, number>();
  let row = [start ?? nodes[0]?.node_id ?? ''];
  for (let depth = 0; row.length > 0; depth += 1) {
    for (const id of row) depths.set(id, depth);
    const next = row.flatMap((id) => following.get(id) ?? []);
    row = [...new Set(next)].filter((id) => !depths.has(id));
  }
  const used = new Map<number, number>();
  return new Map(
    nodes.map(({ node_id }) => {
      const depth = depths.get(node_id) ?? 0;
      const column = used.get(depth) ?? 0;
      used.set(depth, column + 1);
      return [node_id, { x: column * (NODE_WIDTH + GAP_ACROSS), y: depth * (NODE_HEIGHT + GAP_DOWN) }];
    }),
  );
}
