import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { WorkspaceFolder } from '../../src/adapters/workspace/index.ts';
import type { ApprovalView, ExplainAnswer } from '../../src/api/index.ts';
import { onOwnProcess } from '../support/server-environment.ts';
import { Workspace } from './oka-process.ts';
import { askLongAgo, parkBeforeWriting } from './park-runs.ts';

const QUESTION = 'files.write needs "content": the whole new content. What should it be?';
const WRITE = 'write "four beds" to beds.txt';

async function approvals(workspace: Workspace, ...args: string[]): Promise<readonly ApprovalView[]> {
  const { exitCode, data } = await workspace.answer<{ approvals: ApprovalView[] }>(
    'approvals',
    'list',
    ...args,
  );
  expect(exitCode).toBe(0);
  return data.approvals;
}

test('a question without a terminal exits with 4, and an answer continues the run', async () => {
  const workspace = Workspace.trusted();
  const { exitCode, data } = await workspace.answer('do', 'write notes.txt');
  expect(exitCode).toBe(4);
  const { id, status, waitingFor } = data.run;
  expect(status).toBe('waiting');
  const approval = waitingFor?.approval as string;
  expect(waitingFor).toMatchObject({
    what: 'answer',
    detail: QUESTION,
    next: `oka approvals approve ${approval} --answer …`,
    approval,
  });
  expect(await approvals(workspace)).toEqual([
    expect.objectContaining({
      id: approval,
      run: id,
      kind: 'question',
      question: QUESTION,
      status: 'pending',
      requestedAt: expect.any(Number),
      expiresAt: expect.any(Number),
    }),
  ]);
  expect((await workspace.answer('runs', 'resume', id)).exitCode).toBe(4);
  expect(await workspace.refusal('approvals', 'approve', approval)).toMatchObject({
    exitCode: 3,
    error: { code: 'engine.answer_not_offered' },
  });
  expect(workspace.has('notes.txt')).toBe(false);

  const text = 'Grüße\n\t"quoted" 🌱';
  const done = await workspace.answer('approvals', 'approve', approval, '--answer', text);
  expect(done).toMatchObject({ exitCode: 0, data: { run: { id, status: 'completed' } } });
  expect(workspace.text('notes.txt')).toBe(text);
  expect(await approvals(workspace)).toEqual([]);
  expect(await approvals(workspace, '--all', '--run', id)).toMatchObject([{ status: 'answered' }]);

  for (const again of [
    ['approve', approval, '--answer', 'other'],
    ['deny', approval],
  ]) {
    expect(await workspace.refusal('approvals', ...again)).toMatchObject({
      exitCode: 3,
      error: { code: 'engine.approval_decided' },
    });
  }
  expect(workspace.text('notes.txt')).toBe(text);
  await workspace.verified();
});

test('an answer may be empty, and a denied question ends the run', async () => {
  const workspace = Workspace.trusted();
  const { data: first } = await workspace.answer('do', 'write notes.txt');
  const empty = await workspace.answer(
    'approvals',
    'approve',
    first.run.waitingFor?.approval as string,
    '--answer',
    '',
  );
  expect(empty.data.run.status).toBe('completed');
  expect(workspace.text('notes.txt')).toBe('');

  const { data: second } = await workspace.answer('do', 'write more.txt');
  const asked = second.run.waitingFor?.approval as string;
  const denied = await workspace.answer('approvals', 'deny', asked, '--reason', 'one file is enough');
  expect(denied).toMatchObject({
    exitCode: 0,
    data: {
      run: {
        id: second.run.id,
        status: 'failed',
        failure: {
          code: 'engine.approval_denied',
          message: expect.stringContaining('one file is enough'),
        },
      },
    },
  });
  const { data: shown } = await workspace.answer<{ approval: ApprovalView }>('approvals', 'show', asked);
  expect(shown.approval).toMatchObject({ status: 'denied', reason: 'one file is enough' });
  expect(workspace.has('more.txt')).toBe(false);
});

test('an approval shows its full arguments and is granted once, for these arguments', async () => {
  const workspace = Workspace.trusted();
  const { run, approval } = await parkBeforeWriting(workspace, WRITE);
  const [listed] = await approvals(workspace);
  expect(listed).toEqual(
    expect.objectContaining({
      id: approval,
      run,
      kind: 'tool',
      tool: 'files.write',
      arguments: { path: 'beds.txt', content: 'four beds' },
      argumentsHash: expect.stringMatching(/^[0-9a-f]{64}$/),
      risk: 'low',
      status: 'pending',
      requestedAt: expect.any(Number),
      expiresAt: expect.any(Number),
    }),
  );
  expect(
    (await workspace.answer<{ approval: ApprovalView }>('approvals', 'show', approval)).data.approval,
  ).toEqual(listed);
  const { stdout } = await workspace.oka('approvals', 'show', approval);
  expect(stdout).toContain('"content": "four beds"');
  expect(stdout).toContain('why       a person wants to see every write');

  const other = '0'.repeat(64);
  expect(await workspace.refusal('approvals', 'approve', approval, '--hash', other)).toMatchObject({
    exitCode: 4,
    error: { code: 'engine.approval_mismatch', data: { shown: other, asked: listed?.argumentsHash } },
  });
  expect(await workspace.refusal('approvals', 'approve', approval, '--answer', 'yes')).toMatchObject({
    exitCode: 3,
    error: { code: 'engine.answer_not_offered' },
  });
  expect(workspace.has('beds.txt')).toBe(false);

  const granted = await workspace.answer(
    'approvals',
    'approve',
    approval,
    '--hash',
    listed?.argumentsHash as string,
  );
  expect(granted).toMatchObject({ exitCode: 0, data: { run: { id: run, status: 'completed' } } });
  expect(workspace.text('beds.txt')).toBe('four beds');
  expect(await workspace.refusal('approvals', 'approve', approval)).toMatchObject({
    exitCode: 3,
    error: { code: 'engine.approval_decided' },
  });
  await workspace.verified();
});

