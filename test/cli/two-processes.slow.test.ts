import { expect, test } from 'vitest';
import type { RunAnswer, RunListItem } from '../../src/api/index.ts';
import type { OpenLedger } from '../../src/runtime/index.ts';
import { ManualClock } from '../support/manual-clock.ts';
import { openTestLedger } from '../support/open-test-ledger.ts';
import { Gate } from './gate.ts';
import { BRIEF, toAnswer, toRefusal, Workspace } from './oka-process.ts';

/** A run whose process was killed before its first tool call. */
async function crashed(workspace: Workspace, gate: Gate): Promise<string> {
  const working = workspace.start('do', BRIEF);
  await gate.reached();
  working.kill('SIGKILL');
  await working.ended;
  await gate.open();
  const { data } = await workspace.answer<{ runs: RunListItem[] }>('runs', 'list');
  return data.runs[0]?.id as string;
}

function configure(workspace: Workspace, gate: Gate): void {
  workspace.configure({ hooks: [gate.hook('before_node')] });
}

async function expectDoneOnce(workspace: Workspace): Promise<void> {
  await workspace.verified();
  expect(workspace.count('tool.intended')).toBe(1);
  expect(workspace.count('tool.completed')).toBe(1);
  expect(workspace.count('run.completed')).toBe(1);
}

test('resuming a run that another process drives names that process', async () => {
  const workspace = Workspace.trusted();
  const first = new Gate();
  configure(workspace, first);
  const run = await crashed(workspace, first);
  const second = new Gate();
  configure(workspace, second);
  const owner = workspace.start('runs', 'resume', run, '--json');
  await second.reached();

  for (const args of [
    ['runs', 'resume', run],
    ['runs', 'undo', run],
  ]) {
    const { exitCode, error } = await workspace.refusal(...args);
    expect({ args, exitCode, code: error.code }).toEqual({ args, exitCode: 1, code: 'engine.run_owned' });
    expect(error.data['owner']).toMatch(new RegExp(`^${owner.child.pid}@`));
    expect(error.message).toContain(error.data['owner'] as string);
  }
  await second.open();
  expect(toAnswer<RunAnswer>(await owner.ended)).toMatchObject({
    exitCode: 0,
    data: { run: { status: 'completed' } },
  });
  await expectDoneOnce(workspace);
});

test('processes that resume the same run at the same time do its work once', async () => {
  const workspace = Workspace.trusted();
  const gate = new Gate();
  configure(workspace, gate);
  const run = await crashed(workspace, gate);
  const rivals = [1, 2, 3].map(() => workspace.start('runs', 'resume', run, '--json'));
  const ended = await Promise.all(rivals.map((rival) => rival.ended));
  const winners = ended.filter((rival) => rival.exitCode === 0);
  expect(winners.length).toBeGreaterThan(0);
  for (const winner of winners)
    expect(toAnswer<RunAnswer>(winner).data.run).toMatchObject({ id: run, status: 'completed' });
  for (const loser of ended.filter((rival) => rival.exitCode !== 0)) {
    expect(toRefusal(loser)).toMatchObject({
      exitCode: 1,
      error: { code: 'engine.run_owned', data: { run } },
    });
  }
  await expectDoneOnce(workspace);
  expect(workspace.count('run.claimed')).toBe(1);
});

test('many processes work in one workspace at the same time, each on its own run', async () => {
  const workspace = Workspace.trusted();
  const goals = [1, 2, 3, 4].map((n) => `write a brief of this folder to BRIEF-${n}.md`);
  const ended = await Promise.all(goals.map((goal) => workspace.oka('do', goal, '--json')));
  for (const each of ended)
    expect(toAnswer<RunAnswer>(each)).toMatchObject({ exitCode: 0, data: { run: { status: 'completed' } } });
  for (const n of [1, 2, 3, 4]) expect(workspace.has(`BRIEF-${n}.md`)).toBe(true);
  await workspace.verified();
  expect(workspace.count('run.completed')).toBe(4);
});

test('the mirror has every line when two processes write in turns', async () => {
  const workspace = Workspace.trusted();
  const clock = new ManualClock();
  const open = (name: string): OpenLedger =>
    openTestLedger(workspace.root, { clock, owners: { self: name, isAlive: () => true } });
  const [one, other] = [open('one'), open('other')];
  await one.startWriting();
  await other.startWriting();
  for (const [ledger, by] of [
    [one, 'one'],
    [other, 'other'],
    [one, 'one'],
  ] as const) {
    const append = { stream: `chat/${by}`, events: [{ type: 'test.said', data: { by } }] };
    await ledger.events.commit({ actor: by, sync: 'full', appends: [append] });
  }
  clock.advance(1_000);
  await one.close();
  await other.close();
  await workspace.verified();
});

test('the last process to exit updates the mirror', async () => {
  const workspace = Workspace.trusted();
  const [first, second] = [new Gate(), new Gate()];
  configure(workspace, first);
  const early = workspace.start('do', 'read README.md');
  await first.reached();
  configure(workspace, second);
  const late = workspace.start('do', 'read src/beds.ts');
  await second.reached();
  await first.open();
  await early.ended;
  await second.open();
  await late.ended;
  expect(workspace.count('run.completed')).toBe(2);
});

test('an approval that two users decide at the same time is decided once', async () => {
  const workspace = Workspace.trusted();
  const { data } = await workspace.answer('do', 'write notes.txt');
  const approval = data.run.waitingFor?.approval as string;
  const ended = await Promise.all(
    ['one', 'two'].map((answer) =>
      workspace.oka('approvals', 'approve', approval, '--answer', answer, '--json'),
    ),
  );
  const [winner, ...others] = ended.filter((each) => each.exitCode === 0);
  expect(others).toEqual([]);
  const loser = ended.find((each) => each !== winner);
  expect(toRefusal(loser as never).error.code).toMatch(/^engine\.(approval_decided|run_owned)$/);
  expect(['one', 'two']).toContain(workspace.text('notes.txt'));
  await workspace.verified();
  expect(workspace.count('question.answered')).toBe(1);
});
