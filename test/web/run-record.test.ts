// The page folds the events of a run by itself. It must count what the engine counts.

import { expect, test } from 'vitest';
import type { Engine } from '../../src/engine/index.ts';
import { OkaError } from '../../src/kernel/index.ts';
import type { LedgerEvent } from '../../src/ledger/index.ts';
import { asOf } from '../../web/src/pages/run/record/as-of.ts';
import { foldTree } from '../../web/src/pages/run/record/fold-tree.ts';
import { longestPath } from '../../web/src/pages/run/record/longest-path.ts';
import { stepFacts } from '../../web/src/pages/run/record/step-facts.ts';
import type { RunEvent, TreeRecord } from '../../web/src/pages/run/record/types.ts';
import {
  call,
  effectTool,
  finish,
  makeEngine,
  openApproval,
  readTool,
  scripted,
} from '../support/engine-kit.ts';
import { settle } from '../support/manual-clock.ts';

const toRunEvent = ({ seq, stream, index, type, at, actor, data, body, chain }: LedgerEvent): RunEvent => ({
  ...{ seq, stream, index, type, at, actor, data, chain },
  ...(body !== undefined && { body }),
});

async function recordOf(engine: Engine): Promise<TreeRecord> {
  const events = (await engine.parts.events.readAfter(0, 10_000)).map(toRunEvent);
  const tree = foldTree(events);
  if (tree === undefined) throw new Error('no run was recorded');
  return tree;
}

test('folds a call, its retries and its failure into one step, with the counts of the engine', async () => {
  let left = 2;
  const flaky = readTool('flaky', () => {
    if (left-- > 0) throw new OkaError('net.down', 'not yet', { transient: true });
    return 'there';
  });
  const broken = effectTool('broken', () => {
    throw new Error('it broke');
  });
  const { engine, clock } = makeEngine(scripted(call('flaky'), call('broken'), finish()), [flaky, broken]);
  const going = engine.run({ kind: 'test', goal: 'try' });
  for (let i = 0; i < 5; i++) {
    await settle();
    clock.advanceToNext();
  }
  const run = await going;
  const whole = await recordOf(engine);
  const { root } = whole;
  for (let count = 1; count <= whole.events.length; count++)
    expect(asOf(whole, count)).toEqual(foldTree(whole.events, count));
  expect(root).toMatchObject({ status: run.ended?.status, state: run.state, used: run.used });
  expect(root.steps.map(({ tool, status, decision }) => [tool ?? decision, status])).toEqual([
    ['flaky', 'ok'],
    ['broken', 'failed'],
    ['finish', 'ok'],
  ]);
  expect(root.steps[0]?.attempts).toBe(3);
  expect(stepFacts(root.steps[1] as never).failure?.message).toContain('it broke');
});

test('folds a request for an approval and the approved call into one step', async () => {
  const act = effectTool('act', () => 'done');
  const { engine, clock } = makeEngine(scripted(call('act', { x: 1 }), finish()), [act], {
    policy: {
      version: 'test/1',
      decide: () => ({ decision: 'ask', rule: 'everything', why: 'a person wants to see it' }),
    },
  });
  const { id } = await engine.run({ kind: 'test', goal: 'act' });
  const waiting = (await recordOf(engine)).root;
  expect(waiting).toMatchObject({ status: 'waiting', steps: [{ status: 'waiting', tool: 'act' }] });
  clock.advance(60_000);
  await engine.decide((await openApproval(engine)).id, { kind: 'approve', edit: { x: 2 } }, 'ann');
  const run = await engine.resume(id);
  const whole = await recordOf(engine);
  const { root } = whole;
  expect(root.used).toEqual(run.used);
  for (let count = 1; count <= whole.events.length; count++)
    expect(asOf(whole, count)).toEqual(foldTree(whole.events, count));
  const [first] = root.steps;
  expect(root.steps).toHaveLength(2);
  expect(first?.segments.find(({ kind }) => kind === 'wait')).toMatchObject({ what: 'approval' });
  expect(stepFacts(first as never)).toMatchObject({
    input: { x: 2 },
    output: 'done',
    rules: expect.arrayContaining([
      'asks by rule everything: a person wants to see it',
      'approved by ann, with other arguments',
    ]),
  });
});

test('folds the first events into the record at that moment', async () => {
  const act = effectTool('act', () => 'done');
  const { engine } = makeEngine(scripted(call('act'), finish()), [act]);
  await engine.run({ kind: 'test', goal: 'act' });
  const { events } = await recordOf(engine);
  const intent = events.findIndex(({ type }) => type === 'tool.intended');
  const then = asOf(await recordOf(engine), intent + 1);
  expect(then.root).toMatchObject({ status: 'running', steps: [{ status: 'running' }] });
  expect(then.root.steps[0]?.segments.at(-1)).not.toHaveProperty('to');
  expect(longestPath(then).size).toBe(0);
});
