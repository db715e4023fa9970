import type { JsonObject } from '../kernel/index.ts';
import type { CompiledGraph, Diagnostic, GuaranteeMode } from './types.ts';

/** The facts about a tool that the compiler needs. */
export interface ToolEntry {
  readonly name: string;
  /** The JSON Schema of the tool's arguments. */
  inputSchema(): JsonObject;
  readonly idempotent: boolean;
  readonly readOnly: boolean;
}

/** The tools that a graph may name. */
export interface ToolDirectory {
  find(name: string): ToolEntry | undefined;
  names(): readonly string[];
}

/** The graphs that map and subgraph nodes may name: definitions as written, by id or by path. */
export interface GraphDirectory {
  find(name: string): unknown | undefined;
}

export interface CompileOptions {
  /** Overrides the mode in the definition. */
  readonly mode?: GuaranteeMode;
  readonly tools: ToolDirectory;
  /** Resolves the graphs of map and subgraph nodes; without it they resolve to nothing. */
  readonly graphs?: GraphDirectory;
}

export interface CompileResult {
  /** Set only when no diagnostic is an error. */
  readonly graph?: CompiledGraph;
  /** All findings, in the order of the definition. */
  readonly diagnostics: readonly Diagnostic[];
}
