// Owns: the limits of autonomy. Decides in code from the run's variables, which people set, and from the record. No model
// output reaches it.
import * as z from 'zod';
import { AGENT_ERROR_CODES } from '../agent/index.ts';
import type { PlanInput } from '../engine/index.ts';
import type { Failure } from '../kernel/index.ts';
import type { LedgerEvent } from '../ledger/index.ts';
import type { TaskResult } from './types.ts';

/** From the least to the most autonomous. */
const AUTONOMY_LEVELS = ['manual', 'guided', 'autonomous'] as const;
export type Autonomy = (typeof AUTONOMY_LEVELS)[number];

const REJECTIONS_PER_LEVEL = 2;

const settingsSchema = z.object({
  autonomy: z.enum(AUTONOMY_LEVELS).default('guided'),
  replans: z.int().min(0).max(10).default(2),
  retries: z.int().min(0).max(5).default(1),
  /** Stops after planning. */
  plan_only: z.boolean().default(false),
  /** The hash of the stored `ASKING_GRAPH`, which has an approval before every effect. */
  asking: z.string().optional(),
  /** Runs on `DIRECT_GRAPH`. */
  direct: z.boolean().default(false),
});

export type Settings = z.output<typeof settingsSchema>;

export function readSettings({ vars }: Pick<PlanInput, 'vars'>): Settings | { readonly problem: string } {
  const parsed = settingsSchema.safeParse(vars);
  if (parsed.success) return parsed.data;
  const problems = parsed.error.issues.map(({ path, message }) => `${path.join('.')}: ${message}`);
  return { problem: problems.join('; ') };
}

/** The level in force: it drops by one with every second rejection. */
export function autonomyAfter(level: Autonomy, rejections: number): Autonomy {
  const place = AUTONOMY_LEVELS.indexOf(level) - Math.floor(rejections / REJECTIONS_PER_LEVEL);
  return AUTONOMY_LEVELS[Math.max(0, place)] as Autonomy;
}

const REFUSALS = ['engine.policy_denied', 'engine.approval_denied', 'engine.approval_expired'];

/** Whether policy or a person refused the call. */
export function isRefusal(code: string): boolean {
  return REFUSALS.includes(code) || code === 'agent.not_confirmed';
}

/** Errors that an agent decides itself. */
const AGENT_DECISIONS = [...AGENT_ERROR_CODES, 'agent.unknown', 'agent.invalid', 'agent.exists'] as string[];

/** The consequence of an unsuccessful task. */
export type Setback = 'denied' | 'cancelled' | 'budget' | 'retry' | 'give_up';

export function judgeSetback({ status, failure, attempts }: TaskResult, retries: number): Setback {
  if (status === 'cancelled') return 'cancelled';
  const code = failure?.code ?? '';
  if (isRefusal(code)) return 'denied';
  if (code === 'engine.budget_exhausted') return 'budget';
  // An agent would decide the same again; only transient failures are retried.
  return AGENT_DECISIONS.includes(code) || attempts > retries ? 'give_up' : 'retry';
}

/** A refused call of a run. */
export interface PolicyRefusal {
  readonly run: string;
  readonly tool: string;
  readonly code: string;
  readonly message: string;
}

/** The calls that policy or a person refused in a run, oldest first. */
export function policyRefusals(events: Iterable<LedgerEvent>): readonly PolicyRefusal[] {
  const refused: PolicyRefusal[] = [];
  for (const { type, stream, data, body } of events) {
    // A denied approval fails the run that requested it; a denied call is a step of its own.
    if (type !== 'step.completed' && type !== 'run.failed') continue;
    const { failure } = (body ?? {}) as { readonly failure?: Failure };
    if (failure === undefined || !REFUSALS.includes(failure.code)) continue;
    const { code, message } = failure;
    const tool = typeof data['tool'] === 'string' ? data['tool'] : '';
    refused.push({ run: stream.slice('run/'.length), tool, code, message });
  }
  return refused;
}
