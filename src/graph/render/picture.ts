import { isJsonObject } from '../json-value.ts';
import type { GraphDefinition, NodeStatus, NodeTypeName, RunStatuses } from '../types.ts';

export interface PictureNode {
  readonly id: string;
  readonly type: NodeTypeName | 'missing' | 'unknown';
  /** Its function in a few words; empty when the id says it. */
  readonly detail: string;
  readonly status?: NodeStatus;
  readonly visits?: number;
}

/** An arrow between two nodes, by their index. */
export interface PictureEdge {
  readonly from: number;
  readonly to: number;
  readonly label?: string;
  readonly kind: 'next' | 'branch' | 'error';
}

/** The drawable parts of a graph. */
export interface Picture {
  readonly title: string;
  readonly nodes: readonly PictureNode[];
  readonly edges: readonly PictureEdge[];
}

type Fields = Readonly<Record<string, unknown>>;

const TYPES: Readonly<Record<NodeTypeName, (node: Fields) => unknown>> = {
  start: ({ node_id }) => (node_id === 'start' ? '' : 'start'),
  end: ({ node_id }) => (node_id === 'end' ? '' : 'end'),
  tool: ({ tool }) => tool,
  ai_template: ({ prompt_template }) => prompt_template,
  typed_condition: ({ left, operator, right }) =>
    [left, operator, right]
      .filter((part) => part !== undefined)
      .map(short)
      .join(' '),
  llm_condition: ({ prompt }) => prompt,
  transform: ({ expression }) => expression,
  read_state: ({ key }) => `read ${short(key)}`,
  write_state: ({ key }) => `write ${short(key)}`,
  read_prior_runs: () => 'earlier runs',
  approval: ({ question }) => question,
  wait: ({ seconds, until, event }) => `wait ${short(event ?? until ?? `${short(seconds)} s`)}`,
  map: ({ graph }) => `each: ${short(graph)}`,
  subgraph: ({ graph }) => graph,
  agent: ({ goal }) => goal,
};

/**
 * The drawable parts of a definition, in its order. A broken definition is drawn as far as it is readable; unknown targets
 * become missing nodes at the end.
 */
export function pictureOf(definition: GraphDefinition, statuses?: RunStatuses): Picture {
  const source = asFields(definition);
  const fields = Array.isArray(source['nodes']) ? source['nodes'].map(asFields) : [];
  const nodes = fields.map((node, i) => nodeOf(node, i, statuses));
  const places = new Map<string, number>();
  for (const [i, { id }] of nodes.entries()) if (!places.has(id)) places.set(id, i);
  const edges: PictureEdge[] = [];
  for (const [from, node] of fields.entries()) {
    for (const { target, ...rest } of targetsOf(node)) {
      const to = places.get(target) ?? nodes.push({ id: target, type: 'missing', detail: 'missing' }) - 1;
      places.set(target, to);
      edges.push({ from, to, ...rest });
    }
  }
  return { title: short(source['name'] ?? source['id'] ?? 'graph'), nodes, edges };
}

function nodeOf(node: Fields, place: number, statuses: RunStatuses | undefined): PictureNode {
  const id = typeof node['node_id'] === 'string' ? node['node_id'] : `#${place}`;
  const type = node['type'];
  const known = typeof type === 'string' && Object.hasOwn(TYPES, type) ? (type as NodeTypeName) : undefined;
  const run = statuses?.nodes.get(id);
  return {
    id,
    type: known ?? 'unknown',
    detail: known ? oneLine(TYPES[known](node)) : short(type ?? 'no type'),
    ...(statuses && { status: run?.status ?? 'waiting', visits: run?.visits ?? 0 }),
  };
}

function targetsOf(node: Fields): { target: string; label?: string; kind: PictureEdge['kind'] }[] {
  const branches = asFields(node['branch_targets']);
  const order = Array.isArray(node['branch_options']) ? node['branch_options'].filter(isText) : [];
  const options = [...new Set([...order, ...Object.keys(branches)])].filter((key) =>
    Object.hasOwn(branches, key),
  );
  return [
    { target: node['next'], kind: 'next' as const },
    { target: node['if_true'], label: 'true', kind: 'branch' as const },
    { target: node['if_false'], label: 'false', kind: 'branch' as const },
    ...options.map((label) => ({ target: branches[label], label, kind: 'branch' as const })),
    // A map's on_error is a policy, not a node.
    { target: node['type'] === 'map' ? undefined : node['on_error'], label: 'error', kind: 'error' as const },
  ].flatMap(({ target, ...rest }) => (isText(target) ? [{ target, ...rest }] : []));
}

function asFields(value: unknown): Fields {
  return isJsonObject(value) ? value : {};
}

function isText(value: unknown): value is string {
  return typeof value === 'string';
}

function oneLine(value: unknown): string {
  return typeof value === 'string' ? value.replace(/\s+/gu, ' ').trim() : '';
}

function short(value: unknown): string {
  return typeof value === 'string' ? oneLine(value) : (JSON.stringify(value) ?? '');
}
