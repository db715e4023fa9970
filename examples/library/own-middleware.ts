// Middleware that refuses calls at night and records how each call ended.
import { defineTool, Engine, type Middleware, openStores, type Planner, StateGraph } from 'oka/engine';
import * as z from 'zod';

const [time = '2026-01-31T12:00:00Z'] = process.argv.slice(2);
const stores = openStores({ inMemory: true });

const ring = defineTool({
  name: 'bell.ring',
  description: 'Rings the bell',
  input: z.object({ times: z.int().positive() }),
  output: z.string(),
  sideEffect: 'write_local',
  annotations: { readOnly: false, destructive: false, idempotent: false, cacheable: false, risk: 'low' },
  handler: ({ times }) => 'ding '.repeat(times).trim(),
});

const quietAtNight: Middleware = {
  name: 'quiet-at-night',
  onDecision({ decision }, next) {
    const hour = new Date(time).getUTCHours();
    if (decision.kind !== 'call_tool' || (hour >= 8 && hour < 20)) return next();
    return { kind: 'refuse', failure: { code: 'bell.night', message: 'The bell is silent at night.' } };
  },
};

const log: string[] = [];
const logCalls: Middleware = {
  name: 'log-calls',
  async onTool(call, next) {
    const outcome = await next();
    log.push(`${call.tool.name}: ${outcome.kind}`);
    return outcome;
  },
};

const planner: Planner = {
  name: 'ringer',
  version: '1',
  deterministic: true,
  plan: ({ evidence: [last] }) => {
    if (last === undefined)
      return { kind: 'call_tool', tool: 'bell.ring', input: { times: 2 }, rationale: 'it is time' };
    const { failure, output = null } = last;
    return failure
      ? { kind: 'fail', code: failure.code, reason: failure.message, rationale: 'it did not ring' }
      : { kind: 'finish', output, rationale: 'it rang' };
  },
};

const graph = new StateGraph({
  name: 'ringing',
  start: 'ring',
  states: {
    ring: { to: ['done'], tools: { names: ['bell.ring'] } },
    done: { terminal: 'completed' },
    failed: { terminal: 'failed' },
  },
});

const engine = new Engine({
  ...stores,
  tools: [ring],
  kinds: [{ name: 'ring', planner, graph }],
  // Each names the built-in middleware before which it runs. It can stop and observe; it cannot skip a check.
  middleware: [
    { before: 'policy', middleware: quietAtNight },
    { before: 'audit', middleware: logCalls },
  ],
});

const run = await engine.run({ kind: 'ring', goal: 'ring the bell' });
process.stdout.write(
  JSON.stringify({
    output: run.output ?? null,
    failure: run.failure?.code ?? null,
    log,
    order: engine.middlewareOrder,
  }),
);
await engine.close();
await stores.close();
