import { type Json, type JsonObject, sameJson } from '../kernel/index.ts';
import { isJsonObject } from './plain-json.ts';
import type { GraphDefinition, GraphNode } from './types.ts';

const LONGEST_VALUE = 100;

/** What differs between two versions of a graph. */
export interface GraphDiff {
  readonly added: readonly string[];
  readonly removed: readonly string[];
  readonly changed: readonly { readonly node: string; readonly fields: readonly string[] }[];
  /** Fields of the graph itself. */
  readonly settings: readonly string[];
  /** True when the nodes that both have stand in another order. */
  readonly reordered: boolean;
}

/** Which nodes were added, removed and changed, and in which fields. */
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
  const kept = [...now.keys()].filter((id) => old.has(id));
  return {
    added: [...now.keys()].filter((id) => !old.has(id)),
    removed: [...old.keys()].filter((id) => !now.has(id)),
    changed,
    settings: changedFields(oldSettings, newSettings),
    reordered: [...old.keys()].filter((id) => now.has(id)).some((id, index) => id !== kept[index]),
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

/** The fields that differ; inside objects each inner field on its own, as `args.path`. */
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
  if (old === undefined) return `+ ${name}: ${short(now)}`;
  return now === undefined ? `- ${name}: ${short(old)}` : `~ ${name}: ${short(old)} → ${short(now)}`;
}

/** Reads a field as `changedFields` writes it: only the last key may hold dots. */
function at(value: unknown, field: string): Json | undefined {
  if (!isJsonObject(value as Json)) return undefined;
  const members = value as JsonObject;
  if (Object.hasOwn(members, field)) return members[field];
  const dot = field.indexOf('.');
  if (dot === -1) return undefined;
  const key = field.slice(0, dot);
  return Object.hasOwn(members, key) ? at(members[key], field.slice(dot + 1)) : undefined;
}

function short(value: Json | undefined): string {
  const written = JSON.stringify(value) ?? 'nothing';
  return written.length > LONGEST_VALUE ? `${written.slice(0, LONGEST_VALUE - 1).toWellFormed()}…` : written;
}
