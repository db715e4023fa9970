import { describe, expect, it } from 'vitest';
import { call, effectTool, finish, makeEngine, plannerOf, readTool, scripted, WORK_GRAPH } from '../../test/support/engine-kit.ts';
import { settle } from '../../test/support/manual-clock.ts';
import { isOkaError, OkaError } from '../kernel/index.ts';
import { MemoryEventStore } from '../ledger/index.ts';
import { Engine } from './engine.ts';
import { MemoryRunStore } from './memory-stores.ts';
import { runProjection } from './run-projection.ts';
import { statusOf } from './run-state.ts';
import { StateGraph } from './state-graph.ts';
import { PendingAnswer } from './tool.ts';
import type { Decision } from './types.ts';

const look = readTool('look', () => ({ seen: 1 }));
const act = effectTool('act', () => 'acted');
const run = { kind: 'test', goal: 'a goal' };

describe('a run', () => {
  it('completes with no store at all, and can be explained', async () => {
    const { engine } = makeEngine(scripted(call('look'), { kind: 'transition', to: 'more', rationale: 'enough' }, finish({ n: 1 })), [look]);
    const done = await engine.run(run);
    expect(statusOf(done)).toBe('completed');
    expect(done.output).toEqual({ n: 1 });
    const explained = await engine.explain(done.id);
    expect(explained.timeline.map(({ state }) => state)).toEqual(['work', 'more', 'done']);
    expect(explained.actions.map(({ decision, tool, rationale }) => [decision, tool, rationale])).toEqual([
      ['call_tool', 'look', 'to call look'],
      ['transition', undefined, 'enough'],
      ['finish', undefined, 'nothing is left'],
    ]);
    expect(explained.cost).toMatchObject({ steps: 2, tool_calls: 1 });
  });

  it('records a step without effects as one event in one commit', async () => {
    const { engine } = makeEngine(scripted(call('look', {}, 'more'), finish()), [look]);
    const done = await engine.run(run);
    const events = await engine.events(done.id);
    expect(events.map((event) => event.type)).toEqual(['run.started', 'step.completed', 'run.completed']);
    expect(events.every((event) => event.ends)).toBe(true);
  });

  it('records the intent of an effect before it happens and the outcome after', async () => {
    const seen: string[][] = [];
    const tool = effectTool('act', async () => {
      seen.push((await engine.events('r1')).map((event) => event.type));
      return 'acted';
    });
    const { engine } = makeEngine(scripted(call('act', { a: 1 }), finish()), [tool]);
    await engine.run({ ...run, id: 'r1' });
    expect(seen).toEqual([['run.started', 'tool.intended']]);
    expect((await engine.events('r1')).map((event) => event.type)).toEqual(['run.started', 'tool.intended', 'tool.completed', 'run.completed']);
  });

  it('goes on with what the ledger gave back, not with what the handler kept', async () => {
    const kept = { list: [1] };
    const seen: unknown[] = [];
    const tool = readTool('look', () => kept);
    const planner = plannerOf((input) => {
      seen.push(input.evidence[0]?.output);
      if (input.evidence.length > 0) return finish();
      return call('look');
    });
    const { engine } = makeEngine(planner, [tool]);
    const done = await engine.run(run);
    kept.list.push(2);
    expect(done.evidence[0]?.output).toEqual({ list: [1] });
    expect(seen[1]).not.toBe(kept);
  });

  it('fails with the reason that its planner gives', async () => {
    const { engine } = makeEngine(scripted({ kind: 'fail', reason: 'cannot', rationale: 'no way' }), []);
    const failed = await engine.run(run);
    expect(failed).toMatchObject({ state: 'failed', failure: { code: 'engine.planner_failed', message: 'cannot' } });
  });

  it('fails when a planner throws, or twice gives something that is no decision', async () => {
    const thrown = await makeEngine(plannerOf(() => { throw new Error('boom'); }), []).engine.run(run);
    expect(thrown.failure).toMatchObject({ code: 'engine.planner_failed', message: 'boom' });
    const repairs: unknown[] = [];
    const garbage = plannerOf((input) => {
      repairs.push(input.repair?.problem);
      return { kind: 'dance', rationale: 'x' } as unknown as Decision;
    });
    const failed = await makeEngine(garbage, []).engine.run(run);
    expect(failed.failure?.code).toBe('engine.invalid_decision');
    expect(repairs).toEqual([undefined, '"dance" is not a kind of decision']);
  });

  it('shows a planner its refused calls, and stops it when it insists', async () => {
    const { engine } = makeEngine(plannerOf(() => call('nothing')), [look]);
    const failed = await engine.run(run);
    expect(failed.evidence.map((fact) => fact.failure?.code)).toEqual(['engine.unknown_tool', 'engine.unknown_tool']);
    expect(failed.failure?.code).toBe('engine.repeated_call');
  });

  it('stops a planner that makes the same call without learning anything', async () => {
    let calls = 0;
    const same = readTool('look', () => { calls += 1; return 'same'; });
    const failed = await makeEngine(plannerOf(() => call('look')), [same]).engine.run(run);
    expect(failed.failure?.code).toBe('engine.repeated_call');
    expect(calls).toBe(2);
  });

  it('refuses to finish or move where the graph has no way', async () => {
    const nowhere = await makeEngine(scripted({ kind: 'transition', to: 'nowhere', rationale: '' }), []).engine.run(run);
    expect(nowhere.failure?.code).toBe('engine.invalid_transition');
    const terminal = await makeEngine(scripted({ kind: 'transition', to: 'done', rationale: '' }), []).engine.run(run);
    expect(terminal.failure?.code).toBe('engine.invalid_transition');
    const graph = new StateGraph({ name: 'g', start: 'a', states: { a: { to: ['b'] }, b: { to: ['done'] }, done: { terminal: 'completed' } } });
    const early = await makeEngine(scripted(finish()), []).engine.run({ ...run, graph });
    expect(early.failure).toMatchObject({ code: 'engine.invalid_transition', message: expect.stringContaining('"a"') });
  });
});

