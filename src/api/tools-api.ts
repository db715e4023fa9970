import * as z from 'zod';
import type { EventView, RunAnswer } from './run-views.ts';
import { runAnswer } from './run-views.ts';
import { flag, json, jsonObject, list, number, type SchemasOf, type TypeOf, text } from './schemas.ts';

/** A tool as lists show it. */
const toolView = z.object({
  name: text,
  description: text,
  sideEffect: z.enum(['read', 'write_local', 'external_mutation']),
  annotations: z.object({
    readOnly: flag,
    destructive: flag,
    idempotent: flag,
    cacheable: flag,
    risk: z.enum(['none', 'low', 'medium', 'high', 'critical']),
  }),
  /** `built-in`, or where it comes from, as in `mcp:github`. */
  source: text,
});
export type ToolView = TypeOf<typeof toolView>;

/** A tool with the JSON Schemas of what it takes and gives. */
const toolDetails = toolView.extend({ input: jsonObject, output: jsonObject.exactOptional() });
export type ToolDetails = TypeOf<typeof toolDetails>;

const callToolRequest = z.object({
  tool: text,
  input: json,
  simulate: flag.exactOptional(),
  /** How long to stay for timers before the run is left parked. */
  patienceMs: number,
});
export interface CallToolRequest extends TypeOf<typeof callToolRequest> {
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

export const toolsSchemas: SchemasOf<ToolsApi> = {
  list: [[], list(toolView)],
  show: [[{ name: text }], toolDetails],
  call: [[callToolRequest], runAnswer],
};
