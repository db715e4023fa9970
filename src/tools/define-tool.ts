import * as z from 'zod';
import type { CallEffect, Tool, ToolAnswer, ToolContext, ToolSchema } from '../engine/index.ts';
import type { Json, JsonObject } from '../kernel/index.ts';

/** A `Tool` with Zod schemas. */
export interface ToolDefinition<Input extends z.ZodType, Output extends z.ZodType>
  extends Omit<
    Tool,
    'version' | 'input' | 'output' | 'effect' | 'binds' | 'preimage' | 'undo' | 'handler' | 'spends'
  > {
  readonly version?: string;
  readonly input: Input;
  readonly output: Output;
  readonly spends?: NonNullable<Tool<z.output<Input>>['spends']>;
  readonly effect?: (input: z.output<Input>) => CallEffect;
  readonly binds?: NonNullable<Tool<z.output<Input>>['binds']>;
  readonly preimage?: (input: z.output<Input>, context: ToolContext) => Promise<Json | undefined>;
  readonly undo?: (
    change: { input: z.output<Input>; preimage: Json; force: boolean },
    context: ToolContext,
  ) => Promise<string>;
  readonly handler: (
    input: z.output<Input>,
    context: ToolContext,
  ) => Promise<ToolAnswer<z.output<Output>>> | ToolAnswer<z.output<Output>>;
}

/** Creates a tool. The engine validates every input before it calls the handler. */
export function defineTool<Input extends z.ZodType, Output extends z.ZodType>(
  definition: ToolDefinition<Input, Output>,
): Tool {
  const tool: Tool<z.output<Input>, z.output<Output>> = {
    ...definition,
    version: definition.version ?? '1',
    input: toSchema(definition.input, 'input'),
    output: toSchema(definition.output, 'output'),
  };
  return tool as unknown as Tool;
}

/** Any JSON value. */
export const anyJson = z.json() as unknown as z.ZodType<Json>;

/** Members of tools without effects. */
export const READS: Pick<Tool, 'annotations' | 'sideEffect'> = {
  annotations: { readOnly: true, destructive: false, idempotent: true, cacheable: false, risk: 'none' },
  sideEffect: 'read',
};

/** An object without its undefined members. */
export function defined<Fields extends object>(fields: Fields): Defined<Fields> {
  const entries = Object.entries(fields).filter(([, value]) => value !== undefined);
  return Object.fromEntries(entries) as Defined<Fields>;
}

export type Defined<Fields> = { [Name in keyof Fields]?: Exclude<Fields[Name], undefined> };

function toSchema<Schema extends z.ZodType>(
  schema: Schema,
  io: 'input' | 'output',
): ToolSchema<z.output<Schema>> {
  let json: JsonObject | undefined;
  return {
    check: schema,
    json: () => (json ??= z.toJSONSchema(schema, { io }) as JsonObject),
  };
}
