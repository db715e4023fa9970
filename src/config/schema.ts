import * as z from 'zod';
import { DURATION_FORM, parseDuration } from './parse-duration.ts';
import {
  type ChatConfig,
  DEFAULT_CONFIG,
  type ModelConfig,
  type ModelPriceConfig,
  type OkaConfig,
  type ReplicationConfig,
  type RetentionConfig,
} from './types.ts';

const HOOK = z.strictObject({
  on: z.enum(['before_run', 'after_run', 'before_node', 'after_node', 'on_error']),
  command: z.array(z.string().min(1)).min(1),
  timeout_ms: z.number().int().positive().max(600_000).default(30_000),
  on_failure: z.enum(['ignore', 'fail']).default('ignore'),
});

const PRICE = z.strictObject({
  input: z.number().nonnegative(),
  output: z.number().nonnegative(),
  cached_input: z.number().nonnegative().optional(),
});

const MODEL = z.discriminatedUnion('provider', [
  z.strictObject({ provider: z.literal('scripted'), script: z.string().min(1) }),
  z.strictObject({
    provider: z.enum(['openai', 'anthropic', 'ollama', 'openai-compatible']),
    model: z.string().min(1),
    base_url: z.url({ protocol: /^https?$/ }).optional(),
    api_key: z
      .union([z.strictObject({ env: z.string().min(1) }), z.strictObject({ vault: z.string().min(1) })])
      .optional(),
    fallback: z.array(z.string().min(1)).optional(),
    price: PRICE.optional(),
    context_tokens: z.number().int().positive().optional(),
    max_output_tokens: z.number().int().positive().optional(),
    embedding_model: z.string().min(1).optional(),
    timeout_seconds: z.number().positive().max(86_400).optional(),
  }),
]);

const REPLICATION = z.union([
  z.strictObject({
    postgres: z
      .strictObject({
        url_secret: z.string().min(1).optional(),
        url_env: z.string().min(1).optional(),
        schema: z
          .string()
          .regex(/^[a-z_][a-z0-9_]{0,62}$/)
          .optional(),
      })
      .refine((sink) => (sink.url_secret === undefined) !== (sink.url_env === undefined), {
        message: 'set either url_secret or url_env',
      }),
  }),
  z.strictObject({
    http: z.strictObject({
      url: z.url({ protocol: /^https?$/ }),
      token_secret: z.string().min(1).optional(),
    }),
  }),
]);

const CHAT = z.strictObject({
  depth: z.number().int().positive().max(100).optional(),
  turns: z.number().int().positive().optional(),
  tokens: z.number().int().positive().optional(),
  cost_usd: z.number().nonnegative().optional(),
  ttl_days: z.number().positive().optional(),
});

const FOREVER = 'forever';
const DURATION = z.string().transform((text, context) => {
  const ms = text === FOREVER ? Number.POSITIVE_INFINITY : parseDuration(text);
  if (ms !== undefined) return ms;
  context.addIssue(`must be ${DURATION_FORM}, or ${FOREVER}`);
  return z.NEVER;
});

const RETENTION = z.strictObject({
  runs: DURATION.optional(),
  scheduled_runs: DURATION.optional(),
  episodes: DURATION.optional(),
  keep_last: z.number().int().positive().optional(),
});

const CONFIG = z.strictObject({
  $schema: z.string().optional(),
  limits: z.record(z.string(), z.number().nonnegative()).default({}),
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
  default_model: z.string().optional(),
  chat: CHAT.default({}),
  always_sync: z.boolean().default(false),
  sandbox: z.enum(['auto', 'required', 'off']).default('auto'),
  retention: RETENTION.default({}),
});

/** Keys that only the user's file may set, because they extend what a workspace can reach. */
const USER_CONFIG = CONFIG.extend({
  allow_private: z.array(z.string().min(1)).default([]),
  installs: z
    .strictObject({
      npm_registry: z.url({ protocol: /^https?$/ }).optional(),
      pip_index: z.url({ protocol: /^https?$/ }).optional(),
      wheel_folder: z.string().min(1).optional(),
    })
    .default({}),
  replication: REPLICATION.optional(),
  memory: z
    .strictObject({
      embedder: z
        .strictObject({ model: z.string().min(1), dimensions: z.number().int().min(2).max(8_192) })
        .optional(),
    })
    .default({}),
});

