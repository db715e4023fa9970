import * as z from 'zod';
import { DURATION_FORM, parseDuration } from './parse-duration.ts';
import {
  type ChatConfig,
  DEFAULT_CONFIG,
  MODEL_PROVIDERS,
  type ModelConfig,
  type NameSchema,
  type OkaConfig,
  type ReplicationConfig,
  type RetentionConfig,
  type TelemetryConfig,
} from './types.ts';

const SANDBOX_ACCESS = z.strictObject({
  read: z.array(z.string().min(1)).exactOptional(),
  write: z.array(z.string().min(1)).exactOptional(),
  network: z
    .union([z.boolean(), z.strictObject({ hosts: z.array(z.string().min(1)).min(1) })])
    .exactOptional(),
});

const HOOK = z.strictObject({
  on: z.enum(['before_run', 'after_run', 'before_node', 'after_node', 'on_error']),
  command: z.array(z.string().min(1)).min(1),
  timeout_ms: z.number().int().positive().max(600_000).default(30_000),
  on_failure: z.enum(['ignore', 'fail']).default('ignore'),
  sandbox: SANDBOX_ACCESS.exactOptional(),
});
const USER_HOOK = HOOK.extend({ sandbox: z.union([SANDBOX_ACCESS, z.literal('off')]).exactOptional() });

const LIMIT = z.number().int().positive();
const SANDBOX_LIMITS = z.strictObject({
  memory_mb: LIMIT.exactOptional(),
  temporary_mb: LIMIT.exactOptional(),
  processes: LIMIT.exactOptional(),
  file_mb: LIMIT.exactOptional(),
  cpu_seconds: LIMIT.exactOptional(),
  open_files: LIMIT.exactOptional(),
});

const PRICE = z.strictObject({
  input: z.number().nonnegative(),
  output: z.number().nonnegative(),
  cached_input: z.number().nonnegative().exactOptional(),
});

const MODEL = z.discriminatedUnion('provider', [
  z.strictObject({ provider: z.literal('scripted'), script: z.string().min(1) }),
  z.strictObject({
    provider: z.enum(MODEL_PROVIDERS),
    model: z.string().min(1),
    base_url: z.url({ protocol: /^https?$/ }).exactOptional(),
    api_key: z
      .union([z.strictObject({ env: z.string().min(1) }), z.strictObject({ vault: z.string().min(1) })])
      .exactOptional(),
    fallback: z.array(z.string().min(1)).exactOptional(),
    price: PRICE.exactOptional(),
    context_tokens: z.number().int().positive().exactOptional(),
    max_output_tokens: z.number().int().positive().exactOptional(),
    embedding_model: z.string().min(1).exactOptional(),
    timeout_seconds: z.number().positive().max(86_400).exactOptional(),
    total_timeout_seconds: z.number().positive().max(86_400).exactOptional(),
    max_answer_bytes: z.number().int().min(65_536).max(1_073_741_824).exactOptional(),
    streaming: z.boolean().exactOptional(),
    tools: z.boolean().exactOptional(),
    json: z.boolean().exactOptional(),
  }),
]);

const REPLICATION = z.union([
  z.strictObject({
    postgres: z
      .strictObject({
        url_secret: z.string().min(1).exactOptional(),
        url_env: z.string().min(1).exactOptional(),
        schema: z
          .string()
          .regex(/^[a-z_][a-z0-9_]{0,62}$/)
          .exactOptional(),
      })
      .refine((sink) => (sink.url_secret === undefined) !== (sink.url_env === undefined), {
        message: 'set either url_secret or url_env',
      }),
  }),
  z.strictObject({
    http: z.strictObject({
      url: z.url({ protocol: /^https?$/ }),
      token_secret: z.string().min(1).exactOptional(),
    }),
  }),
]);

const CHAT = z.strictObject({
  depth: z.number().int().positive().max(100).exactOptional(),
  turns: z.number().int().positive().exactOptional(),
  tokens: z.number().int().positive().exactOptional(),
  cost_usd: z.number().nonnegative().exactOptional(),
  ttl_days: z.number().positive().exactOptional(),
});

const FOREVER = 'forever';
const DURATION = z.string().transform((text, context) => {
  const ms = text === FOREVER ? Number.POSITIVE_INFINITY : parseDuration(text);
  if (ms !== undefined) return ms;
  context.addIssue(`must be ${DURATION_FORM}, or ${FOREVER}`);
  return z.NEVER;
});

const RETENTION = z.strictObject({
  runs: DURATION.exactOptional(),
  scheduled_runs: DURATION.exactOptional(),
  episodes: DURATION.exactOptional(),
  keep_last: z.number().int().positive().exactOptional(),
});

