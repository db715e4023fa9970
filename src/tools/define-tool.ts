import * as z from 'zod';
import type { CallEffect, Tool, ToolAnswer, ToolContext, ToolSchema } from '../engine/index.ts';
import type { Json, JsonObject } from '../kernel/index.ts';

/** A Zod schema. Programs that define tools have a Zod of their own, so the type names only what every copy has. */
interface ZodSchema {
  readonly _zod: { readonly output: unknown };
}

type OutputOf<Schema extends ZodSchema> = Schema['_zod']['output'];

/** A `Tool` with Zod schemas. */
export interface ToolDefinition<Input extends ZodSchema, Output extends ZodSchema>
  extends Omit<
    Tool,
    'version' | 'input' | 'output' | 'effect' | 'binds' | 'check' | 'preimage' | 'undo' | 'handler' | 'spends'
  > {
  readonly version?: string;
  readonly input: Input;
  readonly output: Output;
  readonly spends?: NonNullable<Tool<OutputOf<Input>>['spends']>;
  readonly effect?: (input: OutputOf<Input>) => CallEffect;
  readonly binds?: NonNullable<Tool<OutputOf<Input>>['binds']>;
  readonly check?: NonNullable<Tool<OutputOf<Input>>['check']>;
  readonly preimage?: (input: OutputOf<Input>, context: ToolContext) => Promise<Json | undefined>;
  readonly undo?: (
    change: { input: OutputOf<Input>; preimage: Json; force: boolean },
    context: ToolContext,
  ) => Promise<string>;
  readonly handler: (
    input: OutputOf<Input>,
    context: ToolContext,
  ) => Promise<ToolAnswer<OutputOf<Output>>> | ToolAnswer<OutputOf<Output>>;
}

/** Creates a tool. The engine validates every input before it calls the handler. */
export function defineTool<Input extends ZodSchema, Output extends ZodSchema>(
  definition: ToolDefinition<Input, Output>,
): Tool {
  const tool: Tool<OutputOf<Input>, OutputOf<Output>> = {
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

function toSchema<Schema extends ZodSchema>(
  given: Schema,
  io: 'input' | 'output',
): ToolSchema<OutputOf<Schema>> {
  const schema = given as unknown as z.ZodType<OutputOf<Schema>>;
  let json: JsonObject | undefined;
  return {
    check: schema,
    json: () => (json ??= z.toJSONSchema(schema, { io }) as JsonObject),
  };
}
