// A graph as a drawing. Load it lazily: it brings xyflow and dagre (about 75 KB).
//
//   const GraphCanvas = lazy(() => import('../../parts/graph-canvas/graph-canvas.tsx'));
//   <div style={{ height: 480 }}>
//     <Suspense fallback={…}>
//       <GraphCanvas
//         graph={readGraphDocument(answer.definition)}          // from graph-document.ts
//         runs={new Map([['read', { state: 'done', note: '4 ms' }]])} // nodes that are not named are idle
//         visited={['start', 'read', 'sum']}                    // nodes in the order the run entered them: the lit path
//         selected={node} onSelect={setNode}
//       />
//     </Suspense>
//   </div>
//
// It fills its parent, which needs a height. Without `edit` it is read-only.
import {
  applyNodeChanges,
  type Connection,
  type EdgeChange,
  MarkerType,
  type NodeChange,
  ReactFlow,
  ReactFlowProvider,
} from '@xyflow/react';
import { type ReactNode, useEffect, useMemo, useState } from 'react';
import { CanvasControls } from './canvas-controls.tsx';
import { type CanvasEdge, CanvasEdgeView } from './canvas-edge.tsx';
import {
  type CanvasNode,
  CanvasNodeView,
  type NodeProblems,
  type NodeRun,
  nodeLabel,
} from './canvas-node.tsx';
import {
  edgeKey,
  edgesOf,
  type GraphDocument,
  type GraphNode,
  litEdges,
  type Port,
  portsOf,
  targetOf,
} from './graph-document.ts';
import { edgeId, type Layout, layoutGraph, NODE_HEIGHT, NODE_WIDTH, type Position } from './layout.ts';
import '@xyflow/react/dist/base.css';
import './graph-canvas.css';

interface CanvasEdits {
  /** `port` is the field that names the next node, such as `next` or `branch_targets.yes`. */
  readonly onConnect: (from: string, port: string, to: string) => void;
  readonly onDisconnect: (from: string, port: string) => void;
  readonly onDelete: (nodes: readonly string[]) => void;
}

interface GraphCanvasProps {
  readonly graph: GraphDocument;
  readonly runs?: ReadonlyMap<string, NodeRun>;
  readonly visited?: readonly string[];
  readonly problems?: ReadonlyMap<string, NodeProblems>;
  readonly selected?: string | undefined;
  readonly onSelect?: (node: string | undefined) => void;
  readonly edit?: CanvasEdits;
  readonly label?: string;
}

const NODE_TYPES = { graph: CanvasNodeView };
const EDGE_TYPES = { graph: CanvasEdgeView };
/** Above this, nodes outside of the view are not rendered. */
const MANY_NODES = 150;

export default function GraphCanvas(props: GraphCanvasProps): ReactNode {
  return (
    <ReactFlowProvider>
      <Canvas {...props} />
    </ReactFlowProvider>
  );
}

function Canvas(props: GraphCanvasProps): ReactNode {
  const { graph, onSelect, edit, label = 'Graph' } = props;
  const [moved, setMoved] = useState<ReadonlyMap<string, Position>>(new Map());
  const [nodes, setNodes] = useState<CanvasNode[]>([]);
  const laidOut = useLayout(graph);
  const drawn = useCanvasNodes(props, laidOut, moved);
  // xyflow keeps what it measures in the nodes, so new ones are merged into those that it has.
  useEffect(() => {
    setNodes((now) => {
      const known = new Map(now.map((node) => [node.id, node]));
      return drawn.map((node) => ({ ...known.get(node.id), ...node }));
    });
  }, [drawn]);
  const [chosenEdge, setChosenEdge] = useState<string>();
  const drawnEdges = useCanvasEdges(props, laidOut, moved);
  const edges = useMemo(
    () => drawnEdges.map((edge) => ({ ...edge, selected: edge.id === chosenEdge })),
    [drawnEdges, chosenEdge],
  );
  const onEdgesChange = (changes: EdgeChange<CanvasEdge>[]): void => {
    for (const change of changes) {
      if (change.type !== 'select') continue;
      if (change.selected) onSelect?.(undefined);
      setChosenEdge((now) => (change.selected ? change.id : now === change.id ? undefined : now));
    }
  };
  const onNodesChange = (changes: NodeChange<CanvasNode>[]): void => {
    setNodes((now) => applyNodeChanges(changes, now));
    for (const change of changes) {
      if (change.type === 'select' && change.selected) onSelect?.(change.id);
      if (change.type === 'position' && change.position !== undefined) {
        const { id, position } = change;
        setMoved((now) => new Map(now).set(id, position));
      }
    }
  };
  return (
    <section className="canvas" aria-label={label}>
      <ReactFlow<CanvasNode, CanvasEdge>
        nodes={nodes}
        edges={edges}
        nodeTypes={NODE_TYPES}
        edgeTypes={EDGE_TYPES}
        onNodesChange={onNodesChange}
        onEdgesChange={onEdgesChange}
        onPaneClick={() => onSelect?.(undefined)}
        onConnect={({ source, sourceHandle, target }: Connection) =>
          edit?.onConnect(source, sourceHandle ?? 'next', target)
        }
        // The edges of a deleted node go with it.
        onDelete={({ nodes: gone, edges: [edge] }) => {
          if (gone.length > 0) edit?.onDelete(gone.map(({ id }) => id));
          else if (edge !== undefined) edit?.onDisconnect(edge.source, edge.sourceHandle ?? 'next');
        }}
        nodesConnectable={edit !== undefined}
        edgesFocusable={edit !== undefined}
        deleteKeyCode={edit === undefined ? null : ['Delete', 'Backspace']}
        onlyRenderVisibleElements={graph.nodes.length > MANY_NODES}
        multiSelectionKeyCode={null}
        selectionKeyCode={null}
        fitView
        fitViewOptions={{ maxZoom: 1, padding: 0.15 }}
        minZoom={0.1}
        maxZoom={2}
      >
        <CanvasControls onTidy={() => setMoved(new Map())} />
      </ReactFlow>
    </section>
  );
}

