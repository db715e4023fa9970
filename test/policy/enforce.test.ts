import { expect, test } from 'vitest';
import { call, effectTool, makeEngine, openApproval, scripted } from '../support/engine-kit.ts';
import { policyFrom } from './kit.ts';

/** An engine whose planner writes once, under these rows; and what was written. */
function writing(rows: Parameters<typeof policyFrom>[0], path: string) {
  const written: unknown[] = [];
  const write = effectTool('files.write', (input) => {
    written.push(input);
    return {};
  });
  const policy = policyFrom(rows);
  const { engine } = makeEngine(scripted(call('files.write', { path })), [write], { policy });
  return { engine, written, policy };
}

const rows = {
  user: ['files.write and path in docs/** | ask'],
  project: ['files.write and path in keys/** | deny'],
};

test('a denied call never reaches the tool, and the record names the rule', async () => {
  const { engine, written, policy } = writing(rows, 'keys/a.pem');
  const run = await engine.run({ kind: 'test', goal: 'write' });
  expect(run.pins.policy).toBe(policy.version);
  expect(written).toEqual([]);
  const { actions } = await engine.explain(run.id);
  expect(actions[0]?.failure).toMatchObject({
    code: 'engine.policy_denied',
    message: 'Policy forbids files.write: said so.',
  });
  expect(JSON.stringify(actions[0])).toContain('deny:POLICY.md:3');
});

test('a call that asks continues with the approval of a person', async () => {
  const { engine, written } = writing(rows, 'docs/a.md');
  const parked = await engine.run({ kind: 'test', goal: 'write' });
  expect(written).toEqual([]);
  const approval = await openApproval(engine);
  expect(approval).toMatchObject({ tool: 'files.write', why: 'said so', arguments: { path: 'docs/a.md' } });
  await engine.decide(approval.id, { kind: 'approve' }, 'ann');
  await engine.resume(parked.id);
  expect(written).toEqual([{ path: 'docs/a.md' }]);
});

test('a call without a matching rule continues by default', async () => {
  const { engine, written } = writing(rows, 'src/a.ts');
  await engine.run({ kind: 'test', goal: 'write' });
  expect(written).toEqual([{ path: 'src/a.ts' }]);
});
