import type { ToolFace } from '../../engine/index.ts';
import type { ModelAnswer, ModelProvider } from '../../models/index.ts';
import type { CompileResult } from '../ports.ts';
import type { Diagnostic, GraphDefinition } from '../types.ts';

export type BuildErrorCode = 'graph.build_failed' | 'graph.cannot_place' | 'graph.cannot_promote';

/** A tool for the builder; its output schema lets later steps name a part of the output. */
export type BuildTool = Pick<
  ToolFace,
  'name' | 'description' | 'input' | 'output' | 'annotations' | 'sideEffect'
>;

/** One answer of the model and its diagnostics. */
export interface BuildAttempt {
  readonly attempt: number;
  readonly diagnostics: readonly Diagnostic[];
  /** Missing when the answer was not usable as JSON. */
  readonly answer?: ModelAnswer;
}

export interface BuildOptions {
  readonly tools: readonly BuildTool[];
  compile(source: unknown): CompileResult;
  /** Without one the graph is built by rules. */
  readonly model?: { readonly provider: Pick<ModelProvider, 'complete'>; readonly model: string };
  readonly signal?: AbortSignal;
  /** Called after each answer of the model. */
  onAttempt?(attempt: BuildAttempt): void;
}

/** Why a step of the intent became a node. */
export interface Choice {
  readonly step: string;
  readonly node_id: string;
  readonly tool?: string;
  readonly why: string;
}

export interface ScheduleSuggestion {
  readonly cron: string;
  /** The words of the intent. */
  readonly said: string;
}

/** A graph that compiles, and how it was built. */
export interface BuiltGraph {
  readonly definition: GraphDefinition;
  readonly by: 'model' | 'rules';
  readonly choices: readonly Choice[];
  readonly schedule?: ScheduleSuggestion;
  readonly warnings: readonly Diagnostic[];
}