function useCanvasNodes(
  { graph, runs, problems, selected, edit }: GraphCanvasProps,
  { places, routes }: Layout,
  moved: ReadonlyMap<string, Position>,
): readonly CanvasNode[] {
  const editable = edit !== undefined;
  return useMemo(
    () =>
      graph.nodes.map((node) => {
        const id = node.node_id;
        const run = runs?.get(id);
        const found = problems?.get(id);
        const data = {
          node,
          ...(run && { run }),
          ...(found && { problems: found }),
          editable,
          ports: orderPorts(node, places, routes),
        };
        return {
          id,
          type: 'graph' as const,
          position: moved.get(id) ?? places.get(id) ?? { x: 0, y: 0 },
          data,
          selected: id === selected,
          ariaLabel: nodeLabel(data),
          width: NODE_WIDTH,
          height: NODE_HEIGHT,
        };
      }),
    [graph, runs, problems, selected, editable, places, routes, moved],
  );
}

/** By where their edges go, those that go nowhere at the right. */
function orderPorts(node: GraphNode, places: Layout['places'], routes: Layout['routes']): readonly Port[] {
  const xOf = ({ field }: Port): number => {
    const to = targetOf(node, field);
    const place = to === undefined ? undefined : places.get(to);
    if (place === undefined) return Number.MAX_VALUE;
    const [first] = routes.get(edgeId({ from: node.node_id, port: { field } })) ?? [];
    return first?.x ?? place.x + NODE_WIDTH / 2;
  };
  return portsOf(node).toSorted((one, other) => xOf(one) - xOf(other));
}

/** Fields of nodes change more often than their edges: only those need another layout. */
function useLayout(graph: GraphDocument): Layout {
  const shape = JSON.stringify([
    graph.nodes.map(({ node_id }) => node_id),
    edgesOf(graph).map(({ from, port, to }) => [from, port.field, to]),
  ]);
  // biome-ignore lint/correctness/useExhaustiveDependencies: the shape is what the layout reads of the graph.
  return useMemo(() => layoutGraph(graph), [shape]);
}

const NOTHING: readonly string[] = [];

function useCanvasEdges(
  { graph, visited = NOTHING, edit }: GraphCanvasProps,
  { routes }: Layout,
  moved: ReadonlyMap<string, Position>,
): CanvasEdge[] {
  const lit = useMemo(() => litEdges(visited), [visited]);
  const editable = edit !== undefined;
  return useMemo(
    () =>
      edgesOf(graph).map(({ from, port, to }) => {
        const isLit = lit.has(edgeKey(from, to));
        const color = isLit ? 'var(--ok)' : 'var(--line-strong)';
        return {
          id: edgeId({ from, port }),
          type: 'graph' as const,
          data: { route: moved.has(from) || moved.has(to) ? [] : (routes.get(edgeId({ from, port })) ?? []) },
          source: from,
          sourceHandle: port.field,
          target: to,
          ...(port.label !== undefined && { label: port.label }),
          className: `canvas-edge ${isLit ? 'canvas-edge-lit' : ''} ${port.failed ? 'canvas-edge-failed' : ''}`,
          deletable: editable,
          ariaLabel: `${from} to ${to}${port.label === undefined ? '' : `, ${port.label}`}${isLit ? ', taken' : ''}`,
          markerEnd: { type: MarkerType.ArrowClosed, color, width: 14, height: 14 },
        };
      }),
    [graph, lit, editable, routes, moved],
  );
}
