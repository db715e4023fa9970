import * as z from 'zod';
import type { Json, JsonObject } from '../kernel/index.ts';
import { valueAt } from './json-path.ts';
import type { FieldPath, Finding } from './node-type.ts';
import { isJsonObject } from './plain-json.ts';
import { readIssues, type SchemaIssue } from './schema-issues.ts';
import { holdsTemplate, isWholeTemplate } from './template-values.ts';

const TYPES = ['string', 'number', 'integer', 'boolean', 'object', 'array', 'null'];

/** Keywords whose value is a schema, or a list of schemas. */
const SCHEMAS = ['items', 'prefixItems', 'additionalProperties', 'contains', 'anyOf', 'oneOf', 'allOf'];
/** Keywords whose value maps names to schemas. */
const SCHEMA_MAPS = ['properties', '$defs', 'definitions'];
/** Keywords that are kept as they are. */
const PLAIN = [
  ...['$schema', 'type', 'enum', 'const', 'required', 'minProperties', 'maxProperties'],
  ...['minItems', 'maxItems', 'uniqueItems', 'minLength', 'maxLength', 'minimum', 'maximum'],
  ...['exclusiveMinimum', 'exclusiveMaximum', 'multipleOf', 'minContains', 'maxContains'],
];

type Schema = z.ZodType | undefined;
const converted = new WeakMap<JsonObject, { schema: Schema }>();

/**
 * How a value does not fit a JSON Schema. Keywords that cannot be checked here are passed over. With `templates`, a
 * string that is one template fits anywhere, and one with templates inside is a text that nobody knows yet.
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
    // A schema that leads in a circle, or deeper than the stack: the tool itself will check its arguments.
    return [];
  }
}

/** Whether a JSON Schema that stands in a graph can be one. */
export function checkSchema(schema: JsonObject, field: FieldPath): Finding[] {
  return [...schemaProblems(schema, field)];
}

function convert(schema: JsonObject): Schema {
  const known = converted.get(schema);
  if (known !== undefined) return known.schema;
  const made = { schema: tryConvert(schema) };
  converted.set(schema, made);
  return made.schema;
}

function tryConvert(schema: JsonObject): Schema {
  try {
    return z.fromJSONSchema(relax(schema) as never, { registry: z.registry() });
  } catch {
    return undefined;
  }
}

/** Leaves out what cannot be converted, or would run a pattern in unbounded time; the rest still holds. */
function relax(schema: Json): Json {
  if (schema === null || typeof schema !== 'object' || Array.isArray(schema)) return schema !== false;
  const source = schema as JsonObject;
  const kept: Record<string, Json> = {};
  for (const keyword of PLAIN) if (source[keyword] !== undefined) kept[keyword] = source[keyword];
  for (const keyword of SCHEMAS) {
    const part = source[keyword];
    if (part !== undefined) kept[keyword] = Array.isArray(part) ? part.map(relax) : relax(part);
  }
  for (const keyword of SCHEMA_MAPS) {
    const part = source[keyword];
    if (isJsonObject(part))
      kept[keyword] = Object.fromEntries(Object.entries(part).map(([name, one]) => [name, relax(one)]));
  }
  if (source['patternProperties'] !== undefined) kept['additionalProperties'] = true;
  const ref = source['$ref'];
  if (typeof ref === 'string' && /^#(\/(\$defs|definitions)\/[^/]+)?$/.test(ref)) kept['$ref'] = ref;
  if (kept['type'] === undefined && isJsonObject(source['properties'])) kept['type'] = 'object';
  return kept;
}

type Issue = z.core.$ZodIssue;

/** False for an issue that may vanish once templates are filled. */
function holdsInEveryRun(issue: Issue, value: Json): boolean {
  const found = valueAt(value, issue.path as FieldPath);
  if (isWholeTemplate(found)) return false;
  if (typeof found === 'string' && holdsTemplate(found)) {
    if (issue.code === 'invalid_union') return everyAlternativeFails(issue, found);
    return issue.code === 'invalid_type';
  }
  if (issue.code === 'invalid_union' && found !== undefined)
    return everyAlternativeFails(issue, found as Json);
  return true;
}

function everyAlternativeFails(issue: Issue & { code: 'invalid_union' }, found: Json): boolean {
  if (issue.errors.length === 0) return !holdsTemplate(found);
  return issue.errors.every((issues) => issues.some((one) => holdsInEveryRun(one, found)));
}

function knownKeys(schema: JsonObject, path: FieldPath): readonly string[] {
  const place = path.flatMap((key) => (typeof key === 'number' ? ['items'] : ['properties', key]));
  const properties = valueAt(schema, [...place, 'properties']);
  return isJsonObject(properties as Json) ? Object.keys(properties as JsonObject) : [];
}

function* schemaProblems(schema: Json, field: FieldPath): Generator<Finding> {
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
      for (const [index, one] of part.entries()) yield* schemaProblems(one, [...field, keyword, index]);
    else if (part !== undefined) yield* schemaProblems(part, [...field, keyword]);
  }
  for (const keyword of SCHEMA_MAPS) {
    const part = schema[keyword];
    if (part === undefined) continue;
    if (!isJsonObject(part)) yield invalidSchema([...field, keyword], `"${keyword}" must be an object`);
    else
      for (const [name, one] of Object.entries(part)) yield* schemaProblems(one, [...field, keyword, name]);
  }
}

function invalidSchema(field: FieldPath, problem: string): Finding {
  return { code: 'graph.invalid_schema', field, message: `${problem}.` };
}