test('edited arguments are recorded, and invalid edits are rejected', async () => {
  const workspace = Workspace.trusted();
  const { run, approval } = await parkBeforeWriting(workspace, WRITE);
  expect(await workspace.refusal('approvals', 'approve', approval, '--edit', '{path}')).toMatchObject({
    exitCode: 3,
    error: { code: 'cli.invalid_json' },
  });
  expect(await workspace.refusal('approvals', 'approve', approval, '--edit', '{"path":7}')).toMatchObject({
    exitCode: 3,
    error: { code: 'engine.tool_input_invalid' },
  });
  const edit = JSON.stringify({ path: 'beds.txt', content: 'five beds' });
  const done = await workspace.answer('approvals', 'approve', approval, '--edit', edit);
  expect(done).toMatchObject({ exitCode: 0, data: { run: { status: 'completed' } } });
  expect(workspace.text('beds.txt')).toBe('five beds');
  const { data } = await workspace.answer<ExplainAnswer>('runs', 'explain', run);
  expect(data.actions.flatMap((action) => action.verdicts).join()).toContain('with edited arguments');
});

test('a denied approval fails the run, and nothing is written', async () => {
  const workspace = Workspace.trusted();
  const { run, approval } = await parkBeforeWriting(workspace, WRITE);
  const denied = await workspace.oka('approvals', 'deny', approval);
  expect(denied.exitCode).toBe(0);
  expect(denied.stdout).toContain('(engine.approval_denied)');
  expect(workspace.has('beds.txt')).toBe(false);
  expect((await workspace.answer('runs', 'show', run)).data.run.status).toBe('failed');
  expect(await approvals(workspace, '--all')).toMatchObject([{ status: 'denied' }]);
  await workspace.verified();
});

test('a remembered approval is stored in OKA_HOME, for this workspace only', async () => {
  const workspace = Workspace.trusted();
  const { approval } = await parkBeforeWriting(workspace, WRITE);
  expect((await workspace.answer('approvals', 'approve', approval, '--remember', 'exact')).exitCode).toBe(0);
  const { id, inode } = new WorkspaceFolder(workspace.root).identity();
  const folder = join(workspace.home, 'grants', `${id}.${inode}`);
  const grants = readdirSync(folder).map((name) => JSON.parse(readFileSync(join(folder, name), 'utf8')));
  expect(grants).toMatchObject([
    {
      tool: 'files.write',
      argumentsHash: expect.stringMatching(/^[0-9a-f]{64}$/),
      expiresAt: expect.any(Number),
    },
  ]);
  expect(readdirSync(join(workspace.home, 'grants'))).toHaveLength(1);
});

onOwnProcess('an undecided approval expires and fails the run', async () => {
  const workspace = Workspace.trusted();
  const { run, approval } = await askLongAgo(workspace, 'write notes.txt');
  expect(await approvals(workspace)).toMatchObject([{ id: approval, status: 'expired' }]);
  expect((await workspace.oka('approvals', 'show', approval)).stdout).toContain(`${approval} (expired)`);
  expect(await workspace.refusal('approvals', 'approve', approval, '--answer', 'late')).toMatchObject({
    exitCode: 4,
    error: { code: 'engine.approval_expired' },
  });
  expect((await workspace.answer('runs', 'show', run)).data.run).toMatchObject({
    status: 'failed',
    failure: { code: 'engine.approval_expired' },
  });
  expect(await approvals(workspace)).toEqual([]);
  expect(workspace.has('notes.txt')).toBe(false);

  const { run: other } = await askLongAgo(workspace, 'write more.txt');
  const resumed = await workspace.answer('runs', 'resume', other);
  expect(resumed).toMatchObject({
    exitCode: 4,
    data: { run: { status: 'failed', failure: { code: 'engine.approval_expired' } } },
  });
  await workspace.verified();
});

test('a paused run accepts an answer and stays paused', async () => {
  const workspace = Workspace.trusted();
  const { data } = await workspace.answer('do', 'write notes.txt');
  await workspace.answer('runs', 'pause', data.run.id);
  const answered = await workspace.answer(
    'approvals',
    'approve',
    data.run.waitingFor?.approval as string,
    '--answer',
    'x',
  );
  expect(answered).toMatchObject({ exitCode: 0, data: { run: { status: 'paused' } } });
  expect(workspace.has('notes.txt')).toBe(false);
  expect(await workspace.answer('runs', 'resume', data.run.id)).toMatchObject({
    exitCode: 0,
    data: { run: { status: 'completed' } },
  });
  expect(workspace.text('notes.txt')).toBe('x');
});
