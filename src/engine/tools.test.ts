import { describe, expect, it } from 'vitest';
import {
  call,
  effectTool,
  finish,
  makeEngine,
  plannerOf,
  readTool,
  scripted,
} from '../../test/support/engine-kit.ts';
import { settle } from '../../test/support/manual-clock.ts';
import { OkaError } from '../kernel/index.ts';

const look = readTool('look', () => ({ seen: 1 }));
const _act = effectTool('act', () => 'acted');
const run = { kind: 'test', goal: 'a goal' };

/** A value with two to the power of `levels` parts, in little memory. */
function repeating(levels: number): unknown {
  let value: unknown = 'x';
  for (let level = 0; level < levels; level++) value = [value, value];
  return value;
}

function nested(levels: number): unknown {
  let value: unknown = 1;
  for (let level = 0; level < levels; level++) value = { a: value };
  return value;
}

function cycle(): unknown {
  const value: { self?: unknown } = {};
  value.self = value;
  return value;
}

describe('tools', () => {
  it('leave a failure for the planner when they fail', async () => {
    const broken = readTool('broken', () => {
      throw new OkaError('files.not_found', 'gone');
    });
    const planner = plannerOf((input) =>
      input.evidence[0]?.failure ? finish(input.evidence[0].failure.code) : call('broken'),
    );
    expect((await makeEngine(planner, [broken]).engine.run(run)).output).toBe('files.not_found');
  });

  it('are retried after transient failures if repeatable, and charged for it', async () => {
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

  it('with effects that may not be repeated are never retried automatically', async () => {
    let attempts = 0;
    const flaky = effectTool('flaky', () => {
      attempts += 1;
      throw new OkaError('net.down', 'down', { transient: true });
    });
    const planner = plannerOf((input) => (input.evidence.length > 0 ? finish() : call('flaky')));
    await makeEngine(planner, [flaky]).engine.run(run);
    expect(attempts).toBe(1);
  });

  it('are stopped after their timeout; one with effects leaves a question', async () => {
    for (const [tool, expected] of [
      [readTool('slow', () => new Promise(() => undefined), { timeoutMs: 50 }), 'engine.tool_timeout'],
      [effectTool('slow', () => new Promise(() => undefined), { timeoutMs: 50 }), 'unknown'],
    ] as const) {
      const planner = plannerOf((input) =>
        input.evidence.length > 0 ? finish(input.evidence[0]?.failure?.code) : call('slow'),
      );
      const { engine, clock } = makeEngine(planner, [tool], { limits: { retries: 0, node_retries: 0 } });
      const going = engine.run(run);
      await settle();
      clock.advance(60);
      const done = await going;
      if (expected === 'unknown')
        expect(done.waiting).toMatchObject({ for: 'answer', about: 'unknown_effect' });
      else expect(done.output).toBe(expected);
    }
  });

  it('are retried once after a timeout, and the late answer is ignored', async () => {
    const answers: (() => void)[] = [];
    const slow = readTool(
      'slow',
      () =>
        new Promise((_, reject) => {
          const place = answers.length;
          answers.push(() => reject(new OkaError('net.down', `attempt ${place}`, { transient: true })));
        }),
      { timeoutMs: 50 },
    );
    const planner = plannerOf((input) =>
      input.evidence.length > 0 ? finish(input.evidence[0]?.failure?.message) : call('slow'),
    );
    const { engine, clock } = makeEngine(planner, [slow], { limits: { retries: 5, node_retries: 1 } });
    const going = engine.run(run);
    await settle();
    clock.advance(60);
    await settle();
    answers[0]?.();
    await settle();
    clock.advance(300);
    await settle();
    expect(answers).toHaveLength(2);
    answers[1]?.();
    expect(await going).toMatchObject({ output: 'attempt 1', used: { tool_calls: 2, retries: 1 } });
  });

  it('cannot change the recorded input', async () => {
    const sly = readTool('sly', (input: { list: number[] }) => {
      input.list.push(2);
      return 'x';
    });
    const planner = plannerOf((input) => (input.evidence.length > 0 ? finish() : call('sly', { list: [1] })));
    const done = await makeEngine(planner, [sly]).engine.run(run);
    expect(done.evidence[0]).toMatchObject({ input: { list: [1] }, failure: { code: 'engine.tool_failed' } });
  });

  it.each([
    ['a long text', () => 'x'.repeat(40 * 1024 * 1024), 'engine.output_too_large'],
    ['many items', () => new Array(2_000_000).fill('x'.repeat(20)), 'engine.output_too_large'],
    ['bytes', () => Buffer.alloc(40 * 1024 * 1024), 'engine.output_too_large'],
    ['a value that repeats its parts', () => repeating(60), 'engine.output_too_large'],
    ['a value nested too deeply', () => nested(20_000), 'kernel.not_canonical'],
    ['a cycle', cycle, 'kernel.not_canonical'],
  ] as const)('fail with an output that cannot be recorded: %s', async (_, output, code) => {
    const flooding = readTool('flooding', output);
    const planner = plannerOf((input) => (input.evidence.length > 0 ? finish() : call('flooding')));
    const done = await makeEngine(planner, [flooding]).engine.run(run);
    expect(done.ended?.status).toBe('completed');
    expect(done.evidence).toMatchObject([{ failure: { code } }]);
    expect(done.artifacts).toEqual([]);
  });

  it('record the start of a failure message without an end', async () => {
    const failing = readTool('failing', () => {
      throw new OkaError('test.failed', 'x'.repeat(40 * 1024 * 1024), { data: { y: 'y'.repeat(1_000_000) } });
    });
    const planner = plannerOf((input) => (input.evidence.length > 0 ? finish() : call('failing')));
    const done = await makeEngine(planner, [failing]).engine.run(run);
    const failure = done.evidence[0]?.failure;
    expect(failure?.code).toBe('test.failed');
    expect(failure?.message).toMatch(/^x{16384}… \(41943040 characters\)$/);
    expect(failure?.data).toBeUndefined();
  });

  it('store large outputs as artifacts with a preview', async () => {
    const large = readTool('large', () => ({ text: 'x'.repeat(100_000) }));
    const { engine } = makeEngine(scripted(call('large'), finish()), [large]);
    const done = await engine.run(run);
    const output = done.evidence[0]?.output as { artifact: string; bytes: number; preview: string };
    expect(output.preview).toHaveLength(2_000);
    const stored = await engine.parts.artifacts.get(output.artifact as never);
    expect(JSON.parse(new TextDecoder().decode(stored))).toEqual({ text: 'x'.repeat(100_000) });
    expect(done.artifacts).toHaveLength(1);
  });

  it('leave no secrets in the record', async () => {
    const leaky = readTool('leaky', () => ({ header: `Bearer ${'abc123'.repeat(5)}` }));
    const { engine } = makeEngine(scripted(call('leaky'), finish()), [leaky]);
    const done = await engine.run(run);
    expect(JSON.stringify(await engine.events(done.id))).not.toContain('abc123abc123');
  });

  it('answer from the cache if cacheable, without charge', async () => {
    let calls = 0;
    const cached = readTool('cached', () => ({ n: ++calls }), {
      annotations: { readOnly: true, destructive: false, idempotent: true, cacheable: true, risk: 'none' },
    });
    const { engine } = makeEngine(
      scripted(call('cached', { a: 1 }), call('cached', { a: 2 }), call('cached', { a: 1 }), finish()),
      [cached],
    );
    const done = await engine.run(run);
    expect(done.evidence.map((fact) => (fact.output as { n: number }).n)).toEqual([1, 2, 1]);
    expect(done.used.tool_calls).toBe(2);
  });
});

describe('hooks', () => {
  it('run at their events, and their output is recorded', async () => {
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

  it('stop the run when they fail and must not', async () => {
    const hooks = {
      has: (name: string) => name === 'before_node',
      run: async () => [{ ok: false, exitCode: 3, output: 'no way', hook: 'guard', fail: true }],
    };
    let called = false;
    const tool = readTool('look', () => {
      called = true;
      return 1;
    });
    const { engine } = makeEngine(scripted(call('look'), finish()), [tool], { hooks });
    const failed = await engine.run(run);
    expect(failed.failure).toMatchObject({ code: 'engine.hook_failed' });
    expect(called).toBe(false);
  });
});

describe('rate limits', () => {
  it('delay calls within their timeout, and park the run beyond it', async () => {
    const times: number[] = [];
    const tool = readTool(
      'look',
      (input: { n: number }) => {
        times.push(clock.now());
        return input.n;
      },
      { timeoutMs: 5_000 },
    );
    const planner = plannerOf((input) =>
      input.evidence.length < 3 ? call('look', { n: input.evidence.length }) : finish(),
    );
    const { engine, clock } = makeEngine(planner, [tool], {
      rateLimits: { look: { calls: 1, intervalMs: 1_000 } },
    });
    const going = engine.run(run);
    for (let i = 0; i < 8; i++) {
      await settle();
      clock.advanceToNext();
    }
    await going;
    expect((times[1] ?? 0) - (times[0] ?? 0)).toBeGreaterThanOrEqual(1_000);
    expect((times[2] ?? 0) - (times[1] ?? 0)).toBeGreaterThanOrEqual(1_000);
    const strict = makeEngine(planner, [tool], {
      clock,
      rateLimits: { look: { calls: 1, intervalMs: 60_000 } },
    }).engine;
    const parked = await strict.run(run, { patienceMs: 0 });
    expect(parked.waiting).toMatchObject({ for: 'time' });
    clock.advance(60_001);
    expect((await strict.resume(parked.id, { patienceMs: 0 })).evidence).toHaveLength(2);
  });
});
