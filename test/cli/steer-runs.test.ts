import { expect, test } from 'vitest';
import type { ExplainAnswer, UndoAnswer } from '../../src/api/index.ts';
import { BRIEF, Workspace } from './oka-process.ts';

const WAIT = 'wait for the event "go"';

test('undo restores the previous content, and fails if the file has changed since', async () => {
  const workspace = Workspace.trusted({ files: { 'BRIEF.md': 'mine\n', 'README.md': '# Garden\n' } });
  const { data } = await workspace.answer('do', BRIEF);
  expect(workspace.text('BRIEF.md')).not.toBe('mine\n');
  workspace.put('BRIEF.md', 'edited later\n');

  const refused = await workspace.answer<UndoAnswer>('runs', 'undo', data.run.id);
  expect(refused).toMatchObject({ exitCode: 1, data: { run: data.run.id, changes: [{ restored: false }] } });
  expect(refused.data.changes[0]?.what).toMatch(/changed after the run.+--force/);
  expect(workspace.text('BRIEF.md')).toBe('edited later\n');

  const forced = await workspace.oka('runs', 'undo', data.run.id, '--force');
  expect(forced).toMatchObject({ exitCode: 0, stdout: '✓ restored BRIEF.md\n' });
  expect(forced.stderr).toMatch(/^run \w{6}: write a brief/);
  expect(workspace.text('BRIEF.md')).toBe('mine\n');
  await workspace.verified();
});

test('undo removes created files and folders, and reports when nothing is left to undo', async () => {
  const workspace = Workspace.trusted();
  const { data } = await workspace.answer('do', 'write a brief of this folder to made/by/BRIEF.md');
  expect(workspace.has('made/by/BRIEF.md')).toBe(true);
  expect(await workspace.oka('runs', 'undo', data.run.id)).toMatchObject({ exitCode: 0 });
  expect(workspace.has('made')).toBe(false);
  expect(await workspace.refusal('runs', 'undo', data.run.id)).toMatchObject({
    exitCode: 3,
    error: { code: 'engine.nothing_to_undo' },
  });

  const { data: reading } = await workspace.answer('do', 'read README.md');
  expect(await workspace.refusal('runs', 'undo', reading.run.id)).toMatchObject({
    exitCode: 3,
    error: { code: 'engine.nothing_to_undo' },
  });
});

test('a correction is recorded and shown by explain', async () => {
  const workspace = Workspace.trusted();
  const { data } = await workspace.answer('do', BRIEF);
  expect(await workspace.oka('runs', 'correct', data.run.id, 'the beds are four')).toMatchObject({
    exitCode: 0,
    stdout: 'Recorded\n',
  });
  const { data: explained } = await workspace.answer<ExplainAnswer>('runs', 'explain', data.run.id);
  expect(explained.notes.map((note) => note.what).join()).toContain('corrected: the beds are four');
});

test('fork starts a new run at a step of an old one, which stays unchanged', async () => {
  const workspace = Workspace.trusted();
  const { data: first } = await workspace.answer('do', BRIEF);
  workspace.put('later.ts', 'export {};\n');
  const { exitCode, data } = await workspace.answer(
    'runs',
    'fork',
    first.run.id,
    '--step',
    '2',
    '--vars',
    '{"a":1}',
  );
  expect(exitCode).toBe(0);
  expect(data.run).toMatchObject({ status: 'completed', forkedFrom: { run: first.run.id, step: 2 } });
  expect(data.run.id).not.toBe(first.run.id);
  expect(data.output).toMatchObject({ files: 4 });
  expect((await workspace.answer('runs', 'show', first.run.id)).data).toEqual(first);
  await workspace.verified();

  expect(await workspace.refusal('runs', 'fork', first.run.id, '--step', '99')).toMatchObject({
    exitCode: 3,
  });
  expect(await workspace.refusal('runs', 'fork', first.run.id, '--step', '2', '--vars', '{')).toMatchObject({
    exitCode: 3,
    error: { code: 'cli.invalid_json' },
  });
  expect(await workspace.refusal('runs', 'fork', first.run.id, '--step', '2', '--vars', '[1]')).toMatchObject(
    {
      exitCode: 3,
    },
  );
});

test('a run that waits for an event continues when the event is sent', async () => {
  const workspace = Workspace.trusted();
  const { exitCode, data } = await workspace.answer('do', WAIT);
  expect(exitCode).toBe(0);
  const { id, waitingFor } = data.run;
  expect(data.run.status).toBe('waiting');
  expect(waitingFor).toMatchObject({ what: 'event', next: `oka runs signal ${id} go` });

  const other = await workspace.answer('runs', 'signal', id, 'stop', '1');
  expect(other.data.run.status).toBe('waiting');
  const done = await workspace.answer('runs', 'signal', id, 'go', '{"beds":4}');
  expect(done).toMatchObject({ exitCode: 0, data: { run: { status: 'completed' }, output: { beds: 4 } } });
  expect(await workspace.refusal('runs', 'signal', id, 'go')).toMatchObject({
    exitCode: 3,
    error: { code: 'engine.run_ended' },
  });
});

test('a paused run stays paused until it is resumed', async () => {
  const workspace = Workspace.trusted();
  const { data } = await workspace.answer('do', WAIT);
  const { id } = data.run;
  const paused = await workspace.answer('runs', 'pause', id);
  expect(paused).toMatchObject({ exitCode: 0, data: { run: { status: 'paused' } } });
  const shown = await workspace.oka('runs', 'show', id);
  expect(shown.stdout).toContain(`next      oka runs resume ${id.slice(-6)}`);

  const signalled = await workspace.answer('runs', 'signal', id, 'go', '"early"');
  expect(signalled).toMatchObject({ exitCode: 0, data: { run: { status: 'paused' } } });
  const resumed = await workspace.answer('runs', 'resume', id);
  expect(resumed).toMatchObject({ exitCode: 0, data: { run: { status: 'completed' }, output: 'early' } });
  expect(await workspace.refusal('runs', 'pause', id)).toMatchObject({
    exitCode: 3,
    error: { code: 'engine.run_ended' },
  });
  await workspace.verified();
});

test('a cancelled run has ended, and resuming it starts a new run from its last step', async () => {
  const workspace = Workspace.trusted();
  const { data } = await workspace.answer('do', WAIT);
  const { id } = data.run;
  const cancelled = await workspace.answer('runs', 'cancel', id, '--reason', 'not now');
  expect(cancelled).toMatchObject({
    exitCode: 0,
    data: { run: { status: 'cancelled', failure: { code: 'engine.cancelled', message: 'not now' } } },
  });
  const resumed = await workspace.oka('runs', 'resume', id);
  expect(resumed.stderr).toContain('waits for the event go');
  expect(resumed.stderr).not.toContain('● intake');
  expect(resumed.stderr).toMatch(new RegExp(`Run \\S+ continues ${id.slice(-6)}\\.`));
  expect((await workspace.answer('runs', 'show', id)).data.run.status).toBe('cancelled');
});
