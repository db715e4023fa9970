import { expect, test } from 'vitest';
import type { ApprovalView, ExplainAnswer } from '../../src/api/index.ts';
import { onOwnProcess } from '../support/server-environment.ts';
import { Workspace } from './oka-process.ts';

const ARGV = ['sh', 'once.sh'];

/** A run whose process was killed while its program was running, and the question about it. */
async function interrupted(): Promise<{
  workspace: Workspace;
  run: string;
  approval: string;
  before: number;
}> {
  const workspace = Workspace.trusted();
  workspace.put('once.sh', 'test -e ran || { touch ran; sleep 3; }\n');
  workspace.putAtHome(
    'POLICY.md',
    '| match | decision | why |\n|---|---|---|\n| * and any input | allow | a test |\n',
  );
  // On a draft an interrupted program is run again, because it changed nothing.
  workspace.putAtHome('config.json', '{"sandbox":"off"}');
  const before = Date.now();
  const started = workspace.start(
    'tools',
    'call',
    'process.run',
    JSON.stringify({ argv: ARGV }),
    '--verbose',
  );
  const run = /run (\S+)/.exec(await started.said(/… process\.run/))?.[1] ?? '';
  started.kill('SIGKILL');
  await started.ended;
  const { exitCode, data } = await workspace.answer('runs', 'resume', run);
  expect({ exitCode, what: data.run.waitingFor?.what }).toEqual({ exitCode: 4, what: 'answer' });
  return { workspace, run, approval: data.run.waitingFor?.approval ?? '', before };
}

onOwnProcess(
  'the question about an unknown effect shows the call, what is known and what each answer does',
  async () => {
    const { workspace, run, approval, before } = await interrupted();
    const { data } = await workspace.answer<{ approval: ApprovalView }>('approvals', 'show', approval);
    expect(data.approval).toMatchObject({
      kind: 'unknown_effect',
      run,
      root: run,
      tool: 'process.run',
      arguments: { argv: ARGV },
      effect: 'sh once.sh',
      sideEffect: 'external_mutation',
      risk: 'medium',
      options: ['retry', 'done', 'fail'],
      answers: {
        retry: expect.stringContaining('acts twice'),
        done: expect.any(String),
        fail: expect.any(String),
      },
    });
    const known = data.approval.known?.join('\n') ?? '';
    const at = Date.parse(/recorded at (\S+),/.exec(known)?.[1] ?? '');
    expect(at).toBeGreaterThanOrEqual(before);
    expect(known).toContain('The call was started once; no outcome was recorded.');
    expect(known).toContain('process.run may not be repeated safely');

    const shown = (await workspace.oka('approvals', 'show', approval)).stdout;
    expect(shown).toMatch(/^effect +sh once\.sh$/m);
    expect(shown).toMatch(/^known +The intent was recorded at /m);
    expect(shown).toMatch(/^answer +done +continues as if the call had succeeded/m);
    expect((await workspace.oka('approvals', 'list')).stdout).toMatch(
      /know the outcome of sh once\.sh +its outcome is unknown/,
    );
    const { data: waiting } = await workspace.answer('runs', 'show', run);
    expect(waiting.run.waitingFor?.request).toMatchObject({ tool: 'process.run', arguments: { argv: ARGV } });
    expect((await workspace.oka('runs', 'show', run)).stdout).toMatch(
      /^answer +retry +calls the tool again/m,
    );

    await workspace.answer('approvals', 'approve', approval, '--answer', 'retry');
    const { data: decided } = await workspace.answer<{ approval: ApprovalView }>(
      'approvals',
      'show',
      approval,
    );
    expect(decided.approval).toMatchObject({
      status: 'answered',
      answer: 'retry',
      decidedBy: expect.any(String),
    });
    const { data: told } = await workspace.answer<ExplainAnswer>('runs', 'explain', run);
    expect(told.recoveries).toMatchObject([
      {
        kind: 'recovered',
        what: 'process.run called again: a person answered "retry" about its unknown outcome',
      },
    ]);
  },
);

test('a pending approval shows why it asks, its effect and its root; an edited one what was approved', async () => {
  const workspace = Workspace.trusted();
  const { data } = await workspace.answer(
    'tools',
    'call',
    'process.run',
    '{"argv":["git","push"],"cwd":"src","network":true}',
  );
  const { id, waitingFor } = data.run;
  expect(waitingFor).toMatchObject({
    detail: expect.stringMatching(
      /^process\.run \{.*"git","push".* needs a person's approval: process\.run may /,
    ),
    request: {
      kind: 'tool',
      tool: 'process.run',
      rule: 'destructive',
      effect: 'git push (reaches all of the network)',
    },
  });
  const approval = waitingFor?.approval ?? '';
  const text = (await workspace.oka('approvals', 'show', approval)).stdout;
  expect(text).toMatch(/^class +external_mutation, medium risk$/m);
  expect(text).toMatch(/^why +process\.run may .+ \(rule destructive\)$/m);
  expect((await workspace.oka('approvals', 'list')).stdout).toMatch(
    /run git push.+\(default rule destructive\)/,
  );

  await workspace.answer('approvals', 'approve', approval, '--edit', '{"argv":["true"],"network":true}');
  const { data: decided } = await workspace.answer<{ approval: ApprovalView }>('approvals', 'show', approval);
  expect(decided.approval).toMatchObject({
    run: id,
    root: id,
    status: 'approved',
    arguments: { argv: ['true'], network: true },
    requestedArguments: { argv: ['git', 'push'], cwd: 'src', network: true },
  });
  expect((await workspace.oka('approvals', 'show', approval)).stdout).toMatch(/^approved arguments$/m);
  const { data: told } = await workspace.answer<ExplainAnswer>('runs', 'explain', id);
  expect(told.actions.flatMap(({ verdicts }) => verdicts).join('\n')).toMatch(
    /edited arguments: \{"argv":\["true"\]/,
  );
});
