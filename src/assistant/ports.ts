import type { AgentModels, HearText } from '../agent/index.ts';
import type { Evidence, ToolFace } from '../engine/index.ts';
import type { ReadPackText } from '../memory/index.ts';
import type { TaskGraph } from './task-graph.ts';

/**
 * Composes a task graph without a model, such as from known procedures; undefined leaves the goal whole, and `unknown` says
 * why nothing can be done about it. A pure function, because a replay asks it again.
 */
export type PlanWithoutModel = (request: {
  readonly goal: string;
  readonly evidence: readonly Evidence[];
  readonly tools: readonly ToolFace[];
}) => TaskGraph | { readonly unknown: string } | undefined;

/** What runs of the assistant are planned with. */
export interface AssistantKindOptions {
  /** Where models are found; without it every goal is planned by rules. */
  readonly models?: AgentModels;
  /** Hears what the roles say while they say it. */
  readonly onText?: HearText;
  /** Reads what a run's context pack names by id. */
  readonly readPack?: ReadPackText;
  /** `composeTasks` unless told. */
  readonly planWithoutModel?: PlanWithoutModel;
}
