import type { AgentModels, HearText } from '../agent/index.ts';
import type { Evidence } from '../engine/index.ts';
import type { TaskGraph } from './task-graph.ts';

/**
 * Composes a task graph without a model, such as from known procedures; undefined leaves the goal whole. A pure function,
 * because a replay asks it again.
 */
export type PlanWithoutModel = (request: {
  readonly goal: string;
  readonly evidence: readonly Evidence[];
}) => TaskGraph | undefined;

/** What runs of the assistant are planned with. */
export interface AssistantKindOptions {
  /** Where models are found; without it every goal is planned by rules. */
  readonly models?: AgentModels;
  /** Hears what the roles say while they say it. */
  readonly onText?: HearText;
  readonly planWithoutModel?: PlanWithoutModel;
}
