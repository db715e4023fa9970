import { expect, test } from 'vitest';
import type { ApprovalView, RunListItem } from '../../src/api/index.ts';
import { Workspace } from './oka-process.ts';
import { runByLibrary } from './park-runs.ts';

/** What can make text look like what it is not: colour, cursor, title, bidirectional, zero-width, a carriage return. */
const TRICKS = 'a\u001b[31mred\u001b]0;title\u0007\u202egnp.exe\u2066x\u200bz\rover\u0000\u0085end';
// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what must not be there
const HIDDEN = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff]/;

test('an empty goal is a usage error on the command line, and a failed run for a program', async () => {
  const workspace = Workspace.trusted();
  for (const goal of ['', ' \n\t', '\u00a0\u200b']) {
    const { exitCode, error } = await workspace.refusal('do', goal);
    expect({ goal, exitCode, code: error.code }).toEqual({ goal, exitCode: 2, code: 'cli.usage' });
    expect(error.message).toMatch(/^The goal is empty\. Example/);
  }
  expect(workspace.has('.oka/oka.db')).toBe(false);

  const { run } = await runByLibrary(workspace, ' \n\t');
  expect(run).toMatchObject({ status: 'failed', failure: { code: 'agent.goal_not_understood' } });
  expect(run.failure?.message).toMatch(/^The goal is empty\..+Oka understands: read README.md/);
});

test('a goal of maximum length is recorded whole and answered', async () => {
  const workspace = Workspace.trusted();
  const goal = 'gärten und wege '.repeat(7_000);
  const { exitCode, data } = await workspace.answer('do', goal);
  expect({ exitCode, status: data.run.status, whole: data.run.goal === goal }).toEqual({
    exitCode: 1,
    status: 'failed',
    whole: true,
  });
});

test('a goal that no command line can take is shown whole and listed short', async () => {
  const workspace = Workspace.trusted();
  const goal = 'gärten und wege '.repeat(16_384);
  const { run } = await runByLibrary(workspace, goal);
  expect(run.status).toBe('failed');

  const { data } = await workspace.answer('runs', 'show', run.id);
  expect(data.run.goal === goal).toBe(true);
  const { stdout } = await workspace.oka('runs', 'list');
  for (const line of stdout.split('\n')) expect(line.length).toBeLessThan(200);
  for (const mode of ['narrative', 'decision', 'full'])
    expect((await workspace.oka('runs', 'replay', run.id, '--as', mode)).exitCode).toBe(0);
  await workspace.verified();
});

test('control, bidirectional and zero-width characters of a goal are shown escaped everywhere', async () => {
  const workspace = Workspace.trusted();
  // A process cannot be given a zero byte in an argument.
  const goal = `write "${TRICKS.replaceAll('\u0000', '')}" to odd.txt`;
  const done = await workspace.oka('do', goal);
  expect(done.exitCode).toBe(0);
  const { data } = await workspace.answer<{ runs: RunListItem[] }>('runs', 'list');
  const run = data.runs[0] as RunListItem;
  expect(run.goal).toBe(goal);
  const shown = [
    done,
    await workspace.oka('runs', 'list'),
    await workspace.oka('runs', 'show', run.id),
    await workspace.oka('runs', 'explain', run.id),
    await workspace.oka('runs', 'replay', run.id),
    await workspace.oka('ledger', 'tail'),
  ];
  for (const { stdout, stderr } of shown) {
    expect(stdout).not.toMatch(HIDDEN);
    expect(stderr).not.toMatch(HIDDEN);
  }
  expect(shown[2]?.stdout).toContain('\\u{202e}gnp.exe');
});

test('errors escape the given text', async () => {
  const workspace = Workspace.trusted();
  const trick = 'x\u001b[2K\u202ey';
  const attempts = [
    ['runs', 'show', trick],
    ['approvals', 'show', trick],
    [trick],
    ['do', 'x', `--${trick}`],
    ['do', 'x', '--budget', trick],
    ['-C', trick, 'runs', 'list'],
  ];
  for (const args of attempts) {
    const { stdout, stderr, exitCode } = await workspace.oka(...args);
    expect({ args, exitCode, stdout }).toEqual({ args, exitCode: expect.any(Number), stdout: '' });
    expect(exitCode).not.toBe(0);
    expect(stderr).not.toMatch(HIDDEN);
  }
});

test('a question escapes hidden characters and is never cut', async () => {
  const workspace = Workspace.trusted();
  const path = `${'long/'.repeat(40)}\u202etxt.exe`;
  const { data } = await workspace.answer('do', `write ${path}`);
  const { stdout } = await workspace.oka('runs', 'show', data.run.id);
  expect(stdout).not.toMatch(HIDDEN);
  const { data: listed } = await workspace.answer<{ approvals: ApprovalView[] }>('approvals', 'list');
  const { stdout: shown } = await workspace.oka('approvals', 'show', listed.approvals[0]?.id as string);
  expect(shown).not.toMatch(HIDDEN);
  expect(shown).toContain(listed.approvals[0]?.question as string);
});

test('secrets in a goal are redacted from every file and output', async () => {
  const workspace = Workspace.trusted();
  const secret = `sk-ant-${'api03'}-${'A1b2C3d4'.repeat(8)}`;
  const done = await workspace.oka('do', `search for "${secret}" in src`);
  const found = await workspace.oka('ledger', 'export');
  for (const text of [done.stdout, done.stderr, found.stdout, workspace.text('.oka/run_ledger.jsonl')])
    expect(text).not.toContain(secret);
});
