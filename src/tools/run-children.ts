import * as z from 'zod';
import { type ChildSpec, PendingAnswer, parseBudgets, type Tool } from '../engine/index.ts';
import type { Digest, JsonObject } from '../kernel/index.ts';
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
    children: z.array(child).min(1).max(MOST_CHILDREN),
    concurrency: z.int().min(1).max(256).optional().describe('how many may run at the same time'),
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
  handler: ({ children, concurrency, on_error: onError, single }) =>
    new PendingAnswer({
      kind: 'children',
      children: children.map(toSpec),
      onError,
      ...(concurrency === undefined ? {} : { concurrency }),
      ...(single ? { single } : {}),
    }),
});

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