const TELEMETRY = z.strictObject({
  otlp: z.url({ protocol: /^https?$/ }).exactOptional(),
  headers_secret: z.string().min(1).exactOptional(),
  service_name: z.string().min(1).max(255).exactOptional(),
  traces: z.boolean().default(true),
  metrics: z.boolean().default(true),
  interval_seconds: z.number().int().min(1).max(3_600).default(60),
  prometheus: z.enum(['token', 'open']).exactOptional(),
  json_logs: z.boolean().default(false),
});

/** Limits on what runs spend on models together. */
const MODEL_LIMITS = z.strictObject({
  model_calls: z.number().nonnegative().exactOptional(),
  input_tokens: z.number().nonnegative().exactOptional(),
  output_tokens: z.number().nonnegative().exactOptional(),
  cost_usd: z.number().nonnegative().exactOptional(),
});

const EXECUTION = z.strictObject({
  project: z
    .string()
    .regex(/^[a-z0-9][a-z0-9_-]{0,62}$/, 'must have only a-z, 0-9, _ and -, and start with a letter or digit')
    .exactOptional(),
  runs_at_once: z.number().int().positive().exactOptional(),
  interrupted: z.enum(['continue', 'wait']).exactOptional(),
});
const USER_EXECUTION = EXECUTION.extend({
  backend: z.enum(['local', 'restate']).exactOptional(),
  ingress: z.url({ protocol: /^https?$/ }).exactOptional(),
  admin: z.url({ protocol: /^https?$/ }).exactOptional(),
  token: z
    .union([z.strictObject({ env: z.string().min(1) }), z.strictObject({ vault: z.string().min(1) })])
    .exactOptional(),
});

const CONFIG = z.strictObject({
  $schema: z.string().exactOptional(),
  limits: z.record(z.string(), z.number().nonnegative()).default({}),
  daily_limits: MODEL_LIMITS.default({}),
  conversation_limits: MODEL_LIMITS.default({}),
  rate_limits: z
    .record(
      z.string(),
      z.strictObject({ calls: z.number().int().positive(), interval_ms: z.number().int().positive() }),
    )
    .default({}),
  hooks: z.array(HOOK).default([]),
  approval_expires_seconds: z
    .number()
    .int()
    .positive()
    .default(DEFAULT_CONFIG.approvalExpiresMs / 1_000),
  models: z.record(z.string().min(1), MODEL).default({}),
  default_model: z.string().exactOptional(),
  chat: CHAT.default({}),
  always_sync: z.boolean().default(false),
  sandbox: z.enum(['auto', 'required', 'off']).exactOptional(),
  execution: EXECUTION.default({}),
  retention: RETENTION.default({}),
});

