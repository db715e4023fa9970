import * as z from 'zod';
import { type RunAnswer, type RunListener, runAnswer, startKey } from './run-views.ts';
import { flag, json, jsonObject, list, number, type SchemasOf, type TypeOf, text } from './schemas.ts';

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
  /** `built-in`, or its server, such as `mcp:github`. */
  source: text,
});
export type ToolView = TypeOf<typeof toolView>;

/** A tool with the JSON Schemas of its input and output. */
const toolDetails = toolView.extend({ input: jsonObject, output: jsonObject.exactOptional() });
export type ToolDetails = TypeOf<typeof toolDetails>;

const callToolRequest = z.object({
  tool: text,
  input: json,
  simulate: flag.exactOptional(),
  /** A program wrote the input and not a person, so it names no hosts. */
  byProgram: z.literal(true).exactOptional(),
  /** How long to wait for timers before the run is left waiting. */
  patienceMs: number,
  key: startKey,
});
export interface CallToolRequest extends TypeOf<typeof callToolRequest>, RunListener {}

export interface ToolsApi {
  list(): Promise<readonly ToolView[]>;
  show(name: string): Promise<ToolDetails>;
  /** Calls one tool as a recorded run, under policy. */
  call(request: CallToolRequest): Promise<RunAnswer>;
}

export const toolsSchemas: SchemasOf<ToolsApi> = {
  list: [[], list(toolView)],
  show: [[{ name: text }], toolDetails],
  call: [[callToolRequest], runAnswer],
};
