// Owns: the schemas of every operation, loaded area by area, because building all of them takes longer than most commands.
// Does not own: the schemas themselves; each is in the file of the interface that it describes.
import * as z from 'zod';
import { type Json, OkaError } from '../kernel/index.ts';
import type { OkaApi } from './oka-api.ts';
import type { OperationName } from './operations.ts';
import { live, type SchemasOf } from './schemas.ts';
import type { CallBody } from './wire.ts';

const AREAS: { readonly [Area in keyof OkaApi]: () => Promise<SchemasOf<OkaApi[Area]>> } = {
  init: async () => (await import('./oka-api.ts')).okaSchemas.init,
  do: async () => (await import('./oka-api.ts')).okaSchemas.do,
  runs: async () => (await import('./oka-api.ts')).okaSchemas.runs,
  approvals: async () => (await import('./oka-api.ts')).okaSchemas.approvals,
  doctor: async () => (await import('./oka-api.ts')).okaSchemas.doctor,
  letGo: async () => (await import('./oka-api.ts')).okaSchemas.letGo,
  close: async () => (await import('./oka-api.ts')).okaSchemas.close,
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
  mcp: async () => (await import('./mcp-api.ts')).mcpSchemas,
  policy: async () => (await import('./policy-api.ts')).policySchemas,
  serving: async () => (await import('./serving-api.ts')).servingSchemas,
  skills: async () => (await import('./skills-api.ts')).skillsSchemas,
  agents: async () => (await import('./agent-api.ts')).agentSchemas,
  replication: async () => (await import('./replication-api.ts')).replicationSchemas,
  backup: async () => (await import('./backup-api.ts')).backupSchemas,
  ledger: async () => (await import('./ledger-api.ts')).ledgerSchemas,
};

type Argument = z.ZodType | Readonly<Record<string, z.ZodType>> | typeof live;

/** The schemas of one operation. */
export interface OperationSchemas {
  /** The fields of its request, or its arguments by their names. Functions and signals are left out. */
  readonly input: z.ZodObject;
  /** Its answer; one item where it gives many. */
  readonly output: z.ZodType;
  /** The names of its arguments in order; missing where it takes one request. */
  readonly names?: readonly string[];
}

const known = new Map<OperationName, OperationSchemas>();

export async function operationSchemas(name: OperationName): Promise<OperationSchemas> {
  const found = known.get(name) ?? (await loadSchemas(name));
  known.set(name, found);
  return found;
}

async function loadSchemas(name: OperationName): Promise<OperationSchemas> {
  const [area, ...path] = name.split('.') as [keyof OkaApi, ...string[]];
  const entry = path.reduce<unknown>(
    (part, key) => (part as Record<string, unknown>)[key],
    await AREAS[area](),
  );
  const [input, output] = entry as readonly [readonly Argument[], z.ZodType];
  const [only] = input;
  if (input.length === 1 && only instanceof z.ZodObject) return { input: only, output };
  const shapes = input.map((argument) => (argument === live ? {} : (argument as z.ZodRawShape)));
  const names = shapes.map((shape) => Object.keys(shape)[0] ?? '');
  return { input: z.object(Object.assign({}, ...shapes)), output, names };
}

/** Refuses a call whose arguments do not fit the operation. The error names the first field that is wrong. */
export async function checkCall(name: OperationName, body: CallBody): Promise<void> {
  const { input, names } = await operationSchemas(name);
  const values = jsonOf(body);
  const given = names
    ? Object.fromEntries(names.flatMap((field, i) => (field && i in values ? [[field, values[i]]] : [])))
    : values[0];
  const [issue] = input.safeParse(given).error?.issues ?? [];
  if (issue === undefined) return;
  const field = issue.path.join('.') || 'request';
  const code = 'daemon.bad_call';
  throw new OkaError(
    code,
    `Invalid call of ${name}: ${field}: ${issue.message}. See docs/formats/daemon.md.`,
    {
      data: { operation: name, field },
    },
  );
}

/** The arguments of a call without the places of functions, signals and absent values. */
function jsonOf({ arguments: values, listeners, signals, absent }: CallBody): readonly (Json | undefined)[] {
  const places = new Set([...listeners, ...signals, ...absent]);
  return values.map((value, i) => {
    if (places.has(String(i))) return undefined;
    if (typeof value !== 'object' || value === null || Array.isArray(value)) return value;
    return Object.fromEntries(Object.entries(value).filter(([key]) => !places.has(`${i}.${key}`)));
  });
}
