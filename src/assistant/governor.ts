// Owns: how far the loop may go on its own. Code, never a model: it looks at the run's variables, which people set, and at
// the record; nothing that a role says reaches it.
import * as z from 'zod';
import { AGENT_ERROR_CODES } from '../agent/index.ts';
import type { PlanInput } from '../engine/index.ts';
import type { TaskResult } from './types.ts';

/** How much is done without asking, from least to most. */
const AUTONOMY_LEVELS = ['manual', 'guided', 'autonomous'] as const;
export type Autonomy = (typeof AUTONOMY_LEVELS)[number];

const REJECTIONS_PER_LEVEL = 2;

const settingsSchema = z.object({
  autonomy: z.enum(AUTONOMY_LEVELS).default('guided'),
  replans: z.int().min(0).max(10).default(2),
  retries: z.int().min(0).max(5).default(1),
  /** The plan is all that is wanted. */
  plan_only: z.boolean().default(false),
  /** The hash of the kept state graph on which a person is asked before every effect; see `ASKING_GRAPH`. */
  asking: z.string().optional(),
  /** It runs on `DIRECT_GRAPH`. */
  direct: z.boolean().default(false),
});

/** What people allow a run of the assistant. */
export type Settings = z.output<typeof settingsSchema>;

export function readSettings({ vars }: Pick<PlanInput, 'vars'>): Settings | { readonly problem: string } {
  const parsed = settingsSchema.safeParse(vars);
  if (parsed.success) return parsed.data;
  return {
    problem: parsed.error.issues.map(({ path, message }) => `${path.join('.')}: ${message}`).join('; '),
  };
}

/** The level that is in force: it drops by one with every second rejection. */
export function autonomyAfter(level: Autonomy, rejections: number): Autonomy {
  const place = AUTONOMY_LEVELS.indexOf(level) - Math.floor(rejections / REJECTIONS_PER_LEVEL);
  return AUTONOMY_LEVELS[Math.max(0, place)] as Autonomy;
}

const REFUSED = [
  'engine.policy_denied',
  'engine.approval_denied',
  'engine.approval_expired',
  'agent.not_confirmed',
];

/** Whether policy or a person has refused what failed with this code. */
export function isRefusal(code: string): boolean {
  return REFUSED.includes(code);
}

/** What an agent has decided itself. */
const AGENT_DECISIONS: readonly string[] = [
  ...AGENT_ERROR_CODES,
  'agent.unknown',
  'agent.invalid',
  'agent.exists',
];

/** What a task that did not succeed means for the run. */
export type Setback = 'denied' | 'cancelled' | 'budget' | 'retry' | 'give_up';

export function judgeSetback({ status, failure, attempts }: TaskResult, retries: number): Setback {
  if (status === 'cancelled') return 'cancelled';
  const code = failure?.code ?? '';
  if (isRefusal(code)) return 'denied';
  if (code === 'engine.budget_exhausted') return 'budget';
  // What an agent has decided, it would decide again; only bad luck is worth another attempt.
  return AGENT_DECISIONS.includes(code) || attempts > retries ? 'give_up' : 'retry';
}