describe('tools', () => {
  it('that fail leave a failure the planner sees', async () => {
    const broken = readTool('broken', () => { throw new OkaError('files.not_found', 'gone'); });
    const planner = plannerOf((input) => (input.evidence[0]?.failure ? finish(input.evidence[0].failure.code) : call('broken')));
    expect((await makeEngine(planner, [broken]).engine.run(run)).output).toBe('files.not_found');
  });

  it('are tried again after transient failures when that is harmless, and charged for it', async () => {
    let attempts = 0;
    const flaky = readTool('flaky', () => {
      attempts += 1;
      if (attempts < 3) throw new OkaError('net.down', 'down', { transient: true });
      return attempts;
    });
    const { engine, clock } = makeEngine(scripted(call('flaky'), finish()), [flaky]);
    const going = engine.run(run);
    for (let i = 0; i < 5; i++) {
      await settle();
      clock.advanceToNext();
    }
    expect((await going).used).toMatchObject({ tool_calls: 3, retries: 2 });
  });

  it('with effects that may not be repeated are never tried again on their own', async () => {
    let attempts = 0;
    const flaky = effectTool('flaky', () => {
      attempts += 1;
      throw new OkaError('net.down', 'down', { transient: true });
    });
    const planner = plannerOf((input) => (input.evidence.length > 0 ? finish() : call('flaky')));
    await makeEngine(planner, [flaky]).engine.run(run);
    expect(attempts).toBe(1);
  });

  it('that take too long are stopped; one with effects leaves a question', async () => {
    for (const [tool, expected] of [
      [readTool('slow', () => new Promise(() => undefined), { timeoutMs: 50 }), 'engine.tool_timeout'],
      [effectTool('slow', () => new Promise(() => undefined), { timeoutMs: 50 }), 'unknown'],
    ] as const) {
      const planner = plannerOf((input) => (input.evidence.length > 0 ? finish(input.evidence[0]?.failure?.code) : call('slow')));
      const { engine, clock } = makeEngine(planner, [tool], { limits: { retries: 0, node_retries: 0 } });
      const going = engine.run(run);
      await settle();
      clock.advance(60);
      const done = await going;
      if (expected === 'unknown') expect(done.waiting).toMatchObject({ for: 'answer', about: 'unknown_effect' });
      else expect(done.output).toBe(expected);
    }
  });

  it('cannot change the input that is recorded', async () => {
    const sly = readTool('sly', (input: { list: number[] }) => { input.list.push(2); return 'x'; });
    const planner = plannerOf((input) => (input.evidence.length > 0 ? finish() : call('sly', { list: [1] })));
    const done = await makeEngine(planner, [sly]).engine.run(run);
    expect(done.evidence[0]).toMatchObject({ input: { list: [1] }, failure: { code: 'engine.tool_failed' } });
  });

  it('with large outputs leave them as artifacts with a preview', async () => {
    const large = readTool('large', () => ({ text: 'x'.repeat(100_000) }));
    const { engine } = makeEngine(scripted(call('large'), finish()), [large]);
    const done = await engine.run(run);
    const output = done.evidence[0]?.output as { artifact: string; bytes: number; preview: string };
    expect(output.preview).toHaveLength(2_000);
    const stored = await engine.parts.artifacts.get(output.artifact as never);
    expect(JSON.parse(new TextDecoder().decode(stored))).toEqual({ text: 'x'.repeat(100_000) });
    expect(done.artifacts).toHaveLength(1);
  });

  it('keep secrets out of the record', async () => {
    const leaky = readTool('leaky', () => ({ header: `Bearer ${'abc123'.repeat(5)}` }));
    const { engine } = makeEngine(scripted(call('leaky'), finish()), [leaky]);
    const done = await engine.run(run);
    expect(JSON.stringify(await engine.events(done.id))).not.toContain('abc123abc123');
  });

  it('that are cacheable answer from the cache, and are not charged for it', async () => {
    let calls = 0;
    const cached = readTool('cached', () => ({ n: ++calls }), {
      annotations: { readOnly: true, destructive: false, idempotent: true, cacheable: true, risk: 'none' },
    });
    const { engine } = makeEngine(scripted(call('cached', { a: 1 }), call('cached', { a: 2 }), call('cached', { a: 1 }), finish()), [cached]);
    const done = await engine.run(run);
    expect(done.evidence.map((fact) => (fact.output as { n: number }).n)).toEqual([1, 2, 1]);
    expect(done.used.tool_calls).toBe(2);
  });
});

