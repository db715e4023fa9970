import { didYouMean, type Json, type JsonObject, nearestName, OkaError } from '../kernel/index.ts';
import type { GraphErrorCode } from './errors.ts';
import { isRefusedKey } from './plain-json.ts';
import type { GraphDefinition } from './types.ts';

const FIXED_FIELDS = ['node_id', 'type'];
const MOST_KEYS = 100;

/**
 * Sets one field of one node, such as `timeout_seconds`, `args.path` or `branch_options[0]`, and gives the new
 * definition; the old one stays as it is. Says nothing about whether the result compiles.
 */
export function patchGraph(
  definition: GraphDefinition,
  nodeId: string,
  field: string,
  value: Json,
): GraphDefinition {
  const keys = splitField(field, nodeId);
  const index = definition.nodes.findIndex((node) => node.node_id === nodeId);
  const node = definition.nodes[index];
  if (node === undefined) {
    const ids = definition.nodes.map((one) => one.node_id);
    throw refuse(
      `there is no node "${nodeId}". ${didYouMean(nearestName(nodeId, ids), 'See: oka graph show.')}`,
      {
        nodeId,
      },
    );
  }
  refuseKeysIn(value, nodeId, field);
  const patched = setAt(node as unknown as Json, keys, value, { nodeId, field });
  const nodes = definition.nodes.with(index, patched as unknown as typeof node);
  return { ...definition, nodes };
}

interface Place {
  readonly nodeId: string;
  readonly field: string;
}

function splitField(field: string, nodeId: string): readonly string[] {
  const keys = field.replaceAll(/\[(\d+)\]/g, '.$1').split('.');
  if (keys.some((key) => key === '') || keys.length > MOST_KEYS)
    throw refuse(`"${field}" is not a field; write names joined by dots, as in args.path.`, {
      nodeId,
      field,
    });
  const bad = keys.find(isRefusedKey);
  if (bad !== undefined)
    throw refuse(`"${bad}" may not be used in a field; choose another key.`, { nodeId, field });
  const first = keys[0] as string;
  if (FIXED_FIELDS.includes(first)) {
    throw refuse(
      `"${first}" holds the graph together and cannot be patched; edit the file, with all that refers to the node.`,
      { nodeId, field },
    );
  }
  return keys;
}

function setAt(value: Json | undefined, keys: readonly string[], leaf: Json, place: Place): Json {
  const [key, ...rest] = keys;
  if (key === undefined) return leaf;
  if (Array.isArray(value)) {
    const index = Number(key);
    if (!Number.isInteger(index) || index < 0 || index > value.length) {
      throw refuse(
        `"${key}" in "${place.field}" is not a place in a list of ${value.length}; use 0 to ${value.length}.`,
        place,
      );
    }
    const items = [...(value as readonly Json[])];
    items[index] = setAt(items[index], rest, leaf, place);
    return items;
  }
  if (value !== undefined && (value === null || typeof value !== 'object')) {
    throw refuse(`"${place.field}" leads into a value that has no fields; patch the whole value.`, place);
  }
  const members = (value ?? {}) as JsonObject;
  const inner = Object.hasOwn(members, key) ? members[key] : undefined;
  return { ...members, [key]: setAt(inner, rest, leaf, place) };
}

function refuseKeysIn(value: Json, nodeId: string, field: string): void {
  const waiting: Json[] = [value];
  for (let part = waiting.pop(); part !== undefined; part = waiting.pop()) {
    if (part === null || typeof part !== 'object') continue;
    const bad = Object.keys(part).find(isRefusedKey);
    if (bad !== undefined)
      throw refuse(`"${bad}" may not be used as a key; choose another one.`, { nodeId, field });
    for (const member of Object.values(part)) waiting.push(member as Json);
  }
}

function refuse(message: string, data: Partial<Place>): OkaError<GraphErrorCode> {
  return new OkaError('graph.patch_refused', message, { data });
}
