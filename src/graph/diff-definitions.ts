import { type Json, type JsonObject, sameJson } from '../kernel/index.ts';
import { isJsonObject, shortJson } from './json-value.ts';
import type { GraphDefinition, GraphNode } from './types.ts';

const MAX_VALUE_LENGTH = 100;

export interface GraphDiff {
  readonly added: readonly string[];
  readonly removed: readonly string[];
  readonly changed: readonly { readonly node: string; readonly fields: readonly string[] }[];
  /** Fields of the graph itself. */
  readonly settings: readonly string[];
  /** True when the nodes of both versions have another order. */
  readonly reordered: boolean;
}

/** Compares two versions of a graph. */
export function graphDiff(before: GraphDefinition, after: GraphDefinition): GraphDiff {
  const { nodes: oldNodes, ...oldSettings } = before;
  const { nodes: newNodes, ...newSettings } = after;
  const old = byId(oldNodes);
  const now = byId(newNodes);
  const changed = [...old].flatMap(([node, one]) => {
    const other = now.get(node);
    const fields = other === undefined ? [] : changedFields(one, other);
    return fields.length > 0 ? [{ node, fields }] : [];
  });
  const common = [...now.keys()].filter((id) => old.has(id));
  return {
    added: [...now.keys()].filter((id) => !old.has(id)),
    removed: [...old.keys()].filter((id) => !now.has(id)),
    changed,
    settings: changedFields(oldSettings, newSettings),
    reordered: [...old.keys()].filter((id) => now.has(id)).some((id, index) => id !== common[index]),
  };
}

/** The difference as lines for people: `+` added, `-` removed, `~` changed. */
export function diffDefinitions(before: GraphDefinition, after: GraphDefinition): readonly string[] {
  const diff = graphDiff(before, after);
  const old = byId(before.nodes);
  const now = byId(after.nodes);
  return [
    ...diff.settings.map((field) => changeLine(field, before, after)),
    ...diff.removed.map((id) => `- node ${id} (${old.get(id)?.type})`),
    ...diff.added.map((id) => `+ node ${id} (${now.get(id)?.type})`),
    ...diff.changed.flatMap(({ node, fields }) =>
      fields.map((field) => changeLine(field, old.get(node), now.get(node), node)),
    ),
    ...(diff.reordered ? ['~ the order of the nodes'] : []),
  ];
}

function byId(nodes: readonly GraphNode[]): Map<string, GraphNode> {
  return new Map(nodes.map((node) => [node.node_id, node]));
}

/** The fields that differ; an inner field is written as `args.path`. */
function changedFields(before: object, after: object, path = ''): string[] {
  const one = before as JsonObject;
  const other = after as JsonObject;
  return [...new Set([...Object.keys(one), ...Object.keys(other)])].flatMap((key) => {
    const left = Object.hasOwn(one, key) ? one[key] : undefined;
    const right = Object.hasOwn(other, key) ? other[key] : undefined;
    if (sameJson(left, right)) return [];
    const field = `${path}${key}`;
    if (isJsonObject(left) && isJsonObject(right) && !key.includes('.'))
      return changedFields(left, right, `${field}.`);
    return [field];
  });
}

function changeLine(field: string, before: unknown, after: unknown, node?: string): string {
  const name = node === undefined ? field : `${node}.${field}`;
  const [old, now] = [at(before, field), at(after, field)];
  const [oldText, newText] = [shortJson(old, MAX_VALUE_LENGTH), shortJson(now, MAX_VALUE_LENGTH)];
  if (old === undefined) return `+ ${name}: ${newText}`;
  return now === undefined ? `- ${name}: ${oldText}` : `~ ${name}: ${oldText} → ${newText}`;
}

/** Reads a field as `changedFields` writes it: only the last key may hold dots. */
function at(value: unknown, field: string): Json | undefined {
  if (!isJsonObject(value)) return undefined;
  if (Object.hasOwn(value, field)) return value[field];
  const dot = field.indexOf('.');
  if (dot === -1) return undefined;
  const key = field.slice(0, dot);
  return Object.hasOwn(value, key) ? at(value[key], field.slice(dot + 1)) : undefined;
}