describe('approvals', () => {
  const risky = effectTool('risky', (input: { x: number }) => ({ did: input.x }), {
    annotations: { readOnly: false, destructive: false, idempotent: false, cacheable: false, risk: 'high' },
    sideEffect: 'external_mutation',
  });
  const planner = plannerOf((input) => (input.evidence.length > 0 ? finish(input.evidence[0]?.output ?? null) : call('risky', { x: 1 })));

  it('park the run, and let it go on once, with exactly these arguments', async () => {
    const { engine } = makeEngine(planner, [risky]);
    const parked = await engine.run(run);
    expect(statusOf(parked)).toBe('waiting');
    const [approval] = await engine.parts.runs.approvals({ status: 'pending' });
    expect(approval).toMatchObject({ run: parked.id, tool: 'risky', arguments: { x: 1 }, risk: 'high' });
    await expect(engine.decide(approval!.id, { kind: 'approve', argumentsHash: 'other' }, 'ann')).rejects.toMatchObject({
      code: 'engine.approval_mismatch',
    });
    await engine.decide(approval!.id, { kind: 'approve' }, 'ann');
    await expect(engine.decide(approval!.id, { kind: 'approve' }, 'ann')).rejects.toMatchObject({ code: 'engine.approval_decided' });
    const done = await engine.resume(parked.id);
    expect(done.output).toEqual({ did: 1 });
    expect(await engine.parts.runs.approvals({ status: 'approved' })).toHaveLength(1);
  });

  it('can be given with edited arguments, which are then the ones that run', async () => {
    const { engine } = makeEngine(planner, [risky]);
    const parked = await engine.run(run);
    const [approval] = await engine.parts.runs.approvals({ status: 'pending' });
    await engine.decide(approval!.id, { kind: 'approve', edit: { x: 7 } }, 'ann');
    expect((await engine.resume(parked.id)).output).toEqual({ did: 7 });
    const explained = await engine.explain(parked.id);
    expect(JSON.stringify(explained.actions)).toContain('with edited arguments');
  });

  it('that are denied or expire end the run cleanly', async () => {
    for (const how of ['deny', 'expire'] as const) {
      const { engine, clock } = makeEngine(planner, [risky]);
      const parked = await engine.run(run);
      const [approval] = await engine.parts.runs.approvals({ status: 'pending' });
      if (how === 'deny') await engine.decide(approval!.id, { kind: 'deny' }, 'ann');
      else {
        clock.advance(86_400_001);
        await expect(engine.decide(approval!.id, { kind: 'approve' }, 'ann')).rejects.toMatchObject({ code: 'engine.approval_expired' });
      }
      const failed = await engine.resume(parked.id);
      expect(failed.failure?.code).toBe(how === 'deny' ? 'engine.approval_denied' : 'engine.approval_expired');
      expect(failed.evidence).toEqual([]);
    }
  });

  it('expire on their own when the run is looked at again', async () => {
    const { engine, clock } = makeEngine(planner, [risky]);
    const parked = await engine.run(run);
    clock.advance(86_400_001);
    expect((await engine.resume(parked.id)).failure?.code).toBe('engine.approval_expired');
  });

  it('forged for other arguments are refused', async () => {
    const { engine } = makeEngine(planner, [risky]);
    const parked = await engine.run(run);
    const [approval] = await engine.parts.runs.approvals({ status: 'pending' });
    await engine.parts.events.commit({
      actor: 'mallory',
      sync: 'full',
      appends: [
        {
          stream: `run/${parked.id}`,
          events: [
            {
              type: 'approval.granted',
              data: { id: approval!.id, by: 'mallory', argumentsHash: approval!.argumentsHash as string, edited: true, status: 'pending' },
              body: { arguments: { x: 666 } },
            },
          ],
        },
      ],
    });
    const refused = await engine.resume(parked.id);
    expect(refused.evidence[0]?.failure?.code).toBe('engine.approval_mismatch');
    expect(JSON.stringify(refused.evidence)).not.toContain('did');
  });

  it('are remembered when asked, for these arguments or for a tool below high risk', async () => {
    const grants: { tool: string; argumentsHash?: string; by: string; at: number }[] = [];
    const { engine } = makeEngine(planner, [risky], {
      grants: {
        find: ({ tool, argumentsHash }) => grants.find((g) => g.tool === tool && (g.argumentsHash ?? argumentsHash) === argumentsHash),
        add: async (grant) => void grants.push(grant),
      },
    });
    const parked = await engine.run(run);
    const [approval] = await engine.parts.runs.approvals({ status: 'pending' });
    await engine.decide(approval!.id, { kind: 'approve', remember: 'exact' }, 'ann');
    await engine.resume(parked.id);
    expect(statusOf(await engine.run(run))).toBe('completed');
    grants[0] = { tool: 'risky', by: 'ann', at: 0 };
    expect(statusOf(await engine.run(run))).toBe('waiting');
  });

  it('are needed for every call in a state that says so', async () => {
    const graph = new StateGraph({
      name: 'careful',
      start: 'work',
      states: { work: { to: ['done'], tools: { names: ['look'] }, approval: 'always' }, done: { terminal: 'completed' } },
    });
    const parked = await makeEngine(scripted(call('look'), finish()), [look]).engine.run({ ...run, graph });
    expect(parked.waiting).toMatchObject({ for: 'approval' });
  });
});

