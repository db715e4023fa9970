// Owns: the edits of a graph as pure functions. Every one returns a new document; none checks whether it compiles.
import {
  edgesOf,
  type GraphDocument,
  type GraphNode,
  isRecord,
  portsOf,
  targetOf,
} from '../../../parts/graph-canvas/graph-document.ts';

const BRANCH = 'branch_targets.';

/** The fields that a new node of a type starts with. */
const FIRST_FIELDS: Readonly<Record<string, Readonly<Record<string, unknown>>>> = {
  tool: { tool: '' },
  ai_template: { prompt_template: '', output_format: 'text' },
  agent: { goal: '' },
  typed_condition: { left: '{{last}}', operator: 'exists' },
  llm_condition: { prompt: '', branch_options: ['yes', 'no'], branch_targets: {} },
  approval: { question: '' },
  wait: { seconds: 60 },
  transform: { expression: '$' },
  read_state: { key: '' },
  write_state: { key: '' },
  map: { items: '{{last}}', graph: '', max_items: 100 },
  subgraph: { graph: '' },
};

const ID_STEMS: Readonly<Record<string, string>> = {
  ai_template: 'prompt',
  typed_condition: 'condition',
  llm_condition: 'choice',
  read_prior_runs: 'earlier_runs',
  subgraph: 'graph',
};

/** A graph that ends at once. */
export function emptyDocument(id: string, name: string): GraphDocument {
  return {
    id,
    name,
    version: 1,
    start: 'start',
    execution_defaults: { guarantee_mode: 'bounded', timeout_seconds: 60, max_retries: 2 },
    nodes: [
      { node_id: 'start', type: 'start', next: 'end' },
      { node_id: 'end', type: 'end' },
    ],
  };
}

/** An id for a new node that no other node has. */
function freeId({ nodes }: GraphDocument, type: string): string {
  const stem = ID_STEMS[type] ?? type;
  const taken = new Set(nodes.map(({ node_id }) => node_id));
  let id = stem;
  for (let count = 2; taken.has(id); count += 1) id = `${stem}_${count}`;
  return id;
}

/** Adds a node. With `after`, it comes between that node and the one that follows it. */
export function addNode(
  document: GraphDocument,
  type: string,
  after?: string,
): { readonly document: GraphDocument; readonly id: string } {
  const id = freeId(document, type);
  const node: GraphNode = { node_id: id, type, ...FIRST_FIELDS[type] };
  const before = document.nodes.find(({ node_id }) => node_id === after);
  const index = before === undefined ? document.nodes.length : document.nodes.indexOf(before) + 1;
  const added = { ...document, nodes: document.nodes.toSpliced(index, 0, node) };
  if (before === undefined || type === 'start') return { document: added, id };
  const ports = portsOf(before).filter(({ failed }) => failed === undefined);
  const free = ports.find(({ field }) => targetOf(before, field) === undefined);
  const port = (free ?? ports[0])?.field;
  if (port === undefined) return { document: added, id };
  const following = targetOf(before, port);
  const exit = portsOf(node)[0]?.field;
  // A node without a way out would cut off what follows.
  if (following !== undefined && exit === undefined) return { document: added, id };
  const connected = connect(added, before.node_id, port, id);
  return {
    document:
      following === undefined || exit === undefined ? connected : connect(connected, id, exit, following),
    id,
  };
}

/** Makes a port of a node lead to another node. */
export function connect(document: GraphDocument, from: string, port: string, to: string): GraphDocument {
  return changeNode(document, from, (node) => withTarget(node, port, to));
}

export function disconnect(document: GraphDocument, from: string, port: string): GraphDocument {
  return changeNode(document, from, (node) => withTarget(node, port, undefined));
}

/** Removes nodes. What led to one leads to the node after it. */
export function removeNodes(document: GraphDocument, ids: readonly string[]): GraphDocument {
  const gone = new Set(ids);
  const byId = new Map(document.nodes.map((node) => [node.node_id, node]));
  const after = (id: string, seen: readonly string[] = []): string | undefined => {
    if (!gone.has(id)) return id;
    const next = byId.get(id)?.['next'];
    return typeof next === 'string' && !seen.includes(next) ? after(next, [...seen, id]) : undefined;
  };
  const led = edgesOf(document).filter(({ from, to }) => gone.has(to) && !gone.has(from));
  const redirected = led.reduce((now, { from, port, to }) => {
    const next = port.failed === undefined ? after(to) : undefined;
    return next === undefined ? disconnect(now, from, port.field) : connect(now, from, port.field, next);
  }, document);
  return { ...redirected, nodes: redirected.nodes.filter(({ node_id }) => !gone.has(node_id)) };
}

