// Owns: the OpenAPI document of the HTTP API, made from the operations. Does not own: what the operations do.
import * as z from 'zod';
import { baseOf, type HttpField, hasBody, httpFields } from './http-fields.ts';
import { HTTP_ROUTES, type HttpRoute } from './http-routes.ts';
import { operationSchemas } from './operation-schemas.ts';
import { SERVER_PATHS } from './server-paths.ts';

type JsonSchema = Readonly<Record<string, unknown>>;

/** Schemas that many answers contain. They get their own names. Loaded late, because building schemas takes long. */
async function sharedSchemas(): Promise<Readonly<Record<string, z.ZodType>>> {
  const { approvalView, artifactView, eventView, runAnswer, runListItem, runView } = await import(
    './run-views.ts'
  );
  return {
    Run: runView,
    RunAnswer: runAnswer,
    RunListItem: runListItem,
    Approval: approvalView,
    Artifact: artifactView,
    Event: eventView,
  };
}

/** Tags by the first part of the path after the version. */
const tagOf = ({ path }: HttpRoute): string => path.split('/')[2] as string;

/** The OpenAPI 3.1 document. */
export async function openApiDocument(): Promise<object> {
  const schemas = z.registry<{ id: string }>();
  for (const [id, schema] of Object.entries(await sharedSchemas())) schemas.add(schema, { id });
  for (const { operation } of HTTP_ROUTES) {
    const item = itemOf((await operationSchemas(operation)).output);
    if (item instanceof z.ZodObject && !schemas.has(item)) schemas.add(item, { id: nameOf(operation) });
  }
  const paths: Record<string, Record<string, unknown>> = structuredClone(SERVER_PATHS);
  for (const route of HTTP_ROUTES) {
    paths[route.path] ??= {};
    Object.assign(paths[route.path] as object, {
      [route.method.toLowerCase()]: await operationOf(route, schemas),
    });
  }
  return {
    openapi: '3.1.0',
    info: {
      title: 'Oka',
      version: '1',
      description: 'The HTTP API of a local Oka daemon. See docs/formats/http.md.',
      license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
    },
    servers: [{ url: '/' }],
    security: [{ token: [] }, { session: [] }],
    paths,
    components: {
      securitySchemes: {
        token: { type: 'http', scheme: 'bearer' },
        session: { type: 'apiKey', in: 'cookie', name: 'oka_session' },
      },
      schemas: { ...componentsOf(schemas), Problem: PROBLEM },
      responses: {
        Problem: {
          description: 'An error, with its code and the next step',
          content: { 'application/problem+json': { schema: { $ref: '#/components/schemas/Problem' } } },
        },
      },
    },
  };
}

type Schemas = z.core.$ZodRegistry<{ id: string }>;

const PROBLEM: JsonSchema = {
  type: 'object',
  properties: {
    status: { type: 'integer' },
    type: { type: 'string' },
    title: { type: 'string' },
    detail: { type: 'string', description: 'What failed, and what to do next' },
    code: { type: 'string' },
    data: { type: 'object', additionalProperties: {} },
    next: { type: 'string' },
  },
  required: ['status', 'type', 'title', 'detail', 'code'],
  additionalProperties: false,
};

/** `runs.explain` → `RunsExplain` */
function nameOf(operation: string): string {
  return operation.replaceAll(/(?:^|\.)(\w)/g, (_, letter: string) => letter.toUpperCase());
}

/** The schema of an answer, or of one item of a list. */
function itemOf(output: z.ZodType): z.ZodType {
  const base = baseOf(output);
  return base instanceof z.ZodArray ? itemOf(base.element as z.ZodType) : base;
}

async function operationOf(route: HttpRoute, schemas: Schemas): Promise<object> {
  const { output } = await operationSchemas(route.operation);
  const fields = await httpFields(route);
  const parameters = fields.filter((field) => field.in !== 'body').map(parameterOf);
  if (route.background && fields.some(({ name }) => name === 'key'))
    parameters.push({ name: 'Idempotency-Key', in: 'header', required: false, schema: { type: 'string' } });
  return {
    operationId: route.operation,
    summary: route.summary,
    tags: [tagOf(route)],
    ...(route.access === 'browser' ? { security: [{ session: [] }] } : {}),
    ...(parameters.length > 0 ? { parameters } : {}),
    ...(hasBody(route) ? { requestBody: bodyOf(fields.filter((field) => field.in === 'body')) } : {}),
    responses: { ...answersOf(route, output, schemas), default: { $ref: '#/components/responses/Problem' } },
  };
}

function answersOf(route: HttpRoute, output: z.ZodType, schemas: Schemas): object {
  const canBeNothing = output.safeParse(undefined).success;
  const nothing = canBeNothing ? { 204: { description: 'Done, or nothing is there' } } : {};
  if (output instanceof z.ZodUndefined) return nothing;
  if (route.file !== undefined)
    return { 200: { description: 'A file', content: { [route.file]: { schema: { type: 'string' } } } } };
  const answer = { content: { 'application/json': { schema: answerSchema(output, schemas) } } };
  const later = route.background ? { 202: { description: 'Recorded; the run continues', ...answer } } : {};
  return { 200: { description: 'Answered', ...answer }, ...later, ...nothing };
}

function answerSchema(output: z.ZodType, schemas: Schemas): JsonSchema {
  const base = baseOf(output);
  const id = schemas.get(base)?.id;
  if (id !== undefined) return { $ref: `#/components/schemas/${id}` };
  if (base instanceof z.ZodArray)
    return { type: 'array', items: answerSchema(base.element as z.ZodType, schemas) };
  if (base instanceof z.ZodUnion)
    return { anyOf: base.options.map((option) => answerSchema(option as z.ZodType, schemas)) };
  return plain(base, 'output');
}

/** In OpenAPI, `readOnly` means that a request may not contain the field, which is not what zod means. */
const GENERATION = {
  unrepresentable: 'any',
  override: ({ jsonSchema }: { readonly jsonSchema: { readOnly?: boolean } }) => {
    delete jsonSchema.readOnly;
  },
} as const;

function plain(schema: z.ZodType, io: 'input' | 'output'): JsonSchema {
  const { $schema: _, ...rest } = z.toJSONSchema(schema, { ...GENERATION, io, reused: 'inline' });
  return rest as JsonSchema;
}

function componentsOf(schemas: Schemas): JsonSchema {
  const { schemas: made } = z.toJSONSchema(schemas, {
    ...GENERATION,
    uri: (id) => `#/components/schemas/${id}`,
  });
  return Object.fromEntries(
    Object.entries(made).map(([id, { $schema: _, $id: __, ...schema }]) => [id, schema]),
  );
}

function parameterOf({ name, in: place, required, schema, default: fallback }: HttpField): object {
  return { name, in: place, required, schema: withDefault(schema, fallback) };
}

function withDefault(schema: z.ZodType, fallback: unknown): JsonSchema {
  return { ...plain(schema, 'input'), ...(fallback === undefined ? {} : { default: fallback }) };
}

function bodyOf(fields: readonly HttpField[]): object {
  const required = fields.filter((field) => field.required).map(({ name }) => name);
  const properties = Object.fromEntries(
    fields.map(({ name, schema, default: fallback }) => [name, withDefault(schema, fallback)]),
  );
  return {
    required: required.length > 0,
    content: {
      'application/json': {
        schema: {
          ...{ type: 'object', properties, additionalProperties: false },
          ...(required.length > 0 ? { required } : {}),
        },
      },
    },
  };
}