/** Validates the parsed file; throws a ZodError with every problem. */
export function parseConfig(value: unknown, from: 'user' | 'project'): OkaConfig {
  const file: z.output<typeof CONFIG> & Partial<z.output<typeof USER_CONFIG>> =
    from === 'user' ? USER_CONFIG.parse(value) : CONFIG.parse(value);
  const { npm_registry: npmRegistry, pip_index: pipIndex, wheel_folder: wheelFolder } = file.installs ?? {};
  const rateLimits = Object.entries(file.rate_limits).map(([name, limit]) => [
    name,
    { calls: limit.calls, intervalMs: limit.interval_ms },
  ]);
  return {
    limits: file.limits,
    rateLimits: Object.fromEntries(rateLimits),
    hooks: file.hooks.map((hook) => ({
      on: hook.on,
      command: hook.command,
      timeoutMs: hook.timeout_ms,
      onFailure: hook.on_failure,
    })),
    approvalExpiresMs: file.approval_expires_seconds * 1_000,
    models: Object.fromEntries(
      Object.entries(file.models).map(([name, model]) => [name, toModel(model, from)]),
    ),
    defaultModel: file.default_model ?? Object.keys(file.models)[0],
    ...(file.replication === undefined ? {} : { replication: toReplication(file.replication) }),
    ...(file.memory?.embedder === undefined ? {} : { embedder: file.memory.embedder }),
    chat: toChat(file.chat),
    alwaysSync: file.always_sync,
    retention: toRetention(file.retention),
    sandbox: file.sandbox,
    allowPrivate: file.allow_private ?? [],
    installs: {
      ...(npmRegistry === undefined ? {} : { npmRegistry }),
      ...(pipIndex === undefined ? {} : { pipIndex }),
      ...(wheelFolder === undefined ? {} : { wheelFolder }),
    },
  };
}

function toReplication(sink: z.output<typeof REPLICATION>): ReplicationConfig {
  if ('http' in sink) {
    const { url, token_secret: tokenSecret } = sink.http;
    return { http: { url, ...(tokenSecret === undefined ? {} : { tokenSecret }) } };
  }
  const { url_secret: urlSecret, url_env: urlEnv, schema } = sink.postgres;
  return {
    postgres: {
      ...(urlSecret === undefined ? {} : { urlSecret }),
      ...(urlEnv === undefined ? {} : { urlEnv }),
      ...(schema === undefined ? {} : { schema }),
    },
  };
}

const DAY_MS = 86_400_000;

function toChat({ cost_usd: costUsd, ttl_days: ttlDays, ...limits }: z.output<typeof CHAT>): ChatConfig {
  const { depth, turns, tokens } = limits;
  return {
    ...(depth === undefined ? {} : { depth }),
    ...(turns === undefined ? {} : { turns }),
    ...(tokens === undefined ? {} : { tokens }),
    ...(costUsd === undefined ? {} : { costUsd }),
    ...(ttlDays === undefined ? {} : { ttlMs: ttlDays * DAY_MS }),
  };
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
  const { provider, model, fallback, price } = entry;
  return {
    provider,
    model,
    from,
    ...(entry.base_url === undefined ? {} : { baseUrl: entry.base_url }),
    ...(entry.api_key === undefined ? {} : { apiKey: entry.api_key }),
    ...(fallback === undefined ? {} : { fallback }),
    ...(price === undefined ? {} : { price: toPrice(price) }),
    ...(entry.context_tokens === undefined ? {} : { contextTokens: entry.context_tokens }),
    ...(entry.max_output_tokens === undefined ? {} : { maxOutputTokens: entry.max_output_tokens }),
    ...(entry.embedding_model === undefined ? {} : { embeddingModel: entry.embedding_model }),
    ...(entry.timeout_seconds === undefined ? {} : { timeoutMs: entry.timeout_seconds * 1_000 }),
  };
}

function toPrice({ cached_input: cachedInput, ...price }: z.output<typeof PRICE>): ModelPriceConfig {
  return { ...price, ...(cachedInput === undefined ? {} : { cachedInput }) };
}
