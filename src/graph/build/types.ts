import type { ToolFace } from '../../engine/index.ts';
import type { ModelAnswer, ModelProvider } from '../../models/index.ts';
import type { CompileResult } from '../compile-options.ts';
import type { Diagnostic, GraphDefinition } from '../types.ts';

/** Codes that building a graph fails with. */
export type BuildErrorCode = 'graph.build_failed' | 'graph.cannot_place' | 'graph.cannot_promote';

/** What the builder knows of a tool; its output schema lets later steps name a part of the output. */
export type BuildTool = Pick<
  ToolFace,
  'name' | 'description' | 'input' | 'output' | 'annotations' | 'sideEffect'
>;

/** One answer of the model and what the compiler said to it. */
export interface BuildAttempt {
  readonly attempt: number;
  readonly diagnostics: readonly Diagnostic[];
  /** Missing when the answer was not usable as JSON. */
  readonly answer?: ModelAnswer;
}

/** What a graph is built from and checked with. */
export interface BuildOptions {
  readonly tools: readonly BuildTool[];
  compile(source: unknown): CompileResult;
  /** Without one the graph is built by rules. */
  readonly model?: { readonly provider: Pick<ModelProvider, 'complete'>; readonly model: string };
  readonly signal?: AbortSignal;
  /** Told after each answer of the model, so that every call can be recorded. */
  onAttempt?(attempt: BuildAttempt): void;
}

/** Why a step of the intent became what it is. */
export interface Choice {
  readonly step: string;
  readonly node_id: string;
  readonly tool?: string;
  readonly why: string;
}

/** When the intent wants the graph to run. */
export interface ScheduleSuggestion {
  readonly cron: string;
  /** The words that say so. */
  readonly said: string;
}

/** A graph that compiles, and how it came about. */
export interface BuiltGraph {
  readonly definition: GraphDefinition;
  readonly by: 'model' | 'rules';
  readonly choices: readonly Choice[];
  readonly schedule?: ScheduleSuggestion;
  /** What the compiler warns of. */
  readonly warnings: readonly Diagnostic[];
}
