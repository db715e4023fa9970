// Owns: the changes that remove simple findings of the compiler, for editors.
import { type Json, nearestName } from '../kernel/index.ts';
import { valueAt } from './json-value.ts';
import { NODE_TYPE_NAMES } from './node-types.ts';
import type { Diagnostic } from './types.ts';

/** A change that removes a finding: the value to set at a JSON pointer. Without a value, the field is removed. */
export interface QuickFix {
  readonly what: string;
  readonly pointer: string;
  readonly value?: Json;
}

/** Values that a mode requires. */
const REQUIRED: Readonly<Record<string, Json>> = { 'graph.missing_timeout': 60, 'graph.missing_retries': 2 };
const NEEDLESS: readonly string[] = ['graph.unknown_field', 'graph.needless_field', 'graph.unknown_argument'];

/** The fix of a finding, if it is simple: the nearest name, a required value, or the removal of a field. */
export function quickFixOf(
  { code, path }: Diagnostic,
  definition: unknown,
  tools: readonly string[],
): QuickFix | undefined {
  const keys = keysOf(path);
  const pointer = keys.map((key) => `/${String(key).replaceAll('~', '~0').replaceAll('/', '~1')}`).join('');
  const last = keys.at(-1);
  if (last === undefined) return undefined;
  const required = REQUIRED[code];
  if (required !== undefined) return { what: `Set ${last} to ${required}`, pointer, value: required };
  if (NEEDLESS.includes(code)) return { what: `Remove ${last}`, pointer };
  const given = valueAt(definition, keys);
  const nearest =
    typeof given === 'string' ? nearestName(given, namesFor(code, definition, tools)) : undefined;
  return nearest === undefined ? undefined : { what: `Change it to "${nearest}"`, pointer, value: nearest };
}

/** The names that may be written where a finding is. */
function namesFor(code: string, definition: unknown, tools: readonly string[]): readonly string[] {
  switch (code) {
    case 'graph.unknown_target':
    case 'graph.unknown_start':
      return nodeIds(definition);
    case 'graph.unknown_tool':
      return tools;
    case 'graph.unknown_node_type':
      return NODE_TYPE_NAMES;
    default:
      return [];
  }
}

function nodeIds(definition: unknown): readonly string[] {
  const { nodes } = (definition ?? {}) as { nodes?: unknown };
  if (!Array.isArray(nodes)) return [];
  return nodes.flatMap((node: { node_id?: unknown } | null) =>
    typeof node?.node_id === 'string' ? [node.node_id] : [],
  );
}

/** The keys of a JSON path such as `$.nodes[3].next` or `$.vars["a b"]`. */
function keysOf(path: string): readonly (string | number)[] {
  const parts = path.matchAll(/\[(\d+)\]|\[("(?:[^"\\]|\\.)*")\]|\.([^.[]+)/g);
  return [...parts].map(([, index, quoted, name]) => {
    if (index !== undefined) return Number(index);
    return quoted === undefined ? (name as string) : (JSON.parse(quoted) as string);
  });
}
