import type { FieldPath } from './node-type.ts';

const PLAIN_KEY = /^[A-Za-z_$][A-Za-z0-9_$]*$/;

/** A path as text: `$.nodes[3].branch_targets["not now"]`. */
export function jsonPath(path: FieldPath): string {
  let text = '$';
  for (const key of path) {
    if (typeof key === 'number') text += `[${key}]`;
    else text += PLAIN_KEY.test(key) ? `.${key}` : `[${JSON.stringify(key)}]`;
  }
  return text;
}

/** What stands at a path; own members only. */
export function valueAt(value: unknown, path: FieldPath): unknown {
  let found = value;
  for (const key of path) {
    if (found === null || typeof found !== 'object' || !Object.hasOwn(found, key)) return undefined;
    found = (found as Record<string | number, unknown>)[key];
  }
  return found;
}
