import { expect, it } from 'vitest';
import { call, effectTool, finish, makeEngine, plannerOf } from '../../test/support/engine-kit.ts';
import { policyRefusals } from './governor.ts';

it('returns only the calls that policy refused', async () => {
  const planner = plannerOf(({ run }) =>
    run.step === 1 ? call('files.keep') : run.step === 2 ? call('files.drop') : finish(),
  );
  const { engine } = makeEngine(
    planner,
    [effectTool('files.keep', () => 1), effectTool('files.drop', () => 1)],
    {
      policy: {
        version: 'test',
        decide: ({ tool }) => ({
          decision: tool.name === 'files.drop' ? 'deny' : 'allow',
          rule: 'test',
          why: 'drops are forbidden',
        }),
      },
    },
  );
  const run = await engine.run({ kind: 'test', goal: 'keep and drop' });
  expect(run.ended?.status).toBe('completed');
  expect(policyRefusals(await engine.events(run.id))).toMatchObject([
    { run: run.id, tool: 'files.drop', code: 'engine.policy_denied' },
  ]);
});
