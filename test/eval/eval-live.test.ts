import { expect, test } from 'vitest';
import type { EvalResult } from '../../src/api/index.ts';
import { RecordedWorld } from './recorded-world.ts';
import { SHAPES } from './run-shapes.ts';

const call = (tool: string, input: unknown) => ({ once: true, tool_calls: [{ tool, input }] });

test('a live eval asks the model, makes no effects, and compares criteria, steps and cost', async () => {
  const world = await RecordedWorld.open();
  const tasks = await world.settle(await world.do('write two notes', { autonomy: 'guided' }), {
    children: true,
  });
  const runner = await world.settle(await world.do('run it', { agent: 'runner' }));
  await world.oka.evals.add({ run: tasks.run.id, name: 'tasks', replace: false });
  await world.oka.evals.add({ run: runner.run.id, name: 'runner', replace: false });
  const before = await world.oka.runs.list({ limit: 100 });
  const live = async (name: string): Promise<EvalResult> =>
    (await world.oka.evals.run({ cases: [name], live: true, junit: false })).results[0] as EvalResult;

  expect(await live('tasks')).toMatchObject({
    passed: true,
    acceptance: [
      { criterion: 'the run is completed', holds: true },
      { criterion: 'one: {"file_exists":"one.md"}', holds: true },
      { criterion: 'two: {"file_exists":"two.md"}', holds: true },
    ],
    figures: { recorded: { status: 'completed' }, live: { status: 'completed' } },
  });
  // The same call is answered from the record, with the approval of the record.
  const same = await live('runner');
  expect(same).toMatchObject({ passed: true, figures: { live: { modelCalls: 2 } } });
  expect(same.figures?.live.steps).toBe(same.figures?.recorded.steps);

  // Another call has no recorded outcome: it is denied, and nothing runs.
  world.put(
    'scripts/runner.json',
    JSON.stringify({
      turns: [
        call('process.run', { argv: ['touch', 'made.txt'] }),
        call('files.write', { path: 'new.md', content: 'x' }),
        { text: 'Done.' },
      ],
    }),
  );
  await world.reopen();
  const other = await live('runner');
  expect(other).toMatchObject({ passed: true, figures: { live: { status: 'completed', modelCalls: 3 } } });
  for (const path of ['made.txt', 'new.md']) expect(() => world.text(path)).toThrow(/ENOENT/);

  // A model that gives up does not meet the criteria.
  world.put('scripts/runner.json', JSON.stringify({ turns: [{ error: 'refused' }] }));
  await world.reopen();
  expect(await live('runner')).toMatchObject({
    passed: false,
    acceptance: [{ criterion: 'the run is completed', holds: false }],
  });
  expect(await world.oka.runs.list({ limit: 100 })).toEqual(before);
});

test('a case contains no secret, and a run whose content was erased is refused', async () => {
  const world = await RecordedWorld.open();
  const secret = 'wheelbarrow-battery-staple';
  world.put('note.txt', `the key is ${secret}`);
  const { run } = await world.do('read note.txt', { model: 'none' });
  await world.oka.vault.add({
    name: 'door',
    value: secret,
    scopes: [],
    keySource: 'file',
    by: 'ann',
  } as never);
  await world.oka.evals.add({ run: run.id, name: 'note', replace: false });
  expect(world.text('evals/note.json')).toContain('the key is');
  expect(world.text('evals/note.json')).not.toContain(secret);

  await SHAPES['a chat turn']?.(world, 1);
  const turn = (await world.oka.runs.list({ limit: 10 })).find(({ goal }) => goal?.includes('greet'));
  await world.oka.chat.delete('room', 'ann');
  await expect(world.oka.evals.add({ run: turn?.id ?? '', replace: false })).rejects.toMatchObject({
    code: 'eval.erased',
  });
});
