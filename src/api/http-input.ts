// Owns: turning an HTTP request into the arguments of its operation. Does not own: reading the request.
import { isDeepStrictEqual } from 'node:util';
import * as z from 'zod';
import { didYouMean, isTooDeep, nearestName, OkaError } from '../kernel/index.ts';
import { baseOf, type HttpField, hasBody, httpFields } from './http-fields.ts';
import type { HttpRoute } from './http-routes.ts';
import { operationSchemas } from './operation-schemas.ts';

/** What a server has read of a request. */
export interface HttpRequest {
  readonly params: Readonly<Record<string, string>>;
  /** A parameter that is given several times is a list. */
  readonly query: Readonly<Record<string, string | readonly string[] | undefined>>;
  /** The parsed JSON; missing for a request without a body. */
  readonly body?: unknown;
  /** The header `Idempotency-Key`, which is the field `key` of a start. */
  readonly key?: string | undefined;
}

/** The arguments of the operation, in order. Fails with `http.bad_request`, which names the field. */
export async function httpInput(route: HttpRoute, request: HttpRequest): Promise<readonly unknown[]> {
  const fields = await httpFields(route);
  const given = givenValues(route, fields, request);
  const input: unknown[] = [];
  for (const field of fields) {
    const value = Object.hasOwn(given, field.name) ? given[field.name] : field.default;
    if (value !== undefined) put(input, field.place, value);
  }
  await check(route, fields, input);
  return input;
}

/** The values of the request by field. */
function givenValues(
  route: HttpRoute,
  fields: readonly HttpField[],
  { params, query, body, key }: HttpRequest,
): Readonly<Record<string, unknown>> {
  const texts = Object.entries({ ...query, ...params }).filter(([, value]) => value !== undefined);
  if (!hasBody(route) && body !== undefined)
    throw refusal(route, 'body', 'this method takes no body; use query parameters');
  const values = new Map<string, unknown>(Object.entries(hasBody(route) ? bodyOf(route, body) : {}));
  for (const [name, value] of texts) {
    const field = fields.find((one) => one.name === name && one.in !== 'body');
    if (field === undefined) throw unknownField(route, name, fields);
    values.set(name, coerce(route, field, value as string | readonly string[]));
  }
  if (key !== undefined) {
    if (!route.background || !fields.some((field) => field.name === 'key'))
      throw refusal(route, 'Idempotency-Key', 'only starts of runs take a key');
    if (values.has('key') && values.get('key') !== key)
      throw refusal(route, 'Idempotency-Key', 'the body has another key');
    values.set('key', key);
  }
  for (const name of values.keys())
    if (!fields.some((field) => field.name === name)) throw unknownField(route, name, fields);
  return Object.fromEntries(values);
}

function bodyOf(route: HttpRoute, body: unknown): Readonly<Record<string, unknown>> {
  if (body === undefined || body === null) return {};
  if (typeof body !== 'object' || Array.isArray(body)) throw refusal(route, 'body', 'expected a JSON object');
  if (isTooDeep(body)) throw refusal(route, 'body', 'its JSON is nested deeper than 1,000 levels');
  for (const name of pathNames(route))
    if (Object.hasOwn(body, name)) throw refusal(route, name, 'it belongs into the path, not into the body');
  return body as Readonly<Record<string, unknown>>;
}

function pathNames({ path }: HttpRoute): readonly string[] {
  return [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name as string);
}

/** The value that a text in a path or a query stands for. */
function coerce(route: HttpRoute, field: HttpField, value: string | readonly string[]): unknown {
  const base = baseOf(field.schema);
  if (base instanceof z.ZodArray)
    return [value].flat().map((one) => coerceOne(route, field, base.element as z.ZodType, one as string));
  if (typeof value === 'string') return coerceOne(route, field, base, value);
  if (value.length === 1) return coerceOne(route, field, base, value[0] as string);
  throw refusal(route, field.name, 'it is given more than once');
}

function coerceOne(route: HttpRoute, { name }: HttpField, schema: z.ZodType, value: string): unknown {
  if (schema instanceof z.ZodNumber) {
    const number = value.trim() === '' ? Number.NaN : Number(value);
    if (Number.isFinite(number)) return number;
    throw refusal(route, name, `expected a number, got "${value}"`);
  }
  if (schema instanceof z.ZodBoolean) {
    if (value === 'true' || value === 'false') return value === 'true';
    throw refusal(route, name, `expected true or false, got "${value}"`);
  }
  return value;
}

/** Puts a value at its place, and makes the objects around it. */
function put(input: unknown[], [index, ...path]: HttpField['place'], value: unknown): void {
  const last = path.pop();
  if (last === undefined) {
    input[index] = value;
    return;
  }
  input[index] ??= {};
  let holder = input[index] as Record<string, unknown>;
  for (const key of path) {
    holder[key] ??= {};
    holder = holder[key] as Record<string, unknown>;
  }
  holder[last] = value;
}

/** Compares the arguments with the schemas. Parsing drops unknown fields, so a difference is an unknown field. */
async function check(route: HttpRoute, fields: readonly HttpField[], input: unknown[]): Promise<void> {
  const { input: schema, names } = await operationSchemas(route.operation);
  if (names === undefined) input[0] ??= {};
  const given = names
    ? Object.fromEntries(
        names.flatMap((name, i) => (name && input[i] !== undefined ? [[name, input[i]]] : [])),
      )
    : input[0];
  const { data, error } = schema.safeParse(given);
  const [issue] = error?.issues ?? [];
  if (issue !== undefined) throw refusal(route, nameOf(issue.path, names, fields), issue.message);
  const path = difference(given, data);
  if (path !== undefined) throw refusal(route, nameOf(path, names, fields), 'unknown field');
}

/** The name of a value in the request, which is flat. */
function nameOf(
  path: readonly PropertyKey[],
  names: readonly string[] | undefined,
  fields: readonly HttpField[],
): string {
  const keys = path.map(String);
  const place = names === undefined ? [0, ...keys] : [names.indexOf(keys[0] ?? ''), ...keys.slice(1)];
  const field = fields.find((one) => one.place.every((part, i) => part === place[i]));
  if (field === undefined) return keys.at(-1) ?? 'body';
  return [field.name, ...place.slice(field.place.length)].join('.');
}

/** The path of the first value that the other one does not have. */
function difference(
  given: unknown,
  kept: unknown,
  path: readonly string[] = [],
): readonly string[] | undefined {
  if (isDeepStrictEqual(given, kept)) return undefined;
  if (!isObject(given) || !isObject(kept)) return path;
  for (const [key, value] of Object.entries(given)) {
    if (!Object.hasOwn(kept, key)) return [...path, key];
    const inner = difference(value, kept[key], [...path, key]);
    if (inner !== undefined) return inner;
  }
  return path;
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null;
}

function unknownField(route: HttpRoute, name: string, fields: readonly HttpField[]): OkaError {
  const known = fields.map((field) => field.name);
  if (fields.some((field) => field.name === name && field.in === 'body'))
    return refusal(route, name, 'it belongs into the JSON body, not into the query');
  const all = known.length === 0 ? 'This request takes no fields' : `Known fields: ${known.join(', ')}`;
  return refusal(route, name, `unknown field. ${didYouMean(nearestName(name, known), all)}`);
}

function refusal({ method, path, operation }: HttpRoute, field: string, why: string): OkaError {
  const end = /[.?]$/.test(why) ? '' : '.';
  const message = `Invalid request to ${method} ${path}: ${field}: ${why}${end} See GET /v1/openapi.json.`;
  return new OkaError('http.bad_request', message, { data: { operation, field } });
}
