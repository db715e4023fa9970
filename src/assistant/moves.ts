import type { Decision, PlanInput } from '../engine/index.ts';
import type { Json } from '../kernel/index.ts';
import type { Settings } from './governor.ts';
import type { PlanWithoutModel } from './ports.ts';
import { asObject, type Progress } from './progress.ts';
import type { AssistantErrorCode } from './types.ts';

/** The roles that a model plays here; the third, the executor, is played in the child runs. */
export type Role = 'planner' | 'critic';

/** What is done next: a decision, or a role has to be asked, the second time with what was wrong with its answer. */
export type Move =
  | { readonly kind: 'decide'; readonly decision: Decision }
  | { readonly kind: 'ask'; readonly role: Role; readonly problem?: string };

/** All that the next move follows from. */
export interface Situation extends Progress {
  readonly goal: string;
  readonly state: string;
  readonly vars: PlanInput['vars'];
  readonly evidence: PlanInput['evidence'];
  readonly settings: Settings;
  readonly withModel: boolean;
  /** The model that plays the roles, and that does the tasks too. */
  readonly model: string | undefined;
  readonly tools: PlanInput['allTools'];
  /** Set while a run that continues a failed one has not begun anew yet: its id. */
  readonly beginsAnew?: string;
  readonly planWithoutModel: PlanWithoutModel;
}

/** What a role said, as it stands on record. */
export type Heard =
  | { readonly role: Role; readonly json: Json }
  | { readonly role: Role; readonly problem: string }
  | { readonly role: Role; readonly refused: string };

export function goTo(to: string, rationale: string, output?: Json): Move {
  return decide({
    kind: 'transition',
    to,
    rationale,
    ...(output === undefined ? {} : { output: { value: output } }),
  });
}

export function call(tool: string, input: Json, rationale: string): Move {
  return decide({ kind: 'call_tool', tool, input, rationale });
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

/**
 * What to do about the newest answer of a role: take it, ask once more with what is wrong, or fail. `read` says what is in
 * an answer or why it cannot be used.
 */
export function hear<Read extends object>(
  role: Role,
  said: readonly Json[],
  read: (json: Json) => Read | { readonly problem: string },
  code: AssistantErrorCode,
): { readonly read: Read } | { readonly move: Move } {
  const newest = said.at(-1);
  if (newest === undefined) return { move: { kind: 'ask', role } };
  const heard = asObject(newest) as unknown as { json?: Json; problem?: string; refused?: string };
  if (heard.refused !== undefined) {
    const reason = `the model refused to act as the ${role}: ${heard.refused}`;
    return { move: fail('models.refused', reason, `the ${role} refused`) };
  }
  const found =
    heard.json === undefined ? { problem: heard.problem ?? 'there is no JSON in it' } : read(heard.json);
  if (!('problem' in found)) return { read: found };
  const { problem } = found as { readonly problem: string };
  if (said.length === 1) return { move: { kind: 'ask', role, problem } };
  const reason = `the ${role} twice gave an answer that cannot be used: ${problem}. Try again, name another model, or make the goal smaller.`;
  return {
    move: fail(code, reason, `the answer of the ${role} was asked for once more and still cannot be used`),
  };
}

/** The beginning of a text, well formed. */
export function cut(text: string, most: number): string {
  return text.length <= most ? text.toWellFormed() : `${text.slice(0, most).toWellFormed()}…`;
}
