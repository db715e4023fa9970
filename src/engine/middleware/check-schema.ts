import { OkaError } from '../../kernel/index.ts';
import type { BuiltInMiddleware, ToolOutcome } from '../middleware.ts';
import type { ToolSchema } from '../tool.ts';
import { isLargeOutput } from './audit.ts';

/** Checks what a tool gives back. Its input was checked when the decision was taken in. */
export const checkSchema: BuiltInMiddleware = {
  name: 'schema',
  afterTool({ tool }, outcome) {
    return tool.output === undefined ? outcome : check(tool.output, tool.name, outcome);
  },
};

function check(schema: ToolSchema, tool: string, outcome: ToolOutcome): ToolOutcome | Promise<ToolOutcome> {
  if (outcome.kind !== 'output' || isLargeOutput(outcome.output)) return outcome;
  const result = schema.check['~standard'].validate(outcome.output);
  const judge = ({ issues }: Awaited<typeof result>): ToolOutcome => {
    if (issues === undefined) return outcome;
    const problem = issues.map(sayIssue).join('; ');
    const message = `${tool} gave an output that its schema refuses: ${problem}.`;
    return { kind: 'failure', failure: { code: 'engine.tool_output_invalid', message } };
  };
  return result instanceof Promise ? result.then(judge) : judge(result);
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
