// Owns: which fields a form has, read from a JSON Schema. Does not own: how a field looks.
import { isRecord } from '../../../parts/graph-canvas/graph-document.ts';

export interface FormField {
  readonly name: string;
  readonly kind: 'line' | 'text' | 'choice' | 'switch' | 'lines' | 'value' | 'json';
  readonly isRequired: boolean;
  readonly hint?: string;
  /** For a choice. */
  readonly options?: readonly string[];
}

type Schema = Readonly<Record<string, unknown>>;

/** Fields whose text is usually longer than a line. */
const LONG = /prompt|goal|question|expression|description|content|text|body|instructions/;

/** The schema of the nodes of a type, in the schema of graphs. */
export function nodeSchemaOf(graphSchema: unknown, type: string): Schema | undefined {
  const variants = at(graphSchema, 'properties', 'nodes', 'items', 'oneOf');
  if (!Array.isArray(variants)) return undefined;
  return variants.find((variant) => at(variant, 'properties', 'type', 'const') === type) as
    | Schema
    | undefined;
}

/** The types of nodes with one sentence for each. */
export function nodeTypesOf(
  graphSchema: unknown,
): readonly { readonly type: string; readonly summary: string }[] {
  const variants = at(graphSchema, 'properties', 'nodes', 'items', 'oneOf');
  if (!Array.isArray(variants)) return [];
  return variants.flatMap((variant) => {
    const type = at(variant, 'properties', 'type', 'const');
    return typeof type === 'string' ? [{ type, summary: String(at(variant, 'description') ?? '') }] : [];
  });
}

/** The fields of an object in the order of its schema, required ones first. */
export function fieldsOf(schema: unknown, without: readonly string[] = []): readonly FormField[] {
  const properties = at(schema, 'properties');
  if (!isRecord(properties)) return [];
  const needed = at(schema, 'required');
  const required = new Set(Array.isArray(needed) ? needed : []);
  const fields = Object.entries(properties)
    .filter(([name]) => !without.includes(name))
    .map(([name, property]) => fieldOf(name, property, required.has(name)));
  return [
    ...fields.filter(({ isRequired }) => isRequired),
    ...fields.filter(({ isRequired }) => !isRequired),
  ];
}

function fieldOf(name: string, property: unknown, isRequired: boolean): FormField {
  const hint = at(property, 'description');
  const base = { name, isRequired, ...(typeof hint === 'string' && { hint }) };
  const options = at(property, 'enum');
  if (Array.isArray(options) && options.every((option) => typeof option === 'string'))
    return { ...base, kind: 'choice', options };
  return { ...base, kind: kindOf(name, property) };
}

function kindOf(name: string, property: unknown): FormField['kind'] {
  switch (at(property, 'type')) {
    case 'string':
      return LONG.test(name) ? 'text' : 'line';
    case 'boolean':
      return 'switch';
    case 'array':
      return at(property, 'items', 'type') === 'string' ? 'lines' : 'json';
    case 'object':
      return 'json';
    default:
      return 'value';
  }
}

function at(value: unknown, ...keys: readonly string[]): unknown {
  return keys.reduce<unknown>(
    (now, key) => (isRecord(now) && Object.hasOwn(now, key) ? now[key] : undefined),
    value,
  );
}

/** A name of a field for people: `timeout_seconds` → "Timeout seconds". */
export function fieldLabel(name: string): string {
  const words = name.replaceAll('_', ' ');
  return words.charAt(0).toUpperCase() + words.slice(1);
}

/** A value as text: a text that is not JSON needs no quotes. */
export function showValue(value: unknown): string {
  if (value === undefined) return '';
  if (typeof value !== 'string') return JSON.stringify(value, undefined, isRecord(value) ? 2 : undefined);
  return isJson(value) || value === '' ? JSON.stringify(value) : value;
}

/** The inverse of showValue. Empty text is no value. */
export function readValue(text: string): unknown {
  if (text.trim() === '') return undefined;
  return isJson(text) ? (JSON.parse(text) as unknown) : text;
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}
