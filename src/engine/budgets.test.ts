import { describe, expect, it } from 'vitest';
import { call, effectTool, finish, makeEngine, plannerOf, readTool } from '../../test/support/engine-kit.ts';
import { settle } from '../../test/support/manual-clock.ts';
import { OkaError } from '../kernel/index.ts';
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

  it('park a visit to a state at its own limit, and continue it when budget is added', async () => {
    const graph = new StateGraph({
      name: 'short',
      start: 'work',
      states: {
        work: { to: ['done'], tools: { names: ['count'] }, budgets: { tool_calls: 1 } },
        done: { terminal: 'completed' },
      },
    });
    const counting = readTool('count', (input: { n: number }) => input.n);
    const planner = plannerOf(({ evidence }) =>
      evidence.length < 3 ? call('count', { n: evidence.length }) : finish(),
    );
    const { engine } = makeEngine(planner, [counting]);
    const parked = await engine.run({ ...run, graph });
    expect(parked.waiting).toMatchObject({ for: 'budget', budget: 'tool_calls', pool: 'state work' });
    await engine.addBudget(parked.id, { tool_calls: 2 }, 'ann');
    expect((await engine.resume(parked.id)).ended?.status).toBe('completed');
  });

  it('of a visit to a state count the retries of a call', async () => {
    let attempts = 0;
    const busy = readTool('busy', () => {
      attempts += 1;
      throw new OkaError('net.down', 'down', { transient: true });
    });
    const graph = new StateGraph({
      name: 'short',
      start: 'work',
      states: {
        work: { to: ['done'], tools: { names: ['busy'] }, budgets: { tool_calls: 2 } },
        done: { terminal: 'completed' },
      },
    });
    const { engine, clock } = makeEngine(
      plannerOf((input) => call('busy', { step: input.run.step })),
      [busy],
      { limits: { node_retries: 2 } },
    );
    const going = engine.run({ ...run, graph });
    for (let i = 0; i < 5; i++) {
      await settle();
      clock.advanceToNext();
    }
    const parked = await going;
    expect(attempts).toBe(2);
    expect(parked.waiting).toMatchObject({ for: 'budget', budget: 'tool_calls', needed: 1 });
    await engine.addBudget(parked.id, { tool_calls: 1 }, 'ann');
    await engine.resume(parked.id);
    expect(attempts).toBe(3);
  });

  it('that are exceeded say how much is missing', async () => {
    const slow = readTool('slow', () => {
      clock.advance(1_600);
      return clock.now();
    });
    const planner = plannerOf(({ evidence }) => (evidence.length < 2 ? call('slow') : finish()));
    const { engine, clock } = makeEngine(planner, [slow], { limits: { wall_ms: 1_000 } });
    const parked = await engine.run(run);
    expect(parked.waiting).toMatchObject({ for: 'budget', budget: 'wall_ms', needed: 601 });
    await engine.addBudget(parked.id, { wall_ms: 601 }, 'ann');
    expect((await engine.resume(parked.id)).ended?.status).toBe('completed');
  });

  it('release what was reserved for a model call that failed, and charge what it has cost', async () => {
    const failing = (spend?: object) =>
      plannerOf(
        () => {
          throw new OkaError(
            'models.request_failed',
            'It failed.',
            spend ? { data: { spend } as never } : {},
          );
        },
        { estimate: () => ({ model_calls: 1, input_tokens: 4_000, cost_usd: 0.1 }) },
      );
    const unreachable = await makeEngine(failing(), [look]).engine.run(run);
    expect(unreachable.failure?.code).toBe('models.request_failed');
    expect(unreachable.used).toEqual({});
    const spend = { model_calls: 1, input_tokens: 3_900, cost_usd: 0.09 };
    expect((await makeEngine(failing(spend), [look]).engine.run(run)).used).toEqual(spend);
  });

  it('charge all that was reserved for a planner that breaks, so that a continued run stays within them', async () => {
    let asked = 0;
    const broken = plannerOf(
      () => {
        asked += 1;
        throw new Error('a bug after the model has answered');
      },
      { estimate: () => ({ model_calls: 1, cost_usd: 1 }) },
    );
    const { engine } = makeEngine(broken, [look], { limits: { cost_usd: 1 } });
    const failed = await engine.run(run);
    expect(failed.used).toEqual({ model_calls: 1, cost_usd: 1 });
    const continued = await engine.resume(failed.id);
    expect(continued.waiting).toMatchObject({ for: 'budget', budget: 'cost_usd', needed: 1 });
    expect(asked).toBe(1);
  });

  it('charge a decision that a hook stops, so that a continued run stays within them', async () => {
    const spend = { model_calls: 1, cost_usd: 1 };
    const model = { provider: 'p', model: 'm', requestDigest: 'd' as never, spend };
    const planner = plannerOf(() => ({ ...finish(), model }) as Decision, { estimate: () => spend });
    const broken = { hook: 'h', ok: false, exitCode: 1, output: 'no', fail: true };
    const { engine } = makeEngine(planner, [look], {
      limits: { cost_usd: 1 },
      hooks: { has: (name) => name === 'after_run', run: async () => [broken] },
    });
    const failed = await engine.run(run);
    expect([failed.failure?.code, failed.used]).toEqual(['engine.hook_failed', spend]);
    expect((await engine.resume(failed.id)).waiting).toMatchObject({ for: 'budget', budget: 'cost_usd' });
  });

  it('ask once more after an unusable answer, and charge both', async () => {
    const spend = { model_calls: 1, cost_usd: 0.1 };
    const model = { provider: 'p', model: 'm', requestDigest: 'd' as never, spend };
    const planner = plannerOf(
      ({ repair }) => {
        if (repair !== undefined) return { ...finish(repair.problem), model } as Decision;
        throw new OkaError('engine.invalid_decision', 'it is no JSON', { data: { spend } });
      },
      { estimate: () => spend },
    );
    const done = await makeEngine(planner, [look], { limits: { cost_usd: 0.25 } }).engine.run(run);
    expect([done.output, done.used]).toEqual([
      'it is no JSON',
      { model_calls: 2, cost_usd: 0.2, retries: 1 },
    ]);
    const parked = await makeEngine(planner, [look], { limits: { cost_usd: 0.15 } }).engine.run(run);
    expect(parked.waiting).toMatchObject({ for: 'budget', budget: 'cost_usd' });
    expect(parked.used).toEqual(spend);
    const once = await makeEngine(planner, [look], { limits: { retries: 0 } }).engine.run(run);
    expect([once.failure?.code, once.used]).toEqual(['engine.invalid_decision', spend]);
  });

  it('count retries of graphs and tasks as well as retries of calls', async () => {
    const graph = new StateGraph({
      name: 'again',
      start: 'work',
      states: {
        work: { to: ['work', 'done'], tools: { names: ['look'] } },
        done: { terminal: 'completed' },
      },
    });
    const planner = plannerOf(({ evidence, budgets }) => {
      if (evidence.length === 0) return { ...call('look', {}), again: 2 } as Decision;
      if (evidence.length === 1)
        return { kind: 'transition', to: 'work', remedy: { kind: 'retry', attempt: 1 }, rationale: 'again' };
      return finish(budgets.retries);
    });
    const { engine, clock } = makeEngine(planner, [look], { limits: { retries: 4 } });
    const waiting = await engine.run({ ...run, graph }, { patienceMs: 0 });
    expect(waiting.used.retries).toBe(3);
    clock.advance(60_000);
    expect((await engine.resume(waiting.id)).output).toBe(1);
    const parked = await makeEngine(planner, [look], { limits: { retries: 1 } }).engine.run({
      ...run,
      graph,
    });
    expect(parked.waiting).toMatchObject({ for: 'budget', budget: 'retries' });
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
