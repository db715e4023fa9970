import { describe, expect, it } from 'vitest';
import { call, effectTool, finish, makeEngine, plannerOf, readTool } from '../../test/support/engine-kit.ts';
import { statusOf } from './run-state.ts';
import { StateGraph } from './state-graph.ts';
import type { Decision } from './types.ts';

const look = readTool('look', () => ({ seen: 1 }));
const _act = effectTool('act', () => 'acted');
const run = { kind: 'test', goal: 'a goal' };

describe('budgets', () => {
  it('park a planner that loops, and let it continue when budget is added', async () => {
    const counting = readTool('count', (input: { n: number }) => input.n);
    const planner = plannerOf((input) =>
      input.evidence.length < 8 ? call('count', { n: input.evidence.length }) : finish(),
    );
    const { engine } = makeEngine(planner, [counting], { limits: { tool_calls: 5 } });
    const parked = await engine.run(run);
    expect(parked.waiting).toMatchObject({ for: 'budget', budget: 'tool_calls' });
    expect(parked.used.tool_calls).toBe(5);
    expect(statusOf(await engine.resume(parked.id))).toBe('waiting');
    await engine.addBudget(parked.id, { tool_calls: 3 }, 'ann');
    const done = await engine.resume(parked.id);
    expect(statusOf(done)).toBe('completed');
    expect(done.used.tool_calls).toBe(8);
  });

  it('park a run that worked longer than its time budget', async () => {
    const slow = readTool('slow', () => {
      clock.advance(600);
      return clock.now();
    });
    const { engine, clock } = makeEngine(
      plannerOf(() => call('slow')),
      [slow],
      { limits: { wall_ms: 1_000 } },
    );
    const parked = await engine.run(run);
    expect(parked.waiting).toMatchObject({ for: 'budget', budget: 'wall_ms' });
    expect(parked.used.tool_calls).toBe(2);
  });

  it('end a visit to a state that exceeds its own budget', async () => {
    const graph = new StateGraph({
      name: 'short',
      start: 'work',
      states: {
        work: { to: ['done'], tools: { names: ['look'] }, budgets: { tool_calls: 1 } },
        done: { terminal: 'completed' },
      },
    });
    const planner = plannerOf((input) =>
      input.evidence.at(-1)?.failure ? finish(input.evidence.at(-1)?.failure?.code) : call('look'),
    );
    expect((await makeEngine(planner, [look]).engine.run({ ...run, graph })).output).toBe(
      'engine.budget_exhausted',
    );
  });

  it('for models are reserved before the planner is called', async () => {
    let asked = 0;
    const planner = plannerOf(
      (input) => {
        asked += 1;
        const spend = { model_calls: 1, cost_usd: 0.4 };
        const model = { provider: 'p', model: 'm', requestDigest: 'd' as never, spend };
        return { ...call('look', { n: input.run.step }), model } as Decision;
      },
      { deterministic: false, estimate: () => ({ model_calls: 1, cost_usd: 0.5 }) },
    );
    const { engine } = makeEngine(planner, [look], { limits: { cost_usd: 1 } });
    const parked = await engine.run(run);
    expect(parked.waiting).toMatchObject({ for: 'budget', budget: 'cost_usd' });
    expect(asked).toBe(2);
    expect(parked.used).toMatchObject({ model_calls: 2, cost_usd: 0.8 });
  });
});
