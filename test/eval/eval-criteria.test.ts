import { expect, test } from 'vitest';
import type { EvalResult } from '../../src/api/index.ts';
import { defineGraph } from '../support/graph-kit.ts';
import { RecordedWorld } from './recorded-world.ts';

const NOT_OFFLINE = 'not checked offline; use --live';

/** Changes the acceptance of a case, as a person does who edits the file. */
function accept(world: RecordedWorld, name: string, ...conditions: readonly unknown[]): void {
  const path = `evals/${name}.json`;
  const one = JSON.parse(world.text(path)) as { acceptance: unknown[] };
  world.put(path, JSON.stringify({ ...one, acceptance: conditions }));
}

async function offline(world: RecordedWorld, name: string): Promise<EvalResult> {
  const { results } = await world.oka.evals.run({ cases: [name], live: false, junit: false });
  return results[0] as EvalResult;
}

const holding = ({ acceptance }: EvalResult) => acceptance.map(({ holds }) => holds);

const files = (path: string, text: string) => ({ criterion: { file_contains: { path, text } } });
const exists = (path: string) => ({ criterion: { file_exists: path } });

test('criteria for files are checked offline on the files that the replayed run leaves', async () => {
  const world = await RecordedWorld.open();
  world.put('beds.json', '{"beds":3}');
  world.put('old.txt', 'old');
  const step = (id: string, tool: string, args: object, next: string) => ({
    ...{ node_id: id, type: 'tool', tool: `files.${tool}`, args, next },
  });
  const graph = (count: string) =>
    defineGraph(
      [
        { node_id: 'start', type: 'start', next: 'a' },
        step('a', 'edit', { path: 'beds.json', old: '3', new: count }, 'b'),
        step('b', 'move', { from: 'old.txt', to: 'new/moved.txt' }, 'c'),
        step('c', 'write', { path: 'log.txt', content: 'done' }, 'd'),
        step('d', 'delete', { path: 'log.txt' }, 'end'),
        { node_id: 'end', type: 'end' },
      ],
      { id: 'changes' },
    );
  world.put('.oka/graphs/changes.json', JSON.stringify(graph('4')));
  const { run } = await world.settle(await world.graph('changes'));
  await world.oka.evals.add({ run: run.id, name: 'changes', replace: false });
  // The workspace of today does not count: neither what the run left, nor what was changed since.
  world.put('beds.json', 'changed');
  world.put('old.txt', 'back again');
  const count = { path: 'beds.json', json_path: 'beds', equals: 4 };
  accept(
    world,
    'changes',
    { criterion: { json_path_equals: count } },
    files('new/moved.txt', 'old'),
    exists('old.txt'),
    exists('log.txt'),
    exists('README.md'),
  );
  const result = await offline(world, 'changes');
  expect(holding(result)).toEqual([true, true, false, false, null]);
  expect(result.acceptance[2]?.why).toContain('does not exist');
  expect(result.acceptance[4]?.why).toContain(NOT_OFFLINE);
  expect(result).toMatchObject({ passed: false, divergences: [] });

  accept(world, 'changes', { criterion: { json_path_equals: count } }, exists('new/moved.txt'));
  expect(await offline(world, 'changes')).toMatchObject({ passed: true });
  world.put('.oka/graphs/changes.json', JSON.stringify(graph('5')));
  const changed = await offline(world, 'changes');
  expect(changed.divergences.map(({ kind }) => kind)).toEqual(['decision']);
  expect(changed.acceptance).toMatchObject([
    { holds: false, why: expect.stringContaining('5') },
    { holds: true },
  ]);
});

