import type { Json } from '../kernel/index.ts';
import type { FieldPath } from './node-type.ts';

const PLACEHOLDER = /\{\{([^{}]*)\}\}/g;
const WHOLE = /^\{\{[^{}]*\}\}$/;

/** True for a string that is one template and nothing else: it may become any value. */
export function isWholeTemplate(value: unknown): boolean {
  return typeof value === 'string' && WHOLE.test(value);
}

/** True when the value contains a template, at any depth. */
export function hasTemplate(value: Json): boolean {
  for (const { text } of textsIn(value, [])) if (pathsIn(text).length > 0) return true;
  return false;
}

/** The paths of the templates in a text, in order, as the kernel parses them; linear time for any text. */
export function pathsIn(text: string): readonly string[] {
  if (!text.includes('{{')) return [];
  return [...text.matchAll(PLACEHOLDER)].map(([, path = '']) => path.trim());
}

/** Whether a text opens a template without closing it. */
export function hasUnclosedTemplate(text: string): boolean {
  return text.includes('{{') && text.replaceAll(PLACEHOLDER, '').includes('{{');
}

/** The texts inside a value, each with its path. */
export function* textsIn(value: Json, field: FieldPath): Generator<{ field: FieldPath; text: string }> {
  if (typeof value === 'string') yield { field, text: value };
  else if (Array.isArray(value))
    for (const [index, item] of value.entries()) yield* textsIn(item, [...field, index]);
  else if (value !== null && typeof value === 'object')
    for (const [key, member] of Object.entries(value)) yield* textsIn(member, [...field, key]);
}
