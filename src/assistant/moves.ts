import type { Decision, PlanInput } from '../engine/index.ts';
import { asObject, canonicalJson, type Json } from '../kernel/index.ts';
import type { Settings } from './governor.ts';
import type { PlanWithoutModel } from './ports.ts';
import type { Progress } from './progress.ts';
import type { AssistantErrorCode } from './types.ts';

/** The model roles of this loop. The third role, the executor, runs in the child runs. */
export type Role = 'planner' | 'critic';

/** The next move: a decision, or a question to a role, with the problem of its last answer on a retry. */
export type Move =
  | { readonly kind: 'decide'; readonly decision: Decision }
  | { readonly kind: 'ask'; readonly role: Role; readonly problem?: string };

/** The input of the next move. */
export interface Situation extends Progress {
  readonly goal: string;
  readonly state: string;
  readonly vars: PlanInput['vars'];
  readonly evidence: PlanInput['evidence'];
  readonly settings: Settings;
  readonly withModel: boolean;
  /** The model for the roles and the tasks. */
  readonly model: string | undefined;
  readonly tools: PlanInput['allTools'];
  /** False for runs on an older graph, whose critic sees the results alone. */
  readonly canReview: boolean;
  readonly budgets: PlanInput['budgets'];
  /** The id of a run that continues a failed one and has not made its first move. */
  readonly restarts?: string;
  readonly planWithoutModel: PlanWithoutModel;
}

/** The recorded answer of a role. */
export type RoleAnswer =
  | { readonly role: Role; readonly json: Json }
  | { readonly role: Role; readonly problem: string }
  | { readonly role: Role; readonly refused: string };

export function goTo(to: string, rationale: string, output?: Json): Move {
  const value = output === undefined ? {} : { output: { value: output } };
  return decide({ kind: 'transition', to, rationale, ...value });
}

/** A call; `again` of its pieces of work have failed before. */
export function call(tool: string, input: Json, rationale: string, again = 0): Move {
  return decide({ kind: 'call_tool', tool, input, rationale, ...(again === 0 ? {} : { again }) });
}

export function askPerson(question: string, options: readonly string[], rationale: string): Move {
  return decide({ kind: 'ask_human', question: cut(question, 10_000), options, rationale });
}

export function fail(
  code: AssistantErrorCode | 'models.refused' | 'agent.goal_not_understood',
  reason: string,
  rationale: string,
): Move {
  return decide({ kind: 'fail', code, reason: cut(reason, 10_000), rationale });
}

export function decide(decision: Decision): Move {
  return { kind: 'decide', decision };
}

/** Handles the newest answer of a role: accepts it, asks once more with the problem, or fails. */
export function readAnswer<Read extends object>(
  role: Role,
  said: readonly Json[],
  read: (json: Json) => Read | { readonly problem: string },
  code: AssistantErrorCode,
): { readonly read: Read } | { readonly move: Move } {
  const newest = said.at(-1);
  if (newest === undefined) return { move: { kind: 'ask', role } };
  const recorded = asObject(newest) as unknown as { json?: Json; problem?: string; refused?: string };
  if (recorded.refused !== undefined) {
    const reason = `The model refused to act as ${role}: ${recorded.refused}`;
    return { move: fail('models.refused', reason, `the ${role} refused`) };
  }
  const found =
    recorded.json === undefined
      ? { problem: recorded.problem ?? 'it contains no JSON' }
      : read(recorded.json);
  if (!('problem' in found)) return { read: found };
  const { problem } = found as { readonly problem: string };
  if (said.length === 1) return { move: { kind: 'ask', role, problem } };
  const reason = `The ${role} gave two unusable answers: ${problem}. Retry, choose another model, or split the goal.`;
  return { move: fail(code, reason, `the second answer of the ${role} is unusable too`) };
}

/** Shortens a text and makes it well formed. */
export function cut(text: string, maxLength: number): string {
  return text.length <= maxLength ? text.toWellFormed() : `${text.slice(0, maxLength).toWellFormed()}…`;
}

/** Returns the value, or its shortened text if that is longer than `maxLength`. */
export function boundedValue(value: Json, maxLength: number): Json {
  if (typeof value === 'string') return cut(value, maxLength);
  const text = canonicalJson(value);
  return text.length <= maxLength ? value : cut(text, maxLength);
}

/** Shows a value to a model, marked as untrusted information. */
export function showUntrusted(value: Json, from: string, maxLength: number): string {
  const shown = boundedValue(value, maxLength);
  const text = typeof shown === 'string' ? shown : canonicalJson(shown);
  // Untrusted text cannot close its tag.
  return `<untrusted from="${from}">\n${text.replaceAll(/<(\/?)untrusted/gi, '<$1_untrusted')}\n</untrusted>`;
}
