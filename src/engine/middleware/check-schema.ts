import { OkaError } from '../../kernel/index.ts';
import type { Middleware } from '../middleware.ts';
import type { ToolSchema } from '../tool.ts';
import { isLargeOutput } from './audit.ts';

/** Checks what a tool gives back. Its input was checked when the decision was taken in. */
export const checkSchema: Middleware = {
  name: 'schema',
  onTool(call, next) {
    const schema = call.tool.output;
    if (schema === undefined) return next();
    const check = async () => {
      const outcome = await next();
      if (outcome.kind !== 'output' || isLargeOutput(outcome.output)) return outcome;
      const problem = await problemWith(schema, outcome.output);
      if (problem === undefined) return outcome;
      return {
        kind: 'failure' as const,
        failure: {
          code: 'engine.tool_output_invalid',
          message: `${call.tool.name} gave an output that its schema refuses: ${problem}.`,
        },
      };
    };
    return check();
  },
};

async function problemWith(schema: ToolSchema, value: unknown): Promise<string | undefined> {
  const result = await schema.check['~standard'].validate(value);
  return result.issues?.map(sayIssue).join('; ');
}

/** The value as the schema reads it (defaults filled in), or an error that says what is wrong where. */
export function parseInput(schema: ToolSchema, tool: string, input: unknown): unknown | Promise<unknown> {
  const result = schema.check['~standard'].validate(input);
  const settle = (settled: Awaited<typeof result>): unknown => {
    if (settled.issues === undefined) return settled.value;
    throw new OkaError(
      'engine.tool_input_invalid',
      `the input for ${tool} does not fit: ${settled.issues.map(sayIssue).join('; ')}.`,
      { data: { tool } },
    );
  };
  return result instanceof Promise ? result.then(settle) : settle(result);
}

function sayIssue(issue: {
  readonly message: string;
  readonly path?: readonly unknown[] | undefined;
}): string {
  const path = issue.path?.map((part) =>
    typeof part === 'object' && part !== null ? String((part as { key: unknown }).key) : String(part),
  );
  return path?.length ? `${path.join('.')}: ${issue.message}` : issue.message;
}
