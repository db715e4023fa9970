import { didYouMean, type Json, type JsonObject, nearestName, OkaError } from '../kernel/index.ts';
import type { GraphErrorCode } from './errors.ts';
import { isRefusedKey } from './json-value.ts';
import type { GraphDefinition } from './types.ts';

const FIXED_FIELDS = ['node_id', 'type'];
const MAX_KEYS = 100;

/**
 * Sets one field of one node, such as `timeout_seconds`, `args.path` or `branch_options[0]`, and returns the new
 * definition. Does not check whether the result compiles.
 */
export function patchGraph(
  definition: GraphDefinition,
  nodeId: string,
  field: string,
  value: Json,
): GraphDefinition {
  const place = { nodeId, field };
  const keys = splitField(place);
  const index = definition.nodes.findIndex((node) => node.node_id === nodeId);
  const node = definition.nodes[index];
  if (node === undefined) {
    const ids = definition.nodes.map((one) => one.node_id);
    const next = didYouMean(nearestName(nodeId, ids), 'See: oka graph show.');
    throw refuse(`there is no node "${nodeId}". ${next}`, { nodeId });
  }
  refuseKeysIn(value, place);
  const patched = setAt(node as unknown as Json, keys, value, place);
  const nodes = definition.nodes.with(index, patched as unknown as typeof node);
  return { ...definition, nodes };
}

interface Place {
  readonly nodeId: string;
  readonly field: string;
}

function splitField(place: Place): readonly string[] {
  const { field } = place;
  const keys = field.replaceAll(/\[(\d+)\]/g, '.$1').split('.');
  if (keys.some((key) => key === '') || keys.length > MAX_KEYS)
    throw refuse(`"${field}" is not a field; write names joined by dots, as in args.path.`, place);
  const bad = keys.find(isRefusedKey);
  if (bad !== undefined) throw refuse(`"${bad}" may not be used in a field; choose another key.`, place);
  const first = keys[0] as string;
  if (FIXED_FIELDS.includes(first))
    throw refuse(`"${first}" cannot be patched; edit the file and every reference to the node.`, place);
  return keys;
}

function setAt(value: Json | undefined, keys: readonly string[], leaf: Json, place: Place): Json {
  const [key, ...rest] = keys;
  if (key === undefined) return leaf;
  if (Array.isArray(value)) {
    const index = Number(key);
    if (!Number.isInteger(index) || index < 0 || index > value.length) {
      throw refuse(
        `"${key}" in "${place.field}" is not an index of a list of ${value.length}; use 0 to ${value.length}.`,
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

function refuseKeysIn(value: Json, place: Place): void {
  const waiting: Json[] = [value];
  for (let part = waiting.pop(); part !== undefined; part = waiting.pop()) {
    if (part === null || typeof part !== 'object') continue;
    const bad = Object.keys(part).find(isRefusedKey);
    if (bad !== undefined) throw refuse(`"${bad}" may not be used as a key; choose another one.`, place);
    for (const member of Object.values(part)) waiting.push(member as Json);
  }
}

function refuse(message: string, data: Partial<Place>): OkaError<GraphErrorCode> {
  return new OkaError('graph.patch_refused', message, { data });
}
