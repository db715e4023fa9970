import type { Failure, Json } from '../kernel/index.ts';
import type { TaskGraph } from './task-graph.ts';

/** Codes of failed assistant runs. */
export type AssistantErrorCode =
  | 'assistant.invalid_settings'
  | 'assistant.plan_unusable'
  | 'assistant.verdict_unusable'
  | 'assistant.check_failed'
  | 'assistant.task_failed'
  | 'assistant.cancelled'
  | 'assistant.denied'
  | 'assistant.budget'
  | 'assistant.handed_off';

/** The result of a task's newest child run, and the number of attempts. */
export interface TaskResult {
  readonly status: 'done' | 'failed' | 'cancelled';
  readonly attempts: number;
  readonly output?: Json;
  readonly failure?: Pick<Failure, 'code' | 'message'>;
}

/** An unmet criterion and the evidence. */
export interface Rejection {
  readonly task: string;
  readonly criterion: string;
  readonly evidence: string;
}

export interface Answered {
  readonly question: string;
  readonly answer: string;
}

/** One round of the loop: a plan, its results, and the critic's findings. */
export interface Round {
  readonly graph: TaskGraph;
  readonly results: ReadonlyMap<string, TaskResult>;
  /** Attempts in failed runs that this one continues. */
  readonly tried: ReadonlyMap<string, number>;
  /** Why the tasks could not start. */
  readonly unstarted?: Failure | undefined;
  readonly checks?: { readonly output?: Json; readonly failure?: Failure } | undefined;
  /** The work as the critic sees it. */
  readonly review?: { readonly output?: Json; readonly failure?: Failure } | undefined;
  readonly commands: readonly { readonly input: Json; readonly output?: Json; readonly failure?: Failure }[];
  /** The critic's answers; more than one if the first was unusable. */
  readonly judgements: readonly Json[];
  readonly answers: readonly Answered[];
  readonly rejected?: readonly Rejection[];
}
