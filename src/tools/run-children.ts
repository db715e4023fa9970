import * as z from 'zod';
import { type ChildSpec, PendingAnswer, parseBudgets, type Tool } from '../engine/index.ts';
import { type Digest, type Json, type JsonObject, OkaError } from '../kernel/index.ts';
import { defineTool, READ_ONLY } from './define-tool.ts';

const MOST_CHILDREN = 10_000;

const child = z.strictObject({
  kind: z.string().min(1).describe('the kind of run, such as agent'),
  goal: z.string(),
  vars: z.record(z.string(), z.json()).optional(),
  budgets: z.record(z.string(), z.number()).optional(),
  graph: z.string().optional().describe('the hash of a kept state graph to run on'),
  subject: z.string().optional().describe('what the run is a run of'),
});

export const runChildren: Tool = defineTool({
  name: 'engine.run_children',
  description:
    'Starts child runs within the budgets of this run and gives their outputs in order when the last has ended.',
  input: z.strictObject({
    children: z.array(child).max(MOST_CHILDREN).default([]),
    each: child.optional().describe('what the runs for `inputs` have in common'),
    inputs: z
      .array(z.json())
      .max(MOST_CHILDREN)
      .optional()
      .describe('one more run for each, as its variable `input`'),
    concurrency: z.int().min(1).max(1_000).optional().describe('how many may run at the same time'),
    on_error: z
      .enum(['fail', 'skip', 'collect'])
      .default('fail')
      .describe(
        'fail with the first that fails, leave out those that fail, or give status and failure of each',
      ),
    single: z.boolean().optional().describe('give the output of the one child, not a list'),
  }),
  output: z.json(),
  annotations: READ_ONLY,
  sideEffect: 'read',
  ledgerOnly: true,
  handler: ({ children, each, inputs = [], concurrency, on_error: onError, single }) => {
    const all = [
      ...children.map(toSpec),
      ...(each === undefined ? [] : forEach(toSpec(each), inputs as Json[])),
    ];
    if (all.length === 0)
      throw new OkaError('engine.tool_input_invalid', 'no child runs were asked for; name at least one.');
    return new PendingAnswer({
      kind: 'children',
      children: all,
      onError,
      ...(concurrency === undefined ? {} : { concurrency }),
      ...(single ? { single } : {}),
    });
  },
});

function forEach(each: ChildSpec, inputs: readonly Json[]): ChildSpec[] {
  return inputs.map((input) => ({ ...each, vars: { ...each.vars, input } }));
}

function toSpec({ kind, goal, vars, budgets, graph, subject }: z.output<typeof child>): ChildSpec {
  return {
    kind,
    goal,
    ...(vars === undefined ? {} : { vars: vars as JsonObject }),
    ...(budgets === undefined ? {} : { budgets: parseBudgets(budgets) }),
    ...(graph === undefined ? {} : { graph: graph as Digest }),
    ...(subject === undefined ? {} : { subject }),
  };
}