/** Renames a node, also where others lead to it or read its output. */
export function renameNode(document: GraphDocument, from: string, to: string): GraphDocument {
  if (from === to) return document;
  const pointed = edgesOf(document)
    .filter((edge) => edge.to === from)
    .reduce((now, edge) => connect(now, edge.from, edge.port.field, to), document);
  const nodes = pointed.nodes.map((node) => {
    const { node_id, type, ...fields } = node;
    const renamed = renameReferences(fields, from, to) as Readonly<Record<string, unknown>>;
    return { node_id: node_id === from ? to : node_id, type, ...renamed };
  });
  return { ...pointed, ...(document.start === from && { start: to }), nodes };
}

function renameReferences(value: unknown, from: string, to: string): unknown {
  if (typeof value === 'string') return renameInText(value, from, to);
  if (Array.isArray(value)) return value.map((item) => renameReferences(item, from, to));
  if (!isRecord(value)) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, item]) => [key, renameReferences(item, from, to)]),
  );
}

/** `{{from.x}}` in templates and `$nodes.from` in expressions. */
function renameInText(text: string, from: string, to: string): string {
  // Ids have letters, digits, _ and -, none of which is special in a pattern outside of brackets.
  const template = new RegExp(`(\\{\\{\\s*)${from}(?![A-Za-z0-9_-])`, 'g');
  const expression = new RegExp(`(\\$nodes\\.)${from}(?![A-Za-z0-9_])`, 'g');
  const quoted = `$nodes.\`${from}\``;
  return text
    .replaceAll(template, (_, start: string) => start + to)
    .replaceAll(expression, (_, start: string) => start + (/-/.test(to) ? `\`${to}\`` : to))
    .replaceAll(quoted, () => `$nodes.\`${to}\``);
}

/** Sets a field of a node. `undefined` removes it. */
export function setField(document: GraphDocument, id: string, field: string, value: unknown): GraphDocument {
  return changeNode(document, id, (node) => withKey(node, field, value) as GraphNode);
}

/** Sets a field of the graph itself. `undefined` removes it. */
export function setSetting(document: GraphDocument, field: string, value: unknown): GraphDocument {
  return withKey(document, field, value) as GraphDocument;
}

export interface Fix {
  readonly pointer: string;
  readonly value?: unknown;
}

/** Sets the value at a JSON pointer, or removes it. A pointer that leads nowhere changes nothing. */
export function applyFix(document: GraphDocument, { pointer, value }: Fix): GraphDocument {
  const keys = pointer
    .split('/')
    .slice(1)
    .map((key) => key.replaceAll('~1', '/').replaceAll('~0', '~'));
  return setAt(document, keys, value) as GraphDocument;
}

function setAt(target: unknown, [key, ...rest]: readonly string[], value: unknown): unknown {
  if (key === undefined) return value;
  if (Array.isArray(target)) {
    const index = Number(key);
    if (!Number.isInteger(index) || index < 0 || index >= target.length) return target;
    if (rest.length === 0 && value === undefined) return target.toSpliced(index, 1);
    return target.with(index, setAt(target[index], rest, value));
  }
  if (!isRecord(target)) return target;
  const inner = Object.hasOwn(target, key) ? target[key] : undefined;
  return withKey(target, key, rest.length === 0 ? value : setAt(inner, rest, value));
}

function changeNode(
  document: GraphDocument,
  id: string,
  change: (node: GraphNode) => GraphNode,
): GraphDocument {
  return {
    ...document,
    nodes: document.nodes.map((node) => (node.node_id === id ? change(node) : node)),
  };
}

function withTarget(node: GraphNode, port: string, to: string | undefined): GraphNode {
  if (!port.startsWith(BRANCH)) return withKey(node, port, to) as GraphNode;
  const targets = isRecord(node['branch_targets']) ? node['branch_targets'] : {};
  return { ...node, branch_targets: withKey(targets, port.slice(BRANCH.length), to) };
}

function withKey(target: object, key: string, value: unknown): Readonly<Record<string, unknown>> {
  if (value !== undefined) return { ...target, [key]: value };
  return Object.fromEntries(Object.entries(target).filter(([name]) => name !== key));
}
