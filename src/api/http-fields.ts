// Owns: the fields of an HTTP request, taken from the arguments of its operation.
import * as z from 'zod';
import type { Json } from '../kernel/index.ts';
import type { HttpRoute } from './http-routes.ts';
import { operationSchemas } from './operation-schemas.ts';

/** A field of a request, and its place in the arguments of the operation. */
export interface HttpField {
  readonly name: string;
  readonly in: 'path' | 'query' | 'body';
  readonly schema: z.ZodType;
  readonly required: boolean;
  /** Used if the request leaves the field out. */
  readonly default?: Json;
  /** The number of the argument, and the names of the fields inside it. */
  readonly place: readonly [number, ...string[]];
}

export function hasBody({ method }: HttpRoute): boolean {
  return method === 'POST' || method === 'PUT';
}

/**
 * The fields of a route. Arguments that are objects are spread, so that a request is flat. A query is flat too, so there the
 * objects inside arguments are also spread.
 */
export async function httpFields(route: HttpRoute): Promise<readonly HttpField[]> {
  const { input, names } = await operationSchemas(route.operation);
  const shape = input.shape as Readonly<Record<string, z.ZodType>>;
  const depth = hasBody(route) ? 1 : Number.POSITIVE_INFINITY;
  if (names === undefined) return spread(route, shape, { place: [0], optional: false, depth: depth - 1 });
  return names.flatMap((name, index) => {
    const schema = shape[name];
    if (schema === undefined) return [];
    return fieldsOf(route, name, schema, { place: [index], optional: false, depth, isArgument: true });
  });
}

interface Position {
  readonly place: readonly [number, ...string[]];
  /** Inside an object that may be missing. */
  readonly optional: boolean;
  /** How many levels of objects are still spread. */
  readonly depth: number;
  readonly isArgument?: boolean;
}

function spread(
  route: HttpRoute,
  shape: Readonly<Record<string, z.ZodType>>,
  position: Position,
): readonly HttpField[] {
  return Object.entries(shape).flatMap(([name, schema]) =>
    fieldsOf(route, name, schema, { ...position, isArgument: false }),
  );
}

function fieldsOf(
  route: HttpRoute,
  name: string,
  schema: z.ZodType,
  { place, optional, depth, isArgument }: Position,
): readonly HttpField[] {
  const here: HttpField['place'] = isArgument ? place : [...place, name];
  const isOptional = schema.safeParse(undefined).success || schema instanceof z.ZodExactOptional;
  const inner = baseOf(schema);
  if (inner instanceof z.ZodObject && depth > 0)
    return spread(route, inner.shape, { place: here, optional: optional || isOptional, depth: depth - 1 });
  const inPath = route.path.includes(`{${name}}`);
  const fallback = route.defaults[name];
  return [
    {
      ...{ name, schema, place: here },
      in: inPath ? 'path' : hasBody(route) ? 'body' : 'query',
      required: inPath || !(isOptional || optional || fallback !== undefined),
      ...(fallback === undefined || inPath ? {} : { default: fallback }),
    },
  ];
}

/** The schema without the wrappers that only allow a value to be missing or fix it. */
export function baseOf(schema: z.ZodType): z.ZodType {
  let base = schema;
  while (
    base instanceof z.ZodOptional ||
    base instanceof z.ZodExactOptional ||
    base instanceof z.ZodReadonly ||
    base instanceof z.ZodNullable
  )
    base = base.unwrap() as z.ZodType;
  return base;
}
