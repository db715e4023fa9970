// An engine of your own: its states, a tool, a planner and a middleware. Run by test/examples.test.ts.
import { Engine, type Middleware, type Planner, StateGraph, type Tool } from 'oka/engine';
import * as z from 'zod';

const input = z.object({ text: z.string() });

const shout: Tool<z.infer<typeof input>, string> = {
  name: 'text.shout',
  version: '1',
  description: 'says it louder',
  input: { check: input, json: () => ({ type: 'object' }) },
  annotations: { readOnly: true, destructive: false, idempotent: true, cacheable: true, risk: 'none' },
  sideEffect: 'read',
  handler: ({ text }) => text.toUpperCase(),
};

const graph = new StateGraph({
  name: 'shouting',
  start: 'think',
  states: { think: { to: ['done'], tools: { names: ['text.shout'] } }, done: { terminal: 'completed' } },
});

const planner: Planner = {
  name: 'shouter',
  version: '1',
  deterministic: true,
  plan: ({ goal, evidence }) =>
    evidence.length === 0
      ? { kind: 'call_tool', tool: 'text.shout', input: { text: goal }, rationale: 'the goal is too quiet' }
      : { kind: 'finish', output: evidence[0]?.output ?? null, rationale: 'it is loud now' },
};

const seen: string[] = [];
const watcher: Middleware = {
  name: 'watcher',
  onDecision(context, next) {
    seen.push(context.decision.kind);
    return next();
  },
};

const engine = new Engine({
  tools: [shout as Tool],
  kinds: [{ name: 'shout', planner, graph }],
  middleware: [{ before: 'policy', middleware: watcher }],
});

const run = await engine.run({ kind: 'shout', goal: 'hello' });
const { timeline, actions } = await engine.explain(run.id);
export const result = {
  output: run.output,
  seen,
  states: timeline.map(({ state }) => state),
  steps: actions.length,
};
