import { OkaError } from '../../kernel/index.ts';
import type { BuiltInMiddleware } from '../middleware.ts';
import type { ToolSchema } from '../tool.ts';
import { isLargeOutput } from './audit.ts';

/** Checks outputs against the tool's schema. Inputs are checked before the decision chain. */
export const checkSchema: BuiltInMiddleware = {
  name: 'schema',
  async afterTool({ tool }, outcome) {
    if (tool.output === undefined || outcome.kind !== 'output' || isLargeOutput(outcome.output))
      return outcome;
    const { issues } = await tool.output.check['~standard'].validate(outcome.output);
    if (issues === undefined) return outcome;
    const message = `${tool.name} returned an output that its schema rejects: ${issues.map(describeIssue).join('; ')}.`;
    return { kind: 'failure', failure: { code: 'engine.tool_output_invalid', message } };
  },
};

/** Parses an input with defaults filled in; throws an error that names each problem and its path. */
export async function parseInput(schema: ToolSchema, tool: string, input: unknown): Promise<unknown> {
  const result = await schema.check['~standard'].validate(input);
  if (result.issues === undefined) return result.value;
  throw new OkaError(
    'engine.tool_input_invalid',
    `Invalid input for ${tool}: ${result.issues.map(describeIssue).join('; ')}.`,
    { data: { tool } },
  );
}

function describeIssue(issue: {
  readonly message: string;
  readonly path?: readonly unknown[] | undefined;
}): string {
  const path = issue.path?.map((part) =>
    typeof part === 'object' && part !== null ? String((part as { key: unknown }).key) : String(part),
  );
  return path?.length ? `${path.join('.')}: ${issue.message}` : issue.message;
}