/** Keys that only the user's file may set, because they extend what a workspace can reach. */
const USER_CONFIG = CONFIG.extend({
  hooks: z.array(USER_HOOK).default([]),
  execution: USER_EXECUTION.default({}),
  sandbox_read: z.array(z.string().regex(/^[/~]/, 'must start with / or ~/')).default([]),
  sandbox_limits: SANDBOX_LIMITS.default({}),
  prices: z.record(z.string().regex(/^[^/]+\/.+$/s), PRICE).default({}),
  trust_workspace_text: z.boolean().default(true),
  allow_private: z.array(z.string().min(1)).default([]),
  allow_hosts: z.array(z.string().min(1)).default([]),
  installs: z
    .strictObject({
      npm_registry: z.url({ protocol: /^https?$/ }).exactOptional(),
      pip_index: z.url({ protocol: /^https?$/ }).exactOptional(),
      wheel_folder: z.string().min(1).exactOptional(),
    })
    .default({}),
  replication: REPLICATION.exactOptional(),
  ledger: z
    .strictObject({
      url: z
        .string()
        .regex(/^postgres(ql)?:\/\//)
        .exactOptional(),
      schema: z.string().min(1).exactOptional(),
      heads: z.string().regex(/^\//, 'must be an absolute path').exactOptional(),
    })
    .exactOptional(),
  telemetry: TELEMETRY.exactOptional(),
  web: z.strictObject({ port: z.number().int().min(1).max(65_535).exactOptional() }).default({}),
  memory: z
    .strictObject({
      embedder: z
        .strictObject({ model: z.string().min(1), dimensions: z.number().int().min(2).max(8_192) })
        .exactOptional(),
    })
    .default({}),
});

/** The JSON Schema of a file, for the names in it. */
export function nameSchema(owner: 'user' | 'project'): NameSchema {
  const schema = owner === 'user' ? USER_CONFIG : CONFIG;
  return z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' }) as NameSchema;
}

/** Validates the parsed file; throws a ZodError with every problem. */
export function parseConfig(value: unknown, from: 'user' | 'project'): OkaConfig {
  const file: Omit<z.output<typeof CONFIG>, 'hooks' | 'execution'> &
    Pick<z.output<typeof USER_CONFIG>, 'hooks' | 'execution'> &
    Partial<z.output<typeof USER_CONFIG>> = from === 'user' ? USER_CONFIG.parse(value) : CONFIG.parse(value);
  return {
    limits: file.limits,
    dailyLimits: file.daily_limits as Readonly<Record<string, number>>,
    conversationLimits: file.conversation_limits as Readonly<Record<string, number>>,
    prices: mapValues(file.prices ?? {}, camelKeys),
    rateLimits: mapValues(file.rate_limits, camelKeys),
    hooks: file.hooks.map(camelKeys),
    approvalExpiresMs: file.approval_expires_seconds * 1_000,
    models: mapValues(file.models, (model) => toModel(model, from)),
    // A project that only defines models does not replace the user's default.
    defaultModel: file.default_model ?? (from === 'user' ? Object.keys(file.models)[0] : undefined),
    ...(file.replication === undefined ? {} : { replication: toReplication(file.replication) }),
    ...(file.ledger === undefined ? {} : { ledger: file.ledger }),
    ...(file.telemetry === undefined ? {} : { telemetry: toTelemetry(file.telemetry) }),
    ...(file.web?.port === undefined ? {} : { webPort: file.web.port }),
    ...(file.memory?.embedder === undefined ? {} : { embedder: file.memory.embedder }),
    execution: { ...DEFAULT_CONFIG.execution, ...camelKeys(file.execution) },
    chat: toChat(file.chat),
    alwaysSync: file.always_sync,
    retention: toRetention(file.retention),
    trustWorkspaceText: file.trust_workspace_text ?? true,
    // A project's file can only require a sandbox, so without a value it counts as the least strict one.
    sandbox: file.sandbox ?? (from === 'project' ? 'off' : DEFAULT_CONFIG.sandbox),
    sandboxRead: file.sandbox_read ?? [],
    sandboxLimits: camelKeys(file.sandbox_limits ?? {}),
    allowPrivate: file.allow_private ?? [],
    allowHosts: file.allow_hosts ?? [],
    installs: camelKeys(file.installs ?? {}),
  };
}

type CamelCase<Name> = Name extends `${infer Head}_${infer Rest}`
  ? `${Head}${Capitalize<CamelCase<Rest> & string>}`
  : Name;

/** Converts the snake_case keys of the file to the camelCase keys of the configuration. */
function camelKeys<T extends object>(members: T): { [Key in keyof T as CamelCase<Key>]: T[Key] } {
  const renamed = Object.entries(members).map(([name, value]) => [
    name.replaceAll(/_(\w)/g, (_, letter: string) => letter.toUpperCase()),
    value,
  ]);
  return Object.fromEntries(renamed);
}

function mapValues<T, U>(members: Readonly<Record<string, T>>, map: (value: T) => U): Record<string, U> {
  return Object.fromEntries(Object.entries(members).map(([name, value]) => [name, map(value)]));
}

function toReplication(sink: z.output<typeof REPLICATION>): ReplicationConfig {
  return 'http' in sink ? { http: camelKeys(sink.http) } : { postgres: camelKeys(sink.postgres) };
}

function toTelemetry({ interval_seconds: seconds, ...rest }: z.output<typeof TELEMETRY>): TelemetryConfig {
  return { ...camelKeys(rest), intervalMs: seconds * 1_000 };
}

const DAY_MS = 86_400_000;

function toChat({ ttl_days: days, ...limits }: z.output<typeof CHAT>): ChatConfig {
  return { ...camelKeys(limits), ...(days === undefined ? {} : { ttlMs: days * DAY_MS }) };
}

/** Scheduled runs are runs too, so the shorter of the two durations applies to them. */
function toRetention(file: z.output<typeof RETENTION>): RetentionConfig {
  const { runs, scheduled_runs: scheduled = runs, episodes, keep_last: keepLast } = file;
  return {
    ...(runs === undefined ? {} : { runsMs: runs }),
    ...(scheduled === undefined ? {} : { scheduledRunsMs: Math.min(scheduled, runs ?? scheduled) }),
    ...(episodes === undefined ? {} : { episodesMs: episodes }),
    ...(keepLast === undefined ? {} : { keepLast }),
  };
}

function toModel(entry: z.output<typeof MODEL>, from: 'user' | 'project'): ModelConfig {
  if (entry.provider === 'scripted') return entry;
  const { price, timeout_seconds: seconds, total_timeout_seconds: totalSeconds, ...rest } = entry;
  return {
    ...camelKeys(rest),
    from,
    ...(price === undefined ? {} : { price: camelKeys(price) }),
    ...(seconds === undefined ? {} : { timeoutMs: seconds * 1_000 }),
    ...(totalSeconds === undefined ? {} : { totalTimeoutMs: totalSeconds * 1_000 }),
  };
}
