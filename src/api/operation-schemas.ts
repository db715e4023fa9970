// Owns: loading the schemas of operations, area by area, because building all of them takes longer than most commands.
import * as z from 'zod';
import { type Json, OkaError } from '../kernel/index.ts';
import type { OkaApi } from './oka-api.ts';
import type { OperationName } from './operations.ts';
import { live, type SchemasOf } from './schemas.ts';
import type { CallBody } from './wire.ts';

type OwnSchemas = typeof import('./oka-api.ts').okaSchemas;

/** The areas with their own file. */
const AREAS: {
  readonly [Area in Exclude<keyof OkaApi, keyof OwnSchemas>]: () => Promise<SchemasOf<OkaApi[Area]>>;
} = {
  graphs: async () => (await import('./graph-api.ts')).graphSchemas,
  tools: async () => (await import('./tools-api.ts')).toolsSchemas,
  models: async () => (await import('./models-api.ts')).modelsSchemas,
  memory: async () => (await import('./memory-api.ts')).memorySchemas,
  memoryPack: async () => (await import('./memory-pack-api.ts')).memoryPackSchemas,
  maintenance: async () => (await import('./maintenance-api.ts')).maintenanceSchemas,
  metrics: async () => (await import('./metrics-api.ts')).metricsSchemas,
  procedures: async () => (await import('./procedures-api.ts')).proceduresSchemas,
  chat: async () => (await import('./chat-api.ts')).chatSchemas,
  context: async () => (await import('./context-api.ts')).contextSchemas,
  vault: async () => (await import('./vault-api.ts')).vaultSchemas,
  trust: async () => (await import('./trust-api.ts')).trustSchemas,
  mcp: async () => (await import('./mcp-api.ts')).mcpSchemas,
  policy: async () => (await import('./policy-api.ts')).policySchemas,
  grants: async () => (await import('./grants-api.ts')).grantsSchemas,
  serving: async () => (await import('./serving-api.ts')).servingSchemas,
  skills: async () => (await import('./skills-api.ts')).skillsSchemas,
  agents: async () => (await import('./agent-api.ts')).agentSchemas,
  replication: async () => (await import('./replication-api.ts')).replicationSchemas,
  backup: async () => (await import('./backup-api.ts')).backupSchemas,
  evals: async () => (await import('./eval-api.ts')).evalSchemas,
  ledger: async () => (await import('./ledger-api.ts')).ledgerSchemas,
};

type Argument = z.ZodType | Readonly<Record<string, z.ZodType>> | typeof live;

/** The schemas of one operation. */
export interface OperationSchemas {
  /** The fields of the request, or the arguments by name. Without functions and signals. */
  readonly input: z.ZodObject;
  /** The answer, or one item of it. */
  readonly output: z.ZodType;
  /** The argument names in order; missing if it takes one request. */
  readonly names?: readonly string[];
}

const known = new Map<OperationName, OperationSchemas>();

export async function operationSchemas(name: OperationName): Promise<OperationSchemas> {
  const found = known.get(name) ?? (await loadSchemas(name));
  known.set(name, found);
  return found;
}

async function loadSchemas(name: OperationName): Promise<OperationSchemas> {
  const [area = '', ...path] = name.split('.');
  const schemas = Object.hasOwn(AREAS, area)
    ? await AREAS[area as keyof typeof AREAS]()
    : (await import('./oka-api.ts')).okaSchemas[area as keyof OwnSchemas];
  const entry = path.reduce<unknown>((part, key) => (part as Record<string, unknown>)[key], schemas);
  const [input, output] = entry as readonly [readonly Argument[], z.ZodType];
  const [only] = input;
  if (input.length === 1 && only instanceof z.ZodObject) return { input: only, output };
  const shapes = input.map((argument) => (argument === live ? {} : (argument as z.ZodRawShape)));
  const names = shapes.map((shape) => Object.keys(shape)[0] ?? '');
  return { input: z.object(Object.assign({}, ...shapes)), output, names };
}

/** Rejects a call whose arguments do not match the schema. The error names the first invalid field. */
export async function checkCall(name: OperationName, body: CallBody): Promise<void> {
  const { input, names } = await operationSchemas(name);
  const values = jsonOf(body);
  const given = names
    ? Object.fromEntries(names.flatMap((field, i) => (field && i in values ? [[field, values[i]]] : [])))
    : values[0];
  const [issue] = input.safeParse(given).error?.issues ?? [];
  if (issue === undefined) return;
  const field = issue.path.join('.') || 'request';
  const message = `Invalid call of ${name}: ${field}: ${issue.message}. See docs/formats/daemon.md.`;
  throw new OkaError('daemon.bad_call', message, { data: { operation: name, field } });
}

/** The arguments without functions, signals and absent values. */
function jsonOf({ arguments: values, listeners, signals, absent }: CallBody): readonly (Json | undefined)[] {
  const places = new Set([...listeners, ...signals, ...absent]);
  return values.map((value, i) => {
    if (places.has(String(i))) return undefined;
    if (typeof value !== 'object' || value === null || Array.isArray(value)) return value;
    return Object.fromEntries(Object.entries(value).filter(([key]) => !places.has(`${i}.${key}`)));
  });
}
