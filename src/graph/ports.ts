import type { JsonObject } from '../kernel/index.ts';

/** What the compiler needs to know of a tool. */
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
