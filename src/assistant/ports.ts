import type { TextListener } from '../agent/index.ts';
import type { Evidence, ToolFace } from '../engine/index.ts';
import type { ReadPackText } from '../memory/index.ts';
import type { ModelDirectory } from '../models/index.ts';
import type { TaskGraph } from './task-graph.ts';

/**
 * Composes a task graph without a model. Undefined leaves the goal whole; `unknown` is the reason why nothing can be done. A
 * pure function, because replays call it again.
 */
export type PlanWithoutModel = (request: {
  readonly goal: string;
  readonly evidence: readonly Evidence[];
  readonly tools: readonly ToolFace[];
}) => TaskGraph | { readonly unknown: string } | undefined;

export interface AssistantKindOptions {
  /** Finds models; without it every goal is planned by rules. */
  readonly models?: ModelDirectory;
  /** Receives the roles' text while it streams. */
  readonly onText?: TextListener;
  /** Reads texts that a run's context pack names by id. */
  readonly readPack?: ReadPackText;
  /** Default: `composeTasks`. */
  readonly planWithoutModel?: PlanWithoutModel;
}
