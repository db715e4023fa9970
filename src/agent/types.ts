import type { Decision, Evidence, PlanInput } from '../engine/index.ts';
import type { JsonObject } from '../kernel/index.ts';
import type { Goal } from '../language/index.ts';

/** Codes that the agent planners fail runs with. A tool's own failure keeps its own code. */
export const AGENT_ERROR_CODES = [
  'agent.goal_not_understood',
  'agent.answer_not_usable',
  'agent.not_confirmed',
  'agent.not_validated',
  'agent.output_too_large',
  'agent.gave_up',
] as const;
export type AgentErrorCode = (typeof AGENT_ERROR_CODES)[number];

/** A fixed plan for a kind of goal, as a pure function of the run's evidence. */
export interface Procedure {
  readonly name: string;
  readonly description: string;
  /** A goal that it understands. */
  readonly example: string;
  /** Phrases that call for it: the first word is the goal's verb, the others follow in order. */
  readonly triggers: readonly string[];
  /** Other words of its goals, separated by spaces; a typo in one of them is corrected. */
  readonly words?: string;
  /** The tools that it needs. */
  readonly tools: readonly string[];
  /** The words of the goal that call for it, if it understands the whole goal. */
  called?(goal: Goal): string | undefined;
  /** The parameters in the goal; undefined when the goal is about something else. */
  parameters(goal: Goal): JsonObject | undefined;
  plan(input: PlanInput, parameters: JsonObject): Decision | Promise<Decision>;
  /** What it writes to a file, from what its run has seen; `procedures.write` calls it with the bytes of the files. */
  result?(evidence: readonly Evidence[], parameters: JsonObject, path: string): string;
}
