import * as z from 'zod';
import { DEFAULT_CONFIG, type OkaConfig } from './types.ts';

const HOOK = z.strictObject({
  on: z.enum(['before_run', 'after_run', 'before_node', 'after_node', 'on_error']),
  command: z.array(z.string().min(1)).min(1),
  timeout_ms: z.number().int().positive().max(600_000).default(30_000),
  on_failure: z.enum(['ignore', 'fail']).default('ignore'),
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
  models: z
    .record(z.string().min(1), z.strictObject({ provider: z.literal('scripted'), script: z.string().min(1) }))
    .default({}),
  default_model: z.string().optional(),
  always_sync: z.boolean().default(false),
});

/** Checks the parsed file; throws a ZodError that names every problem. */
export function parseConfig(value: unknown): OkaConfig {
  const file = CONFIG.parse(value);
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
    models: file.models,
    defaultModel: file.default_model ?? Object.keys(file.models)[0],
    alwaysSync: file.always_sync,
  };
}
