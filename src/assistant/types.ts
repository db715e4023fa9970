import type { Failure, Json } from '../kernel/index.ts';
import type { TaskGraph } from './task-graph.ts';

/** Codes that the assistant fails runs with, one for each way out that is not success. */
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

/** What became of a task so far: how its newest child run ended, and how many there were. */
export interface TaskResult {
  readonly status: 'done' | 'failed' | 'cancelled';
  readonly attempts: number;
  readonly output?: Json;
  readonly failure?: Pick<Failure, 'code' | 'message'>;
}

/** A criterion that was not met, and what shows it. */
export interface Rejection {
  readonly task: string;
  readonly criterion: string;
  readonly evidence: string;
}

/** What a question to a person was answered with. */
export interface Answered {
  readonly question: string;
  readonly answer: string;
}

/** One way round the loop: a plan, what its tasks came to, and what the critic has found so far. */
export interface Round {
  readonly graph: TaskGraph;
  readonly results: ReadonlyMap<string, TaskResult>;
  /** How often tasks were tried in failed runs that this one continues. */
  readonly tried: ReadonlyMap<string, number>;
  /** Why the tasks could not be started at all. */
  readonly unstarted?: Failure | undefined;
  readonly checks?: { readonly output?: Json; readonly failure?: Failure } | undefined;
  readonly commands: readonly { readonly input: Json; readonly output?: Json; readonly failure?: Failure }[];
  /** What a model said as the critic; more than one where the first could not be used. */
  readonly judgements: readonly Json[];
  readonly answers: readonly Answered[];
  readonly rejected?: readonly Rejection[];
}
