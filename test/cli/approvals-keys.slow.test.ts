import { expect, test } from 'vitest';
import type { ApprovalView, RunAnswer } from '../../src/api/index.ts';
import { Gate } from './gate.ts';
import { Workspace } from './oka-process.ts';
import { parkBeforeWriting } from './park-runs.ts';
import { noTerminal, Terminal } from './terminal.ts';

const READY = /\(Enter: no\)/;
const TOUCH = ['tools', 'call', 'process.run', '{"argv":["touch","made.txt"],"network":true}'];

async function statusOf(workspace: Workspace): Promise<RunAnswer['run']> {
  return (await workspace.answer('runs', 'show', 'last')).data.run;
}

test('Enter alone denies a call', async ({ skip }) => {
  if (noTerminal) return skip(noTerminal);
  const workspace = Workspace.trusted();
  const terminal = new Terminal(workspace, TOUCH);
  await terminal.shows(READY);
  terminal.press('Enter');
  expect(await terminal.exitCode()).toBe(4);
  expect(await terminal.sees(/exit 4/)).toMatch(/Denied: the call was not made\.\n +Run \w{6} ended/);
  expect(await statusOf(workspace)).toMatchObject({ failure: { code: 'engine.approval_denied' } });
  expect(workspace.has('made.txt')).toBe(false);
});

test('keys that were typed before the card, and words typed into it, decide nothing', async ({ skip }) => {
  if (noTerminal) return skip(noTerminal);
  const gate = new Gate();
  const workspace = Workspace.trusted({ config: { hooks: [gate.hook('before_run')] } });
  const terminal = new Terminal(workspace, TOUCH);
  await gate.reached();
  terminal.type('y');
  terminal.press('Enter');
  await gate.open();
  await terminal.shows(READY);
  terminal.type('yes, and then write the report');
  terminal.press('C-c');
  expect(await terminal.exitCode()).toBe(4);
  expect(await statusOf(workspace)).toMatchObject({ status: 'waiting' });
  expect(workspace.has('made.txt')).toBe(false);
});

test('d shows everything, and y allows the call once', async ({ skip }) => {
  if (noTerminal) return skip(noTerminal);
  const workspace = Workspace.trusted();
  const terminal = new Terminal(workspace, TOUCH);
  await terminal.shows(READY);
  terminal.type('d');
  await terminal.sees(/details\n[\s\S]*"argv": \[[\s\S]*\(Enter: no\)/);
  terminal.type('y');
  expect(await terminal.exitCode()).toBe(0);
  expect(workspace.has('made.txt')).toBe(true);
});

test('e runs the call with edited arguments, which are on record', async ({ skip }) => {
  if (noTerminal) return skip(noTerminal);
  const workspace = Workspace.trusted();
  const { run } = await parkBeforeWriting(workspace, 'write "four beds" to beds.txt');
  const terminal = new Terminal(workspace, ['runs', 'resume', run]);
  await terminal.shows(READY);
  terminal.type('e');
  await terminal.shows(/Arguments as JSON/);
  await terminal.sees(/"path":"beds\.txt"\}/);
  for (const _ of [1, 2]) terminal.press('BSpace');
  terminal.type('2"}');
  terminal.press('Enter');
  await terminal.sees(/● No, back to the request/);
  terminal.press('Down');
  terminal.press('Enter');
  expect(await terminal.exitCode()).toBe(0);
  expect([workspace.has('beds.txt'), workspace.text('beds.txt2')]).toEqual([false, 'four beds']);
  const { data } = await workspace.answer<{ approvals: ApprovalView[] }>('approvals', 'list', '--all');
  expect(data.approvals).toMatchObject([
    {
      arguments: { path: 'beds.txt2' },
      requestedArguments: { path: 'beds.txt' },
      decidedBy: expect.any(String),
    },
  ]);
});

test('an edit that the policy forbids is not run', async () => {
  const policy =
    '| match | decision | why |\n|---|---|---|\n| `process.run and argv starts with git` | deny | no git here |\n';
  const workspace = Workspace.trusted({ files: { 'POLICY.md': policy } });
  await workspace.answer(...(TOUCH as [string, ...string[]]));
  const { approval = '' } = (await statusOf(workspace)).waitingFor ?? {};
  const edited = await workspace.answer(
    'approvals',
    'approve',
    approval,
    '--edit',
    '{"argv":["git","status"]}',
  );
  expect(edited.data.run).toMatchObject({ status: 'failed', failure: { code: 'engine.policy_denied' } });
});

test('approve last shows the card first on a terminal', async ({ skip }) => {
  if (noTerminal) return skip(noTerminal);
  const workspace = Workspace.trusted();
  await parkBeforeWriting(workspace, 'write "four beds" to beds.txt');
  const terminal = new Terminal(workspace, ['approvals', 'approve', 'last']);
  await terminal.shows(READY);
  terminal.type('y');
  expect(await terminal.exitCode()).toBe(0);
  expect(workspace.text('beds.txt')).toBe('four beds');
});

/** A run of an agent that tries these programs in turn and then answers. */
async function trying(...programs: readonly string[]): Promise<Workspace> {
  const turns = [
    ...programs.map((program) => ({
      once: true,
      text: `I run ${program}.`,
      tool_calls: [{ tool: 'process.run', input: { argv: [program], network: true } }],
    })),
    { text: 'I leave it.' },
  ];
  const workspace = Workspace.trusted({
    files: { 'script.json': JSON.stringify({ turns }) },
    config: { models: { actor: { provider: 'scripted', script: 'script.json' } } },
  });
  await workspace.answer('do', 'tidy the garden');
  return workspace;
}

test('a denial reports whether the run finished without the call, asks for another approval, or ended', async () => {
  const finishing = await trying('true');
  expect((await finishing.oka('approvals', 'deny', 'last')).stderr).toMatch(
    /^Denied: the call was not made\.\nRun \w{6} finished without it\.$/m,
  );
  expect(await statusOf(finishing)).toMatchObject({ status: 'completed' });

  const asking = await trying('true', 'false');
  expect((await asking.oka('approvals', 'deny', 'last')).stderr).toMatch(
    /^Denied: the call was not made\.\nRun \w{6} continued another way and asks: run false$/m,
  );
  expect(await statusOf(asking)).toMatchObject({ status: 'waiting' });

  const ending = Workspace.trusted();
  await ending.answer(...(TOUCH as [string, ...string[]]));
  const { stderr } = await ending.oka('approvals', 'deny', 'last');
  const again = /Run \w{6} ended\. It asks again with: oka runs resume (\w{6})$/m.exec(stderr)?.[1] ?? '';
  const resumed = await ending.answer('runs', 'resume', again);
  expect(resumed.data.run).toMatchObject({ status: 'waiting', waitingFor: { what: 'approval' } });
});