describe('questions', () => {
  const planner = plannerOf((input) => {
    const answer = input.evidence.find((fact) => fact.source === 'person')?.output as { answer: string } | undefined;
    return answer ? finish(answer.answer) : { kind: 'ask_human', question: 'which?', options: ['a', 'b'], rationale: 'unsure' };
  });

  it('park the run; an answer outside the options is refused, one inside becomes evidence', async () => {
    const { engine } = makeEngine(planner, []);
    const parked = await engine.run(run);
    const [question] = await engine.parts.runs.approvals({ status: 'pending' });
    await expect(engine.decide(question!.id, { kind: 'answer', answer: 'c' }, 'ann')).rejects.toMatchObject({ code: 'engine.answer_not_offered' });
    await expect(engine.decide(question!.id, { kind: 'approve' }, 'ann')).rejects.toMatchObject({ code: 'engine.answer_not_offered' });
    await engine.decide(question!.id, { kind: 'answer', answer: 'b' }, 'ann');
    expect((await engine.resume(parked.id)).output).toBe('b');
  });
});

describe('budgets', () => {
  it('park a planner that loops, and let it go on when some is added', async () => {
    const counting = readTool('count', (input: { n: number }) => input.n);
    const planner = plannerOf((input) => (input.evidence.length < 8 ? call('count', { n: input.evidence.length }) : finish()));
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

  it('of time park a run that was worked on for too long', async () => {
    const slow = readTool('slow', () => { clock.advance(600); return clock.now(); });
    const { engine, clock } = makeEngine(plannerOf(() => call('slow')), [slow], { limits: { wall_ms: 1_000 } });
    const parked = await engine.run(run);
    expect(parked.waiting).toMatchObject({ for: 'budget', budget: 'wall_ms' });
    expect(parked.used.tool_calls).toBe(2);
  });

  it('of a state end a stay there', async () => {
    const graph = new StateGraph({
      name: 'short',
      start: 'work',
      states: { work: { to: ['done'], tools: { names: ['look'] }, budgets: { tool_calls: 1 } }, done: { terminal: 'completed' } },
    });
    const planner = plannerOf((input) => (input.evidence.at(-1)?.failure ? finish(input.evidence.at(-1)?.failure?.code) : call('look')));
    expect((await makeEngine(planner, [look]).engine.run({ ...run, graph })).output).toBe('engine.budget_exhausted');
  });

  it('for models are set aside before the planner is asked', async () => {
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

describe('children', () => {
  const spawn = (children: number, extra: object = {}) =>
    readTool('spawn', () => new PendingAnswer({ kind: 'children', children: Array.from({ length: children }, (_, i) => ({ kind: 'test', goal: `child ${i}` })), ...extra }));
  const family = (childPlan: (goal: string, step: number) => Decision) =>
    plannerOf((input) => {
      if (input.goal.startsWith('child')) return childPlan(input.goal, input.run.step);
      const last = input.evidence.at(-1);
      return last ? finish(last.output ?? last.failure?.code) : call('spawn');
    });

  it('run side by side and bring their outputs in order', async () => {
    const { engine } = makeEngine(family((goal) => finish(goal)), [spawn(5)]);
    const done = await engine.run(run);
    expect(done.output).toEqual(['child 0', 'child 1', 'child 2', 'child 3', 'child 4']);
    expect(done.used).toMatchObject({ children: 5, steps: 1 });
    expect(await engine.parts.runs.list({ parent: done.id })).toHaveLength(5);
  });

  it.each([
    ['fail', 'engine.child_failed'],
    ['skip', ['child 0', 'child 2']],
    ['collect', [{ status: 'completed', output: 'child 0' }, { status: 'failed', failure: { code: 'x.y', message: 'no' } }, { status: 'completed', output: 'child 2' }]],
  ])('that fail are treated as %s says', async (onError, expected) => {
    const plan = (goal: string): Decision => (goal === 'child 1' ? { kind: 'fail', reason: 'no', code: 'x.y', rationale: '' } : finish(goal));
    const { engine } = makeEngine(family(plan), [spawn(3, { onError })]);
    expect((await engine.run(run)).output).toEqual(expected);
  });

  it('together never spend more than their parent was given', async () => {
    let calls = 0;
    const count = readTool('count', () => ++calls);
    const { engine } = makeEngine(family(() => call('count')), [spawn(4), count], { limits: { tool_calls: 20 } });
    const parked = await engine.run(run);
    expect(statusOf(parked)).toBe('waiting');
    expect(calls).toBeLessThanOrEqual(19);
    expect(calls).toBeGreaterThan(10);
    const children = await engine.parts.runs.list({ parent: parked.id });
    expect(children.every((child) => child.status === 'waiting')).toBe(true);
  });

  it('are bounded in number and depth', async () => {
    const many = await makeEngine(family((goal) => finish(goal)), [spawn(5)], { limits: { children: 4 } }).engine.run(run);
    expect(many.waiting).toMatchObject({ for: 'budget', budget: 'children' });
    const deep = plannerOf((input) => {
      const last = input.evidence.at(-1);
      return last ? finish(last.failure?.message ?? last.output) : call('spawn');
    });
    const done = await makeEngine(deep, [spawn(1)], { limits: { depth: 2 } }).engine.run(run);
    expect(JSON.stringify(done.output)).toContain('2 deep');
  });

  it('that wait for a person keep the parent waiting, and wake it when they are done', async () => {
    const ask: Decision = { kind: 'ask_human', question: 'ok?', rationale: '' };
    const { engine } = makeEngine(family((goal, step) => (step === 1 ? ask : finish(goal))), [spawn(1)]);
    const parked = await engine.run(run);
    expect(statusOf(parked)).toBe('waiting');
    const [question] = await engine.parts.runs.approvals({ status: 'pending' });
    const child = await engine.decide(question!.id, { kind: 'answer', answer: 'yes' }, 'ann');
    await engine.resume(child);
    expect((await engine.load(parked.id)).output).toEqual(['child 0']);
  });

  it('are cancelled with their parent', async () => {
    const ask: Decision = { kind: 'ask_human', question: 'ok?', rationale: '' };
    const { engine } = makeEngine(family(() => ask), [spawn(2)]);
    const parked = await engine.run(run);
    await engine.cancel(parked.id, 'ann', 'enough');
    const all = await engine.parts.runs.list({});
    expect(all.map((one) => one.status)).toEqual(['cancelled', 'cancelled', 'cancelled']);
    expect((await engine.parts.runs.approvals({ status: 'pending' })).length).toBe(0);
  });
});

describe('pending outcomes', () => {
  it('of a timer come when it is due', async () => {
    const wait = readTool('wait', (_, context) => new PendingAnswer({ kind: 'timer', at: context.now() + 5_000 }));
    const { engine, clock } = makeEngine(scripted(call('wait'), finish()), [wait]);
    const parked = await engine.run(run, { patienceMs: 0 });
    expect(statusOf(await engine.resume(parked.id, { patienceMs: 0 }))).toBe('waiting');
    clock.advance(5_000);
    expect(statusOf(await engine.resume(parked.id))).toBe('completed');
    const going = engine.run(run);
    await settle();
    clock.advance(5_000);
    expect(statusOf(await going)).toBe('completed');
  });

  it('of an event come with it, also when it came early', async () => {
    const wait = readTool('wait', (_, context) => new PendingAnswer({ kind: 'event', event: 'go', timeoutAt: context.now() + 1_000 }));
    const planner = plannerOf((input) => (input.evidence.length < 1 ? call('wait') : finish(input.evidence[0]?.output ?? input.evidence[0]?.failure?.code)));
    const { engine, clock } = makeEngine(planner, [wait]);
    const parked = await engine.run(run, { patienceMs: 0 });
    await engine.signal(parked.id, 'other', 0, 'ann');
    await engine.signal(parked.id, 'go', { n: 1 }, 'ann');
    expect((await engine.resume(parked.id)).output).toEqual({ n: 1 });
    const early = await engine.create(run);
    await engine.signal(early.id, 'go', { n: 2 }, 'ann');
    expect((await engine.resume(early.id)).output).toEqual({ n: 2 });
    const late = await engine.run(run, { patienceMs: 0 });
    clock.advance(1_001);
    expect((await engine.resume(late.id)).output).toBe('engine.tool_timeout');
  });
});

describe('steering', () => {
  it('pauses a run at its next step and resumes it', async () => {
    let release: (() => void) | undefined;
    const gate = readTool('gate', () => new Promise((resolve) => { release = () => resolve('open'); }));
    const { engine } = makeEngine(scripted(call('gate'), finish()), [gate]);
    const going = engine.run({ ...run, id: 'r1' });
    await settle();
    await engine.pause('r1', 'ann');
    release?.();
    expect(statusOf(await going)).toBe('paused');
    expect(statusOf(await engine.resume('r1'))).toBe('completed');
  });

  it('cancels a run in the middle of a call', async () => {
    let aborted = false;
    const gate = readTool('gate', (_, context) => new Promise((_, reject) => {
      context.signal.addEventListener('abort', () => { aborted = true; reject(new Error('stopped')); });
    }));
    const { engine, clock } = makeEngine(scripted(call('gate'), finish()), [gate]);
    const going = engine.run({ ...run, id: 'r1' });
    await settle();
    await engine.cancel('r1', 'ann', 'enough');
    clock.advance(300);
    const ended = await going;
    expect(aborted).toBe(true);
    expect(statusOf(ended)).toBe('cancelled');
  });

  it('lets go of runs when the engine closes, and another goes on', async () => {
    const clock = undefined;
    let release: (() => void) | undefined;
    const gate = readTool('gate', () => new Promise((resolve) => { release = () => resolve('open'); }));
    const { engine } = makeEngine(scripted(call('gate'), call('look'), finish()), [gate, look], { ...(clock ?? {}) });
    const going = engine.run({ ...run, id: 'r1' });
    await settle();
    const closing = engine.close();
    release?.();
    await closing;
    expect(statusOf(await going)).toBe('pending');
    const other = makeEngine(scripted(call('gate'), call('look'), finish()), [gate, look], { events: engine.parts.events, runs: engine.parts.runs }).engine;
    const again = other.resume('r1');
    await settle();
    release?.();
    expect(statusOf(await again)).toBe('completed');
  });

  it('goes on from the last good point of a failed run, in a new one that links back', async () => {
    let broken = true;
    const fragile = effectTool('fragile', () => { if (broken) throw new Error('broken'); return 'fine'; });
    const planner = plannerOf((input) => {
      const last = input.evidence.at(-1);
      if (last?.failure) return { kind: 'fail', reason: last.failure.message, rationale: 'it failed' };
      return last === undefined ? call('look') : last.tool === 'look' ? call('fragile') : finish(last.output);
    });
    const { engine } = makeEngine(planner, [look, fragile]);
    const failed = await engine.run(run);
    expect(statusOf(failed)).toBe('failed');
    broken = false;
    const again = await engine.resume(failed.id);
    expect(again.id).not.toBe(failed.id);
    expect(again).toMatchObject({ output: 'fine', lineage: { resumedFrom: failed.id, origin: failed.id } });
    expect(again.used.steps).toBeGreaterThan(failed.used.steps ?? 0);
    expect(statusOf(await engine.load(failed.id))).toBe('failed');
  });

  it('forks from any step with changed variables', async () => {
    const planner = plannerOf((input) => (input.evidence.length < 2 ? call('look', { n: input.evidence.length }) : finish(input.vars)));
    const { engine } = makeEngine(planner, [look]);
    const first = await engine.run({ ...run, vars: { a: 1, b: 1 } });
    const fork = await engine.fork(first.id, 2, { b: 2 });
    const done = await engine.resume(fork);
    expect(done.output).toEqual({ a: 1, b: 2 });
    expect(done.evidence).toHaveLength(2);
    await expect(engine.fork(first.id, 99, {})).rejects.toMatchObject({ code: 'engine.invalid_decision' });
  });

  it('says who has a run that another process works on', async () => {
    const events = new MemoryEventStore({ clock: makeEngine(scripted(), []).clock, random: { next: () => 0.5, hex: () => '00' }, projections: [runProjection] });
    const runs = new MemoryRunStore(events.tables);
    let release: (() => void) | undefined;
    const gate = readTool('gate', () => new Promise((resolve) => { release = () => resolve(1); }));
    const owners = (self: string) => ({ self, isAlive: () => true });
    const one = makeEngine(scripted(call('gate'), finish()), [gate], { events, runs, owners: owners('one') }).engine;
    const two = makeEngine(scripted(call('gate'), finish()), [gate], { events, runs, owners: owners('two') }).engine;
    const going = one.run({ ...run, id: 'r1' });
    await settle();
    await expect(two.resume('r1')).rejects.toMatchObject({ code: 'engine.run_owned', data: { owner: 'one' } });
    release?.();
    expect(statusOf(await going)).toBe('completed');
  });
});

describe('pins', () => {
  it('keep a run on its graph, and stop it where tools or planner have changed', async () => {
    const ask: Decision = { kind: 'ask_human', question: 'ok?', rationale: '' };
    const first = makeEngine(scripted(ask, call('look'), finish()), [look]);
    const parked = await first.engine.run(run);
    const [question] = await first.engine.parts.runs.approvals({});
    await first.engine.decide(question!.id, { kind: 'answer', answer: 'y' }, 'ann');
    const shared = { events: first.engine.parts.events, runs: first.engine.parts.runs, artifacts: first.engine.parts.artifacts };
    const changed = makeEngine(scripted(ask, call('look'), finish()), [{ ...look, version: '2' }], shared).engine;
    const refusal = changed.resume(parked.id);
    await expect(refusal).rejects.toMatchObject({ code: 'engine.pins_changed', message: expect.stringContaining('tool look') });
    expect(statusOf(await changed.resume(parked.id, { repin: true }))).toBe('completed');
    const wider = makeEngine(scripted(ask), [look, act], shared).engine;
    expect(await wider.pinDifferences(parked.id)).toEqual(['tool look: its schema or annotations changed']);
  });

  it('keep the graph even when the kind has got another', async () => {
    const ask: Decision = { kind: 'ask_human', question: 'ok?', rationale: '' };
    const first = makeEngine(scripted(ask, { kind: 'transition', to: 'more', rationale: '' }, finish()), []);
    const parked = await first.engine.run(run);
    const [question] = await first.engine.parts.runs.approvals({});
    await first.engine.decide(question!.id, { kind: 'answer', answer: 'y' }, 'ann');
    const { events, runs, artifacts } = first.engine.parts;
    const other = new StateGraph({ name: 'other', start: 'work', states: { work: { to: ['done'] }, done: { terminal: 'completed' } } });
    const engine = new Engine({
      tools: [],
      kinds: [{ name: 'test', planner: first.engine.parts.kinds.get('test')!.planner, graph: other }],
      events,
      runs,
      artifacts,
      clock: first.clock,
    });
    const done = await engine.resume(parked.id);
    expect(done.pins.graph).toBe(WORK_GRAPH.hash);
    expect(statusOf(done)).toBe('completed');
  });
});

describe('hooks', () => {
  it('run at their moments, and what they print is on record', async () => {
    const ran: string[] = [];
    const hooks = {
      has: () => true,
      run: async (name: string) => {
        ran.push(name);
        return [{ ok: true, exitCode: 0, output: `hello from ${name}`, hook: name, fail: false }];
      },
    };
    const { engine } = makeEngine(scripted(call('look'), finish()), [look], { hooks });
    const done = await engine.run(run);
    expect(ran).toEqual(['before_run', 'before_node', 'after_node', 'after_run']);
    const printed = (await engine.explain(done.id)).notes.map((note) => note.what).join();
    expect(printed).toContain('hello from before_node');
  });

  it('that must not fail stop the run', async () => {
    const hooks = {
      has: (name: string) => name === 'before_node',
      run: async () => [{ ok: false, exitCode: 3, output: 'no way', hook: 'guard', fail: true }],
    };
    let called = false;
    const tool = readTool('look', () => { called = true; return 1; });
    const { engine } = makeEngine(scripted(call('look'), finish()), [tool], { hooks });
    const failed = await engine.run(run);
    expect(failed.failure).toMatchObject({ code: 'engine.hook_failed' });
    expect(called).toBe(false);
  });
});

describe('rate limits', () => {
  it('delay calls within their time limit, and park the run beyond it', async () => {
    const times: number[] = [];
    const tool = readTool('look', (input: { n: number }) => { times.push(clock.now()); return input.n; }, { timeoutMs: 5_000 });
    const planner = plannerOf((input) => (input.evidence.length < 3 ? call('look', { n: input.evidence.length }) : finish()));
    const { engine, clock } = makeEngine(planner, [tool], { rateLimits: { look: { calls: 1, intervalMs: 1_000 } } });
    const going = engine.run(run);
    for (let i = 0; i < 8; i++) {
      await settle();
      clock.advanceToNext();
    }
    await going;
    expect(times[1]! - times[0]!).toBeGreaterThanOrEqual(1_000);
    expect(times[2]! - times[1]!).toBeGreaterThanOrEqual(1_000);
    const strict = makeEngine(planner, [tool], { clock, rateLimits: { look: { calls: 1, intervalMs: 60_000 } } }).engine;
    const parked = await strict.run(run, { patienceMs: 0 });
    expect(parked.waiting).toMatchObject({ for: 'time' });
    clock.advance(60_001);
    expect((await strict.resume(parked.id, { patienceMs: 0 })).evidence).toHaveLength(2);
  });
});

describe('a run store without events', () => {
  it('lets a run go on in a new engine from its snapshot', async () => {
    const runs = new MemoryRunStore(new MemoryEventStore({ clock: makeEngine(scripted(), []).clock, random: { next: () => 0, hex: () => '' }, projections: [runProjection] }).tables);
    const planner = plannerOf((input) => (input.evidence.length === 0 ? call('look') : input.evidence.length === 1 ? { kind: 'ask_human', question: '?', rationale: '' } : finish(input.evidence.length)));
    const parked = await makeEngine(planner, [look], { runs }).engine.run(run);
    expect(statusOf(parked)).toBe('waiting');
    const later = makeEngine(planner, [look], { runs }).engine;
    expect((await later.load(parked.id)).evidence).toHaveLength(1);
    await later.cancel(parked.id, 'ann', 'enough');
    expect(statusOf(await later.load(parked.id))).toBe('cancelled');
  });
});

describe('unknown things', () => {
  it('are refused with a code', async () => {
    const { engine } = makeEngine(scripted(), []);
    for (const attempt of [engine.resume('nope'), engine.explain('nope'), engine.pause('nope', 'ann'), engine.undo('nope', 'ann')]) {
      await expect(attempt).rejects.toSatisfy((error) => isOkaError(error, 'engine.unknown_run'));
    }
    await expect(engine.decide('nope', { kind: 'deny' }, 'ann')).rejects.toMatchObject({ code: 'engine.unknown_approval' });
    await expect(engine.run({ kind: 'nope', goal: '' })).rejects.toMatchObject({ code: 'engine.unknown_kind' });
  });
});
