import * as z from 'zod';
import type { Json, JsonObject } from '../kernel/index.ts';
import { isJsonObject, valueAt } from './json-value.ts';
import type { FieldPath, Finding } from './node-type.ts';
import { readIssues, type SchemaIssue } from './schema-issues.ts';
import { hasTemplate, isWholeTemplate } from './template-values.ts';

const TYPES = ['string', 'number', 'integer', 'boolean', 'object', 'array', 'null'];

/** Keywords whose value is a schema, or a list of schemas. */
const SCHEMAS = ['items', 'prefixItems', 'additionalProperties', 'contains', 'anyOf', 'oneOf', 'allOf'];
/** Keywords whose value maps names to schemas. */
const SCHEMA_MAPS = ['properties', '$defs', 'definitions'];
/** Keywords that are copied unchanged. */
const PLAIN = [
  ...['$schema', 'type', 'enum', 'const', 'required', 'minProperties', 'maxProperties'],
  ...['minItems', 'maxItems', 'uniqueItems', 'minLength', 'maxLength', 'minimum', 'maximum'],
  ...['exclusiveMinimum', 'exclusiveMaximum', 'multipleOf', 'minContains', 'maxContains'],
];

const converted = new WeakMap<JsonObject, z.ZodType | undefined>();

/**
 * Checks a value against a JSON Schema. Ignores keywords that it cannot check. With `templates`, a string that is one
 * template fits anywhere, and one with templates inside is text of unknown content.
 */
export function findSchemaIssues(
  schema: JsonObject,
  value: Json,
  options: { readonly templates?: boolean } = {},
): readonly SchemaIssue[] {
  try {
    const result = convert(schema)?.safeParse(value);
    if (result === undefined || result.success) return [];
    const issues = options.templates
      ? result.error.issues.filter((issue) => holdsInEveryRun(issue, value))
      : result.error.issues;
    return readIssues(issues, value, (path) => knownKeys(schema, path));
  } catch {
    // A cyclic schema, or one deeper than the stack: the tool itself checks its arguments.
    return [];
  }
}

/** Converts a schema once; undefined when it cannot be converted. */
function convert(schema: JsonObject): z.ZodType | undefined {
  if (converted.has(schema)) return converted.get(schema);
  let made: z.ZodType | undefined;
  try {
    made = z.fromJSONSchema(relax(schema) as never, { registry: z.registry() });
  } catch {
    made = undefined;
  }
  converted.set(schema, made);
  return made;
}

/** Omits keywords that cannot be converted, or would run a pattern in unbounded time. */
function relax(schema: Json): Json {
  if (!isJsonObject(schema)) return schema !== false;
  const relaxed: Record<string, Json> = {};
  for (const keyword of PLAIN) if (schema[keyword] !== undefined) relaxed[keyword] = schema[keyword];
  for (const keyword of SCHEMAS) {
    const part = schema[keyword];
    if (part !== undefined) relaxed[keyword] = Array.isArray(part) ? part.map(relax) : relax(part);
  }
  for (const keyword of SCHEMA_MAPS) {
    const part = schema[keyword];
    if (isJsonObject(part))
      relaxed[keyword] = Object.fromEntries(Object.entries(part).map(([name, one]) => [name, relax(one)]));
  }
  if (schema['patternProperties'] !== undefined) relaxed['additionalProperties'] = true;
  const ref = schema['$ref'];
  if (typeof ref === 'string' && /^#(\/(\$defs|definitions)\/[^/]+)?$/.test(ref)) relaxed['$ref'] = ref;
  if (relaxed['type'] === undefined && isJsonObject(schema['properties'])) relaxed['type'] = 'object';
  return relaxed;
}

type Issue = z.core.$ZodIssue;

/** False for an issue that filled templates may resolve. */
function holdsInEveryRun(issue: Issue, value: Json): boolean {
  const found = valueAt(value, issue.path as FieldPath);
  if (isWholeTemplate(found)) return false;
  if (typeof found === 'string' && hasTemplate(found)) {
    if (issue.code === 'invalid_union') return everyAlternativeFails(issue, found);
    return issue.code === 'invalid_type';
  }
  if (issue.code === 'invalid_union' && found !== undefined)
    return everyAlternativeFails(issue, found as Json);
  return true;
}

function everyAlternativeFails(issue: Issue & { code: 'invalid_union' }, found: Json): boolean {
  if (issue.errors.length === 0) return !hasTemplate(found);
  return issue.errors.every((issues) => issues.some((one) => holdsInEveryRun(one, found)));
}

function knownKeys(schema: JsonObject, path: FieldPath): readonly string[] {
  const place = path.flatMap((key) => (typeof key === 'number' ? ['items'] : ['properties', key]));
  const properties = valueAt(schema, [...place, 'properties']);
  return isJsonObject(properties) ? Object.keys(properties) : [];
}

/** Checks that a JSON Schema inside a graph is well formed. */
export function* checkSchema(schema: Json, field: FieldPath): Generator<Finding> {
  if (typeof schema === 'boolean') return;
  if (!isJsonObject(schema)) {
    yield invalidSchema(field, 'a schema must be an object, true or false');
    return;
  }
  const types = Array.isArray(schema['type']) ? (schema['type'] as Json[]) : [schema['type'] ?? 'object'];
  for (const type of types) {
    if (typeof type !== 'string' || !TYPES.includes(type))
      yield invalidSchema(
        [...field, 'type'],
        `${JSON.stringify(type)} is not a type; use ${TYPES.join(', ')}`,
      );
  }
  const required = schema['required'];
  if (
    required !== undefined &&
    !(Array.isArray(required) && required.every((name) => typeof name === 'string'))
  )
    yield invalidSchema([...field, 'required'], '"required" must be a list of names');
  for (const keyword of SCHEMAS) {
    const part = schema[keyword];
    if (Array.isArray(part))
      for (const [index, one] of part.entries()) yield* checkSchema(one, [...field, keyword, index]);
    else if (part !== undefined) yield* checkSchema(part, [...field, keyword]);
  }
  for (const keyword of SCHEMA_MAPS) {
    const part = schema[keyword];
    if (part === undefined) continue;
    if (!isJsonObject(part)) yield invalidSchema([...field, keyword], `"${keyword}" must be an object`);
    else for (const [name, one] of Object.entries(part)) yield* checkSchema(one, [...field, keyword, name]);
  }
}

function invalidSchema(field: FieldPath, problem: string): Finding {
  return { code: 'graph.invalid_schema', field, message: `${problem}.` };
}
