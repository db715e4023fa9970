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

export interface Layout {
  /** The upper left corner of each node. */
  readonly places: ReadonlyMap<string, Position>;
  /** Where an edge passes other nodes, by `edgeId`. */
  readonly routes: ReadonlyMap<string, readonly Position[]>;
}

export const edgeId = ({ from, port }: Pick<GraphEdge, 'from' | 'port'>): string => `${from}:${port.field}`;

/** Places the nodes from the start down to the ends. */
export function layoutGraph(document: GraphDocument): Layout {
  const edges = edgesOf(document);
  return document.nodes.length > MAX_DAGRE_NODES ? byDepth(document, edges) : byDagre(document, edges);
}

function byDagre({ nodes }: GraphDocument, edges: readonly GraphEdge[]): Layout {
  const graph = new Graph({ multigraph: true });
  graph.setGraph({ rankdir: 'TB', nodesep: GAP_ACROSS, ranksep: GAP_DOWN, edgesep: GAP_ACROSS });
  graph.setDefaultEdgeLabel(() => ({}));
  for (const { node_id } of nodes) graph.setNode(node_id, { width: NODE_WIDTH, height: NODE_HEIGHT });
  for (const { from, to, port } of edges) if (from !== to) graph.setEdge(from, to, {}, port.field);
  layout(graph);
  const places = new Map(
    nodes.map(({ node_id }) => {
      const { x = 0, y = 0 } = graph.node(node_id) as Partial<Position>;
      return [node_id, { x: Math.round(x - NODE_WIDTH / 2), y: Math.round(y - NODE_HEIGHT / 2) }];
    }),
  );
  const routes = new Map(
    edges
      .filter(({ from, to }) => from !== to)
      .map((edge) => {
        const { points = [] } = graph.edge(edge.from, edge.to, edge.port.field) as { points?: Position[] };
        // The first and the last point are on the border of the nodes.
        return [edgeId(edge), points.slice(1, -1)];
      }),
  );
  return { places, routes };
}

/** Rows by the distance from the start. */
function byDepth({ nodes, start }: GraphDocument, edges: readonly GraphEdge[]): Layout {
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
  const places = new Map(
    nodes.map(({ node_id }) => {
      const depth = depths.get(node_id) ?? 0;
      const column = used.get(depth) ?? 0;
      used.set(depth, column + 1);
      return [node_id, { x: column * (NODE_WIDTH + GAP_ACROSS), y: depth * (NODE_HEIGHT + GAP_DOWN) }];
    }),
  );
  return { places, routes: new Map() };
}
