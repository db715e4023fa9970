import type * as z from 'zod';
import { didYouMean, nearestName } from '../../kernel/index.ts';
import { settingsSchema } from '../graph-schema.ts';
import { checkSchema } from '../json-schema.ts';
import { isJsonObject, valueAt } from '../json-value.ts';
import type { FieldPath, Finding, GraphSettings } from '../node-type.ts';
import { NODE_TYPE_NAMES, nodeTypeOf } from '../node-types.ts';
import { readIssues } from '../schema-issues.ts';
import type { GraphDefinition, GraphNode, NodeTypeName } from '../types.ts';

const MAX_NODES = 50_000;

/** A node as written, and typed when it fits the schema of its type. */
export interface ReadNode {
  readonly index: number;
  /** Undefined when the node has no readable id. */
  readonly id: string | undefined;
  readonly source: Readonly<Record<string, unknown>>;
  readonly node: GraphNode | undefined;
  /** Fields that do not fit the schema. */
  readonly brokenFields: ReadonlySet<string>;
}

/** The readable parts of a definition, with every schema problem. */
export interface ReadDefinition {
  readonly settings: GraphSettings & Partial<Pick<GraphDefinition, 'id' | 'start' | 'max_steps'>>;
  readonly nodes: readonly ReadNode[];
  /** False when there is no list of nodes. */
  readonly listed: boolean;
  readonly findings: readonly Finding[];
}

const CODES = {
  missing: 'graph.missing_field',
  unknown: 'graph.unknown_field',
  wrong_type: 'graph.wrong_type',
  invalid: 'graph.invalid_value',
} as const;

const EXAMPLES: Readonly<Record<string, string>> = {
  id: '"id": "my-graph"',
  name: '"name": "My graph"',
  version: '"version": 1',
  start: '"start" with the id of the start node',
};

/** Reads a definition field by field and node by node, so that one problem does not hide another. */
export function readDefinition(source: unknown): ReadDefinition | { readonly findings: readonly Finding[] } {
  if (!isJsonObject(source)) {
    return {
      findings: [
        {
          code: 'graph.wrong_type',
          field: [],
          message: 'a graph must be an object.',
          suggestion: 'Start with {"id": …, "name": …, "version": …, "start": …, "nodes": […]}.',
        },
      ],
    };
  }
  const { nodes, ...rest }: Record<string, unknown> = source;
  const settings = readSettings(rest);
  const list = readList(nodes);
  if (list.tooMany) return { findings: [...settings.findings, ...list.findings] };
  const findings = [...settings.findings, ...list.findings];
  const read = list.nodes.map((one, index) => readNode(one, index, findings));
  return { settings: settings.settings, nodes: read, listed: Array.isArray(nodes), findings };
}

function readSettings(source: Record<string, unknown>) {
  const result = settingsSchema.safeParse(source);
  const issues = result.success ? [] : toFindings(settingsSchema, result.error.issues, source, []);
  const broken = new Set(result.success ? [] : result.error.issues.map((issue) => issue.path[0]));
  const settings: Partial<GraphDefinition> = Object.fromEntries(
    Object.entries(source).filter(([key]) => !broken.has(key)),
  );
  const findings = settings.input_schema ? [...checkSchema(settings.input_schema, ['input_schema'])] : [];
  return {
    settings: {
      ...settings,
      execution_defaults: { guarantee_mode: 'bounded' as const, ...settings.execution_defaults },
    },
    findings: [...issues.map(withExample), ...findings],
  };
}

function withExample(finding: Finding): Finding {
  const example = EXAMPLES[String(finding.field[0])];
  if (finding.code !== 'graph.missing_field' || finding.field.length > 1 || example === undefined)
    return finding;
  return { ...finding, suggestion: `Add ${example}.` };
}

function readList(nodes: unknown): { nodes: readonly unknown[]; findings: Finding[]; tooMany?: true } {
  const field = ['nodes'];
  if (Array.isArray(nodes) && nodes.length <= MAX_NODES) return { nodes, findings: [] };
  if (Array.isArray(nodes)) {
    const message = `there are ${nodes.length} nodes; a graph may have ${MAX_NODES}.`;
    const suggestion = 'Split it into several graphs and join them with subgraph nodes.';
    return { nodes: [], tooMany: true, findings: [{ code: 'graph.too_large', field, message, suggestion }] };
  }
  const suggestion = 'Add "nodes": [ … ] with at least a start and an end.';
  const finding: Finding =
    nodes === undefined
      ? { code: 'graph.missing_field', field, message: '"nodes" is missing.', suggestion }
      : { code: 'graph.wrong_type', field, message: '"nodes" must be a list.' };
  return { nodes: [], findings: [finding] };
}

function readNode(value: unknown, index: number, findings: Finding[]): ReadNode {
  const place = ['nodes', index];
  if (!isJsonObject(value)) {
    findings.push({ code: 'graph.wrong_type', field: place, message: 'a node must be an object.' });
    return { index, id: undefined, source: {}, node: undefined, brokenFields: new Set() };
  }
  const source: Record<string, unknown> = value;
  const id = typeof source['node_id'] === 'string' ? source['node_id'] : undefined;
  const unread = { index, id, source, node: undefined };
  const wrongType = checkType(source, place);
  if (wrongType !== undefined) {
    findings.push(wrongType);
    return { ...unread, brokenFields: new Set(['type']) };
  }
  const { schema } = nodeTypeOf(source as unknown as GraphNode);
  const result = schema.safeParse(source);
  if (result.success)
    return { index, id, source, node: source as unknown as GraphNode, brokenFields: new Set() };
  for (const finding of toFindings(schema, result.error.issues, source, place)) findings.push(finding);
  return { ...unread, brokenFields: new Set(result.error.issues.map((issue) => String(issue.path[0]))) };
}

function checkType(source: Record<string, unknown>, place: FieldPath): Finding | undefined {
  const { type } = source;
  const field = [...place, 'type'];
  if (type === undefined) {
    const suggestion = `Add "type": one of ${NODE_TYPE_NAMES.join(', ')}.`;
    return { code: 'graph.missing_field', field, message: '"type" is missing.', suggestion };
  }
  if (typeof type !== 'string') return { code: 'graph.wrong_type', field, message: '"type" must be text.' };
  if (NODE_TYPE_NAMES.includes(type as NodeTypeName)) return undefined;
  return {
    code: 'graph.unknown_node_type',
    field,
    message: `there is no node type "${type}".`,
    suggestion: didYouMean(nearestName(type, NODE_TYPE_NAMES), `Use one of ${NODE_TYPE_NAMES.join(', ')}.`),
  };
}

function toFindings(
  schema: z.ZodType,
  issues: readonly z.core.$ZodIssue[],
  source: unknown,
  place: FieldPath,
): Finding[] {
  return readIssues(issues, source, (path) => keysAt(schema, path)).map(({ kind, path, ...text }) => ({
    code: CODES[kind],
    field: [...place, ...path],
    ...text,
  }));
}

/** The keys that a schema defines at a path. */
function keysAt(schema: z.ZodType, path: FieldPath): readonly string[] {
  let at: unknown = schema;
  for (const key of path) at = unwrap(valueAt(unwrap(at), ['shape', key]));
  const shape = valueAt(unwrap(at), ['shape']);
  return shape !== null && typeof shape === 'object' ? Object.keys(shape) : [];
}

function unwrap(schema: unknown): unknown {
  const inner = (schema as { unwrap?: () => unknown } | undefined)?.unwrap;
  return typeof inner === 'function' ? inner.call(schema) : schema;
}
