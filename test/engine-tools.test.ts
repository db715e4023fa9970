import { describe, expect, it } from 'vitest';
import { ToolRegistry } from '../src/engine/index.ts';
import { builtInTools } from '../src/tools/index.ts';
import { call, finish, makeEngine, plannerOf, scripted } from './support/engine-kit.ts';
import { settle } from './support/manual-clock.ts';

describe('the built-in tools', () => {
  it('are consistent and have schemas that can be shown and hashed', () => {
    const registry = new ToolRegistry(builtInTools());
    expect(Object.keys(registry.digests())).toEqual(builtInTools().map((tool) => tool.name));
    for (const tool of registry.all()) {
      expect(tool.input.json()).toMatchObject({ type: 'object', additionalProperties: false });
      expect(tool.description).toMatch(/^[A-Z].*\.$/);
    }
  });
});

describe('engine.wait', () => {
  it('parks the run for the requested number of seconds', async () => {
    const { engine, clock } = makeEngine(
      scripted(call('engine.wait', { seconds: 90 }), finish()),
      builtInTools(),
    );
    const running = engine.run({ kind: 'test', goal: 'wait' });
    await settle();
    clock.advance(89_999);
    await settle();
    const [waiting] = await engine.parts.runs.list({});
    expect(waiting?.status).toBe('waiting');
    clock.advance(1);
    expect(await running).toMatchObject({
      ended: { status: 'completed' },
      evidence: [{ output: { at: 1_700_000_090_000 } }],
    });
  });

  it('waits until a date, and not at all if it has passed', async () => {
    const { engine } = makeEngine(
      scripted(call('engine.wait', { until: '2001-01-01T00:00:00+01:00' }), finish()),
      builtInTools(),
    );
    expect(await engine.run({ kind: 'test', goal: 'wait' })).toMatchObject({
      ended: { status: 'completed' },
    });
  });

  it.each([{}, { seconds: 1, until: '2030-01-01T00:00:00Z' }, { seconds: -1 }, { until: 'tomorrow' }])(
    'refuses %j',
    async (input) => {
      const planner = plannerOf(({ evidence }) =>
        evidence[0] ? finish(evidence[0].failure?.code) : call('engine.wait', input),
      );
      const { engine } = makeEngine(planner, builtInTools());
      expect((await engine.run({ kind: 'test', goal: 'wait' })).output).toBe('engine.tool_input_invalid');
    },
  );
});

describe('engine.wait_event', () => {
  const planner = plannerOf(({ evidence }) =>
    evidence[0]
      ? finish(evidence[0].output ?? evidence[0].failure?.code)
      : call('engine.wait_event', { event: 'go', timeout_seconds: 5 }),
  );

  it('continues with the data of the event', async () => {
    const { engine } = makeEngine(planner, builtInTools());
    const waiting = await engine.run({ kind: 'test', goal: 'wait' }, { patienceMs: 0 });
    await engine.signal(waiting.id, 'go', { by: 'hand' }, 'tester');
    expect((await engine.resume(waiting.id)).output).toEqual({ by: 'hand' });
  });

  it('fails when the event does not arrive in time', async () => {
    const { engine, clock } = makeEngine(planner, builtInTools());
    const waiting = await engine.run({ kind: 'test', goal: 'wait' }, { patienceMs: 0 });
    clock.advance(5_000);
    expect((await engine.resume(waiting.id)).output).toBe('engine.tool_timeout');
  });
});

describe('engine.run_children', () => {
  const parent = (onError?: string) =>
    plannerOf(({ goal, vars, evidence }) => {
      if (goal === 'bad') return { kind: 'fail', reason: 'bad luck', rationale: 'it is told to' };
      if (goal === 'child') return finish(vars['n']);
      if (evidence[0]) return finish(evidence[0].output ?? evidence[0].failure?.code);
      const child = (of: string, n: number) => ({
        kind: 'test',
        goal: of,
        vars: { n },
        budgets: { steps: 5 },
      });
      const children = [child('child', 1), child(onError ? 'bad' : 'child', 2), child('child', 3)];
      return call('engine.run_children', {
        children,
        ...(onError ? { on_error: onError } : {}),
        concurrency: 2,
      });
    });

  it.each([
    [undefined, [1, 2, 3]],
    ['skip', [1, 3]],
    ['fail', 'engine.child_failed'],
    [
      'collect',
      [
        { status: 'completed', output: 1 },
        { status: 'failed', failure: expect.anything() },
        { status: 'completed', output: 3 },
      ],
    ],
  ])('returns the outputs of its children in order, on_error %s', async (onError, output) => {
    const { engine } = makeEngine(parent(onError), builtInTools());
    expect((await engine.run({ kind: 'test', goal: 'parent' })).output).toEqual(output);
  });

  it('refuses budgets that do not exist', () => {
    const tool = builtInTools().find(({ name }) => name === 'engine.run_children');
    const children = [{ kind: 'test', goal: 'x', budgets: { patience: 1 } }];
    expect(() => tool?.handler({ children, on_error: 'fail' }, {} as never)).toThrow('patience=1');
    expect(() => tool?.handler({ children: [], on_error: 'fail' }, {} as never)).toThrow(
      'at least one child run',
    );
  });
});
