// Owns: how the app reads a graph that may be incomplete, because a person is editing it.

/** A node as it is in the file. Only its id and type are certain. */
export interface GraphNode {
  readonly node_id: string;
  readonly type: string;
  readonly [field: string]: unknown;
}

/** A graph as it is in the file. */
export interface GraphDocument {
  readonly id: string;
  readonly start?: string;
  readonly nodes: readonly GraphNode[];
  readonly [field: string]: unknown;
}

/** A way out of a node: the field that names the next node. */
export interface Port {
  /** The field, such as `next`, or `branch_targets.yes`. */
  readonly field: string;
  /** Shown on the edge. The only way out has none. */
  readonly label?: string;
  readonly failed?: true;
}

export interface GraphEdge {
  readonly from: string;
  readonly port: Port;
  readonly to: string;
}

const NEXT: Port = { field: 'next' };
const ON_ERROR: Port = { field: 'on_error', label: 'on error', failed: true };
const WITH_ON_ERROR = new Set(['tool', 'ai_template', 'agent', 'wait', 'subgraph']);
const BRANCH = 'branch_targets.';

/** Reads a value as a graph, as far as it can be drawn; undefined if nothing can. */
export function readGraphDocument(value: unknown): GraphDocument | undefined {
  if (!isRecord(value) || !Array.isArray(value['nodes'])) return undefined;
  const nodes = value['nodes'].filter(isNode);
  const ids = new Set(nodes.map(({ node_id }) => node_id));
  if (ids.size < value['nodes'].length) return undefined;
  return { ...value, id: typeof value['id'] === 'string' ? value['id'] : '', nodes };
}

function isNode(value: unknown): value is GraphNode {
  return (
    isRecord(value) &&
    typeof value['node_id'] === 'string' &&
    value['node_id'] !== '' &&
    typeof value['type'] === 'string'
  );
}

export function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** The ways out of a node, connected or not. */
export function portsOf(node: GraphNode): readonly Port[] {
  if (node.type === 'end') return [];
  if (node.type === 'typed_condition')
    return [
      { field: 'if_true', label: 'true' },
      { field: 'if_false', label: 'false' },
    ];
  if (node.type === 'llm_condition')
    return [...optionsOf(node).map((option) => ({ field: `${BRANCH}${option}`, label: option })), ON_ERROR];
  return WITH_ON_ERROR.has(node.type) ? [NEXT, ON_ERROR] : [NEXT];
}

function optionsOf(node: GraphNode): readonly string[] {
  const { branch_options: options, branch_targets: targets } = node;
  const named = Array.isArray(options)
    ? options.filter((option): option is string => typeof option === 'string')
    : [];
  return [...new Set([...named, ...(isRecord(targets) ? Object.keys(targets) : [])])];
}

/** The node that a port leads to. */
export function targetOf(node: GraphNode, port: string): string | undefined {
  const targets = node['branch_targets'];
  const to = port.startsWith(BRANCH)
    ? isRecord(targets) && Object.hasOwn(targets, port.slice(BRANCH.length))
      ? targets[port.slice(BRANCH.length)]
      : undefined
    : node[port];
  return typeof to === 'string' && to !== '' ? to : undefined;
}

/** The edges between nodes that exist. */
export function edgesOf({ nodes }: Pick<GraphDocument, 'nodes'>): readonly GraphEdge[] {
  const ids = new Set(nodes.map(({ node_id }) => node_id));
  return nodes.flatMap((node) =>
    portsOf(node).flatMap((port) => {
      const to = targetOf(node, port.field);
      return to !== undefined && ids.has(to) ? [{ from: node.node_id, port, to }] : [];
    }),
  );
}

/** The edges that a run took, as `from→to`, from the nodes in the order in which it entered them. */
export function litEdges(visited: readonly string[]): ReadonlySet<string> {
  return new Set(visited.slice(1).map((to, index) => edgeKey(visited[index] ?? '', to)));
}

export const edgeKey = (from: string, to: string): string => `${from}→${to}`;
