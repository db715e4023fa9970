import * as z from 'zod';
import { type ChildSpec, PendingAnswer, parseBudgets, type Tool } from '../engine/index.ts';
import { OkaError } from '../kernel/index.ts';
import { defined, defineTool, READS } from './define-tool.ts';

const MAX_CHILDREN = 10_000;

const child = z.strictObject({
  kind: z.string().min(1).describe('the kind of run, such as agent'),
  goal: z.string(),
  vars: z.record(z.string(), z.json()).optional(),
  budgets: z.record(z.string(), z.number()).optional(),
  graph: z.string().optional().describe('the hash of a stored state graph'),
  subject: z.string().optional().describe('the subject of the run'),
});

export const runChildren: Tool = defineTool({
  name: 'engine.run_children',
  description:
    'Starts child runs within the budgets of this run and returns their outputs in order when all have ended.',
  input: z.strictObject({
    children: z.array(child).max(MAX_CHILDREN).default([]),
    each: child.optional().describe('the template of the runs for `inputs`'),
    inputs: z
      .array(z.json())
      .max(MAX_CHILDREN)
      .optional()
      .describe('starts one run per value, with the variable `input`'),
    concurrency: z.int().min(1).max(1_000).optional().describe('the maximum number of parallel runs'),
    on_error: z
      .enum(['fail', 'skip', 'collect'])
      .default('fail')
      .describe('fail with the first failed run, skip failed runs, or collect status and failure of each'),
    single: z.boolean().optional().describe('return the output of the only child, not a list'),
  }),
  output: z.json(),
  ...READS,
  ledgerOnly: true,
  handler: ({ children, each, inputs = [], concurrency, on_error: onError, single }) => {
    const perInput = each && inputs.map((input) => ({ ...each, vars: { ...each.vars, input } }));
    const all = [...children, ...(perInput ?? [])].map(toSpec);
    if (all.length === 0) throw new OkaError('engine.tool_input_invalid', 'Give at least one child run.');
    return new PendingAnswer({
      kind: 'children',
      children: all,
      onError,
      ...defined({ concurrency }),
      ...(single ? { single } : {}),
    });
  },
});

function toSpec({ kind, goal, budgets, ...rest }: z.output<typeof child>): ChildSpec {
  const spec = { ...rest, budgets: budgets && parseBudgets(budgets) };
  return { kind, goal, ...(defined(spec) as Partial<ChildSpec>) };
}
