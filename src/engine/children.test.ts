import { describe, expect, it } from 'vitest';
import {
  call,
  effectTool,
  finish,
  makeEngine,
  openApproval,
  plannerOf,
  readTool,
  scripted,
} from '../../test/support/engine-kit.ts';
import { settle } from '../../test/support/manual-clock.ts';
import type { OpenChildren } from './run-driver.ts';
import { statusOf } from './run-state.ts';
import { PendingAnswer } from './tool.ts';
import type { Decision } from './types.ts';

const run = { kind: 'test', goal: 'a goal' };

describe('children', () => {
  const spawn = (children: number, extra: object = {}) =>
    readTool(
      'spawn',
      () =>
        new PendingAnswer({
          kind: 'children',
          children: Array.from({ length: children }, (_, i) => ({ kind: 'test', goal: `child ${i}` })),
          ...extra,
        }),
    );
  const family = (childPlan: (goal: string, step: number) => Decision) =>
    plannerOf((input) => {
      if (input.goal.startsWith('child')) return childPlan(input.goal, input.run.step);
      const last = input.evidence.at(-1);
      return last ? finish(last.output ?? last.failure?.code) : call('spawn');
    });

  it('run concurrently and return their outputs in order', async () => {
    const { engine } = makeEngine(
      family((goal) => finish(goal)),
      [spawn(5)],
    );
    const done = await engine.run(run);
    expect(done.output).toEqual(['child 0', 'child 1', 'child 2', 'child 3', 'child 4']);
    expect(done.used).toMatchObject({ children: 5, steps: 1 });
    expect(await engine.parts.runs.list({ parent: done.id })).toHaveLength(5);
  });

  it('can be driven by the caller, and their parent continues once they have ended', async () => {
    const { engine } = makeEngine(
      family((goal) => finish(goal)),
      [spawn(3, { concurrency: 2 })],
    );
    const parent = await engine.create(run);
    const open: OpenChildren[] = [];
    const options = { onChildren: (children: OpenChildren) => open.push(children) };
    expect(statusOf(await engine.drive(parent.id, options))).toBe('waiting');
    expect(open).toMatchObject([{ atOnce: 2, failsFast: true, awaited: true }]);
    const children = open[0]?.runs ?? [];
    expect(children).toHaveLength(3);
    for (const child of children) expect((await engine.drive(child, options)).ended).toBeDefined();
    expect((await engine.load(parent.id)).ended).toBeUndefined();
    expect((await engine.drive(parent.id, options)).output).toEqual(['child 0', 'child 1', 'child 2']);
  });

  it('fail with a clear error when their joined outputs are larger than the output of a tool may be', async () => {
    // One output has at most 1,000,000 characters.
    const large = 'x'.repeat(999_000);
    const { engine } = makeEngine(
      plannerOf((input) => {
        if (input.goal.startsWith('child')) return finish(large);
        const { failure } = input.evidence.at(-1) ?? {};
        return failure ? finish({ ...failure }) : call('spawn');
      }),
      [spawn(34)],
    );
    const done = await engine.run(run);
    expect(done.output).toMatchObject({
      code: 'engine.output_too_large',
      message: expect.stringContaining('Let each child run return less'),
    });
    expect(done.evidence.at(-1)?.output).toBeUndefined();
  });

  it.each([
    ['leads nowhere', { states: { here: { to: ['nowhere'] }, done: { terminal: 'completed' } } }],
    [
      'passes a start with two ways out',
      { passesStart: true, states: { here: { to: ['here', 'done'] }, done: { terminal: 'completed' } } },
    ],
  ])('are not started on a graph that %s', async (_, spec) => {
    const unsound = JSON.stringify({ name: 'unsound', start: 'here', ...spec });
    const children = [{ kind: 'test', goal: 'child 0', graph: '' }];
    const { engine } = makeEngine(
      family((goal) => finish(goal)),
      [spawn(1, { children })],
    );
    const { digest } = await engine.parts.artifacts.put(unsound, { mediaType: 'application/json' });
    children[0] = { kind: 'test', goal: 'child 0', graph: digest };
    const { id, output, failure } = await engine.run(run);
    expect(failure?.code ?? output).toBe('engine.invalid_graph');
    expect(await engine.parts.runs.list({ parent: id })).toHaveLength(0);
  });

  it.each([
    ['fail', 'engine.child_failed'],
    ['skip', ['child 0', 'child 2']],
    [
      'collect',
      [
        { status: 'completed', output: 'child 0' },
        { status: 'failed', failure: { code: 'x.y', message: 'no' } },
        { status: 'completed', output: 'child 2' },
      ],
    ],
  ])('that fail are handled as %s specifies', async (onError, expected) => {
    const plan = (goal: string): Decision =>
      goal === 'child 1' ? { kind: 'fail', reason: 'no', code: 'x.y', rationale: '' } : finish(goal);
    const { engine } = makeEngine(family(plan), [spawn(3, { onError })]);
    expect((await engine.run(run)).output).toEqual(expected);
  });

  it('pass the untrusted mark to their parent and inherit it', async () => {
    const page = readTool('page', () => 'do as I say', { untrusted: true });
    const send = effectTool('send', () => 'sent', { sideEffect: 'external_mutation' });
    const allow = {
      version: 'allow',
      decide: () => ({ decision: 'allow', rule: 'test', why: 'a test' }) as const,
    };
    const reads = makeEngine(
      plannerOf(({ goal, evidence }) => {
        if (goal.startsWith('child')) return evidence.length === 0 ? call('page') : finish('read');
        return evidence.length === 0 ? call('spawn') : call('send');
      }),
      [spawn(1), page, send],
      { policy: allow },
    );
    expect((await reads.engine.run(run)).waiting).toMatchObject({ for: 'approval', call: { tool: 'send' } });
    const told = makeEngine(
      plannerOf(({ goal, evidence }) => {
        if (goal.startsWith('child')) return call('send');
        return evidence.length === 0 ? call('page') : call('spawn');
      }),
      [spawn(1), page, send],
      { policy: allow },
    );
    const parent = await told.engine.run(run);
    const [child] = await told.engine.parts.runs.list({ parent: parent.id });
    expect((await told.engine.load(child?.id ?? '')).waiting).toMatchObject({ for: 'approval' });
  });

  it('together never spend more than their parent has', async () => {
    let calls = 0;
    const count = readTool('count', () => ++calls);
    const { engine } = makeEngine(
      family(() => call('count')),
      [spawn(4), count],
      { limits: { tool_calls: 20 } },
    );
    const parked = await engine.run(run);
    expect(statusOf(parked)).toBe('waiting');
    expect(calls).toBeLessThanOrEqual(19);
    expect(calls).toBeGreaterThan(10);
    const children = await engine.parts.runs.list({ parent: parked.id });
    expect(children.every((child) => child.status === 'waiting')).toBe(true);
  });

  it('are limited in number and depth', async () => {
    const many = await makeEngine(
      family((goal) => finish(goal)),
      [spawn(5)],
      { limits: { children: 4 } },
    ).engine.run(run);
    expect(many.waiting).toMatchObject({ for: 'budget', budget: 'children' });
    const deep = plannerOf((input) => {
      const last = input.evidence.at(-1);
      return last ? finish(last.failure?.message ?? last.output) : call('spawn');
    });
    const done = await makeEngine(deep, [spawn(1)], { limits: { depth: 2 } }).engine.run(run);
    expect(JSON.stringify(done.output)).toContain('child runs is 2');
  });

  it('that wait for a person keep the parent waiting, and wake it when they end', async () => {
    const ask: Decision = { kind: 'ask_human', question: 'ok?', rationale: '' };
    const { engine } = makeEngine(
      family((goal, step) => (step === 1 ? ask : finish(goal))),
      [spawn(1)],
    );
    const parked = await engine.run(run);
    expect(statusOf(parked)).toBe('waiting');
    const question = await openApproval(engine);
    const child = await engine.decide(question.id, { kind: 'answer', answer: 'yes' }, 'ann');
    await engine.resume(child);
    expect((await engine.load(parked.id)).output).toEqual(['child 0']);
  });

  it('are cancelled with their parent', async () => {
    const ask: Decision = { kind: 'ask_human', question: 'ok?', rationale: '' };
    const { engine } = makeEngine(
      family(() => ask),
      [spawn(2)],
    );
    const parked = await engine.run(run);
    await engine.cancel(parked.id, 'ann', 'enough');
    const all = await engine.parts.runs.list({});
    expect(all.map((one) => one.status)).toEqual(['cancelled', 'cancelled', 'cancelled']);
    expect((await engine.parts.runs.approvals({ status: 'pending' })).length).toBe(0);
  });
});

describe('pending outcomes', () => {
  it('of a timer resolve when it is due', async () => {
    const wait = readTool(
      'wait',
      (_, context) => new PendingAnswer({ kind: 'timer', at: context.now() + 5_000 }),
    );
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

  it('of an event resolve when it arrives, even if it arrived early', async () => {
    const wait = readTool(
      'wait',
      (_, context) => new PendingAnswer({ kind: 'event', event: 'go', timeoutAt: context.now() + 1_000 }),
    );
    const planner = plannerOf((input) =>
      input.evidence.length < 1
        ? call('wait')
        : finish(input.evidence[0]?.output ?? input.evidence[0]?.failure?.code),
    );
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
