import type { Json, JsonObject } from '../kernel/index.ts';
import type { EventView, RunAnswer } from './run-views.ts';

/** A tool as lists show it. */
export interface ToolView {
  readonly name: string;
  readonly description: string;
  readonly sideEffect: 'read' | 'write_local' | 'external_mutation';
  readonly annotations: {
    readonly readOnly: boolean;
    readonly destructive: boolean;
    readonly idempotent: boolean;
    readonly cacheable: boolean;
    readonly risk: 'none' | 'low' | 'medium' | 'high' | 'critical';
  };
  /** `built-in`, or where it comes from, as in `mcp:github`. */
  readonly source: string;
}

/** A tool with the JSON Schemas of what it takes and gives. */
export interface ToolDetails extends ToolView {
  readonly input: JsonObject;
  readonly output?: JsonObject;
}

export interface CallToolRequest {
  readonly tool: string;
  readonly input: Json;
  readonly simulate?: boolean;
  /** How long to stay for timers before the run is left parked. */
  readonly patienceMs: number;
  /** Aborted: the run is let go at its next boundary, and can be resumed. */
  readonly signal?: AbortSignal;
  readonly onEvent?: (event: EventView) => void;
}

/** Tools, by themselves. */
export interface ToolsApi {
  list(): Promise<readonly ToolView[]>;
  show(name: string): Promise<ToolDetails>;
  /** Calls one tool as a run of its own, under policy and on record like any other. */
  call(request: CallToolRequest): Promise<RunAnswer>;
}