test('a criterion that a file no longer meets fails the case also when the new decisions are accepted', async () => {
  const world = await RecordedWorld.open();
  const { run } = await world.graph('each', { words: [{ word: 'one' }] });
  await world.oka.evals.add({ run: run.id, name: 'each', replace: false });
  accept(world, 'each', { ends: 'completed' }, exists('word.txt'));
  expect(await offline(world, 'each')).toMatchObject({ passed: true });
  const graph = world.text('.oka/graphs/keep.json');
  world.put('.oka/graphs/keep.json', graph.replace('"word.txt"', '"words.txt"'));
  await world.oka.evals.update(['each']);
  const result = await offline(world, 'each');
  expect(result).toMatchObject({ passed: false, divergences: [] });
  expect(holding(result)).toEqual([true, false]);
});

test('criteria that need a program, a model or unknown files are never reported as held', async () => {
  const world = await RecordedWorld.open();
  const tasks = await world.settle(await world.do('write two notes', { autonomy: 'guided' }), {
    children: true,
  });
  await world.oka.evals.add({ run: tasks.run.id, name: 'tasks', replace: false });
  const added = await offline(world, 'tasks');
  expect(holding(added)).toEqual([true, true, true]);
  const command = { criterion: { command_exits_zero: { argv: ['true'] } } };
  accept(
    world,
    'tasks',
    command,
    { criterion: { judge: 'it is good' } },
    { criterion: { task_completed: true } },
  );
  const { results, junit } = await world.oka.evals.run({ cases: ['tasks'], live: false, junit: true });
  expect(results[0]?.acceptance).toEqual([
    { criterion: expect.any(String), holds: null, why: 'not checked: an eval runs no commands' },
    { criterion: '{"judge":"it is good"}', holds: null, why: NOT_OFFLINE },
    { criterion: '{"task_completed":true}', holds: true },
  ]);
  expect(results[0]?.passed).toBe(true);
  expect(junit).toContain(`<system-out>`);
  expect(junit).toContain(NOT_OFFLINE);

  // A program may change any file, so what was written before it is not known after it.
  const write = { tool: 'files.write', input: { path: 'before.md', content: 'x' } };
  const turns = [
    { once: true, tool_calls: [write, { tool: 'process.run', input: { argv: ['cat', 'a.txt'] } }] },
    { once: true, tool_calls: [{ tool: 'files.write', input: { path: 'after.md', content: 'x' } }] },
    { text: 'Done.' },
  ];
  world.put('scripts/runner.json', JSON.stringify({ turns }));
  await world.reopen();
  const ran = await world.settle(await world.do('run it', { agent: 'runner' }));
  await world.oka.evals.add({ run: ran.run.id, name: 'ran', replace: false });
  accept(world, 'ran', exists('before.md'), exists('after.md'));
  expect(holding(await offline(world, 'ran'))).toEqual([null, true]);
});

test('a live eval lets the model judge what no program can check', async () => {
  const world = await RecordedWorld.open();
  const { run } = await world.do('write it down', { agent: 'writer' });
  await world.oka.evals.add({ run: run.id, name: 'writer', replace: false });
  const refused = { criterion: { no_policy_violation: true } };
  accept(world, 'writer', { criterion: { judge: 'there are peas' } }, exists('notes/written.md'), refused);
  const live = async (met: boolean) => {
    const script = JSON.parse(world.text('scripts/writer.json')) as { turns: { role?: string }[] };
    const turns = script.turns.filter(({ role }) => role !== 'critic');
    const verdict = { role: 'critic', json: { met, evidence: 'the note says so' } };
    world.put('scripts/writer.json', JSON.stringify({ turns: [verdict, ...turns] }));
    await world.reopen();
    const { results } = await world.oka.evals.run({ cases: ['writer'], live: true, junit: false });
    return results[0] as EvalResult;
  };
  const met = await live(true);
  expect(holding(met)).toEqual([true, true, true]);
  expect(met.figures?.live.modelCalls).toBe(4);
  expect(met.figures?.live.steps).toBe(met.figures?.recorded.steps);
  const unmet = await live(false);
  expect(unmet.acceptance[0]).toMatchObject({ holds: false, why: 'the note says so' });
  expect(unmet.passed).toBe(false);
});
