import type { GraphDirectory, ToolDirectory } from './ports.ts';
import type { CompiledGraph, Diagnostic, GuaranteeMode } from './types.ts';

/** What a graph is compiled against. */
export interface CompileOptions {
  /** Replaces the mode that the file names. */
  readonly mode?: GuaranteeMode;
  readonly tools: ToolDirectory;
  /** Where map and subgraph nodes find their graphs; without it they find none. */
  readonly graphs?: GraphDirectory;
}

/** What came of compiling a graph. */
export interface CompileResult {
  /** There exactly when no diagnostic is an error. */
  readonly graph?: CompiledGraph;
  /** All that was found, in the order of the definition. */
  readonly diagnostics: readonly Diagnostic[];
}
