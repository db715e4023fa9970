import { expect, it } from 'vitest';
import { call, effectTool, finish, makeEngine, plannerOf, readTool } from '../../test/support/engine-kit.ts';
import { PendingAnswer } from './tool.ts';
import type { Decision } from './types.ts';

const run = { kind: 'test', goal: 'parent', id: 'root' };

/** Runs a parent that makes these calls in one state; each child acts once, and then does what `ends` says. */
async function keysOfEffects(
  calls: readonly Decision[],
  ends: (child: number) => Decision,
): Promise<readonly string[]> {
  const keys: string[] = [];
  const act = effectTool('act', (_, context) => keys.push(context.idempotencyKey));
  const spawn = readTool(
    'spawn',
    () => new PendingAnswer({ kind: 'children', children: [{ kind: 'test', goal: 'child' }] }),
  );
  const planner = plannerOf(({ goal, evidence }) => {
    if (goal === 'child') return evidence.length === 0 ? call('act') : ends(keys.length);
    return calls[evidence.length] ?? finish();
  });
  const allow = { decision: 'allow', rule: 'test', why: 'a test' } as const;
  const { engine } = makeEngine(planner, [spawn, act], {
    policy: { version: 'allow', decide: () => allow },
  });
  expect((await engine.run(run)).ended?.status).toBe('completed');
  return keys;
}

it('children of two calls in one visit to a state act under keys of their own', async () => {
  const calls = [call('spawn', { n: 1 }), call('spawn', { n: 2 }), call('spawn', { n: 2 })];
  expect(await keysOfEffects(calls, () => finish())).toEqual([
    'root/work.1.0/1',
    'root/work.1#2.0/1',
    'root/work.1#3.0/1',
  ]);
});

it('children of a call that is repeated after a failure act under the same keys', async () => {
  const calls = [call('spawn'), call('spawn'), call('spawn', { other: true })];
  const ends = (child: number): Decision =>
    child === 1 ? { kind: 'fail', reason: 'it fails', rationale: '' } : finish();
  expect(await keysOfEffects(calls, ends)).toEqual([
    'root/work.1.0/1',
    'root/work.1.0/1',
    'root/work.1#3.0/1',
  ]);
});
