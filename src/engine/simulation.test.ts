import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { call, effectTool, finish, makeEngine, plannerOf } from '../../test/support/engine-kit.ts';
import { OkaError } from '../kernel/index.ts';
import type { PolicyVerdict } from './ports.ts';
import { simulatedCalls } from './simulation.ts';
import type { Tool } from './tool.ts';

type End = 'succeeds' | 'fails';

/** What a tool may declare and do. */
interface Shape {
  readonly sideEffect: Tool['sideEffect'];
  readonly verdict: PolicyVerdict['decision'];
  readonly simulatable: boolean;
  readonly recordsOnly: boolean;
  readonly check: End | 'none';
  readonly preimage: End | 'none';
  readonly handler: End;
  readonly effect: 'none' | 'told' | 'throws';
}

const ends = fc.constantFrom<End | 'none'>('succeeds', 'fails', 'none');
const shapes: fc.Arbitrary<Shape> = fc.record({
  sideEffect: fc.constantFrom<Tool['sideEffect']>('read', 'write_local', 'external_mutation'),
  verdict: fc.constantFrom<PolicyVerdict['decision']>('allow', 'ask', 'deny'),
  simulatable: fc.boolean(),
  recordsOnly: fc.boolean(),
  check: ends,
  preimage: ends,
  handler: fc.constantFrom<End>('succeeds', 'fails'),
  effect: fc.constantFrom<Shape['effect']>('none', 'told', 'throws'),
});

function toolOf(shape: Shape, made: () => void): Tool {
  const { sideEffect } = shape;
  const end = (how: End | 'none'): void => {
    if (how === 'fails') throw new OkaError('engine.tool_failed', 'it cannot run.');
  };
  return effectTool(
    'act',
    () => {
      made();
      end(shape.handler);
      return 'acted';
    },
    {
      sideEffect,
      annotations: {
        ...{ readOnly: sideEffect === 'read', destructive: false },
        ...{ idempotent: false, cacheable: false, risk: 'low' },
      },
      simulatable: shape.simulatable,
      recordsOnly: shape.recordsOnly,
      ...(shape.check === 'none' ? {} : { check: () => end(shape.check) }),
      ...(shape.preimage === 'none'
        ? {}
        : {
            preimage: async () => {
              end(shape.preimage);
              return { was: 1 };
            },
          }),
      ...(shape.effect === 'none'
        ? {}
        : {
            effect: () => {
              if (shape.effect === 'throws') throw new Error('no words');
              return { kind: 'state', what: 'acts' };
            },
          }),
    },
  );
}

const planner = plannerOf(({ evidence }) => (evidence.length === 0 ? call('act', {}) : finish()));
const policy = (decision: PolicyVerdict['decision']) => ({
  version: '1',
  decide: () => ({ decision, rule: 'row', why: 'a test' }),
});

describe('a simulation of any tool', () => {
  it('lists its call once: as an effect, or as one that would be refused or fail', async () => {
    await fc.assert(
      fc.asyncProperty(shapes, async (shape) => {
        let calls = 0;
        const tool = toolOf(shape, () => (calls += 1));
        const { engine } = makeEngine(planner, [tool], { policy: policy(shape.verdict), simulate: true });
        await engine.run({ kind: 'test', goal: 'a goal' });
        const listed = simulatedCalls(await engine.parts.events.readAfter(0, 1_000), engine.parts.tools);
        const isRefused = shape.verdict === 'deny' || shape.check === 'fails' || shape.preimage === 'fails';
        const isWithheld = !shape.simulatable && (shape.sideEffect !== 'read' || shape.verdict === 'ask');
        expect(calls).toBe(isRefused || isWithheld ? 0 : 1);
        if (shape.sideEffect === 'read' && shape.verdict !== 'ask') {
          expect(listed).toEqual([]);
          return;
        }
        const isFailed = !isWithheld && shape.handler === 'fails';
        const outcome = isRefused ? 'refused' : isFailed ? 'failed' : undefined;
        expect(listed).toMatchObject([{ tool: 'act', ...(outcome && { outcome }) }]);
        expect('outcome' in (listed[0] ?? {})).toBe(outcome !== undefined);
      }),
      { numRuns: 300 },
    );
  });
});

describe('a call of any tool', () => {
  it('is refused before anybody is asked if it cannot run', async () => {
    await fc.assert(
      fc.asyncProperty(shapes, async (shape) => {
        const tool = toolOf(shape, () => undefined);
        const { engine } = makeEngine(planner, [tool], { policy: policy('ask') });
        const run = await engine.run({ kind: 'test', goal: 'a goal' });
        const isRefused = shape.check === 'fails' || shape.preimage === 'fails';
        expect(run.waiting?.for).toBe(isRefused ? undefined : 'approval');
      }),
      { numRuns: 100 },
    );
  });

  it('is confirmed by a person where the planner asks for it, whatever policy allows', async () => {
    const confirmed = { ...call('act', {}), confirm: true } as ReturnType<typeof call>;
    const asking = plannerOf(({ evidence }) => (evidence.length === 0 ? confirmed : finish()));
    const tool = effectTool('act', () => 'acted');
    const { engine } = makeEngine(asking, [tool], { policy: policy('allow') });
    expect((await engine.run({ kind: 'test', goal: 'a goal' })).waiting).toMatchObject({
      for: 'approval',
      rule: 'confirm',
    });
    const denying = makeEngine(asking, [tool], { policy: policy('deny') });
    expect((await denying.engine.run({ kind: 'test', goal: 'a goal' })).waiting).toBeUndefined();
  });
});
