import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { EvalResult } from '../../src/api/index.ts';
import { RecordedWorld } from './recorded-world.ts';

interface Cases {
  readonly world: RecordedWorld;
  /** The names of the cases that diverge, with the kinds of their divergences. */
  diverging(): Promise<Readonly<Record<string, readonly string[]>>>;
  result(name: string): Promise<EvalResult>;
}

/** A case of an agent with a model, one of another agent, one of a graph with children, and one planned by rules. */
async function recordedCases(): Promise<Cases> {
  const world = await RecordedWorld.open();
  world.put('AGENTS.md', 'Write short notes.\n');
  const recorded = {
    writer: await world.do('write it down', { agent: 'writer' }),
    runner: await world.settle(await world.do('run it', { agent: 'runner' })),
    each: await world.graph('each', { words: [{ word: 'one' }, { word: 'two' }] }),
    rules: await world.do('read a.txt', { model: 'none' }),
    tasks: await world.settle(await world.do('write two notes', { autonomy: 'guided' }), { children: true }),
  };
  for (const [name, { run }] of Object.entries(recorded))
    await world.oka.evals.add({ run: run.id, name, replace: false });
  const run = async (cases: readonly string[]) =>
    (await world.oka.evals.run({ cases, live: false, junit: false })).results;
  return {
    world,
    diverging: async () =>
      Object.fromEntries(
        (await run([])).flatMap(({ name, passed, divergences, error }) =>
          passed
            ? []
            : [[name, [...new Set(error ? [error.message] : divergences.map(({ kind }) => kind))].sort()]],
        ),
      ),
    result: async (name) => (await run([name]))[0] as EvalResult,
  };
}

test('finds a changed prompt, graph, policy and instruction, and reports nothing else', async () => {
  const { world, diverging, result } = await recordedCases();
  const runsBefore = await world.oka.runs.list({ limit: 1_000 });
  const verified = await world.oka.ledger.verify({ full: true });
  expect(await diverging()).toEqual({});

  const agent = world.text('.oka/agents/writer.md');
  world.put('.oka/agents/writer.md', agent.replace('You are writer.', 'You are writer. Be brief.'));
  expect(await diverging()).toEqual({ writer: ['prompt'] });
  const prompt = await result('writer');
  expect(prompt.divergences).toHaveLength(1);
  expect(prompt.divergences[0]).toMatchObject({ kind: 'prompt', repeated: 2 });
  expect(prompt.divergences[0]?.diff).toEqual([
    'the system prompt',
    '- You are writer.',
    '+ You are writer. Be brief.',
  ]);
  world.put('.oka/agents/writer.md', agent);
  expect(await diverging()).toEqual({});

  const graph = world.text('.oka/graphs/keep.json');
  world.put('.oka/graphs/keep.json', graph.replace('"word.txt"', '"words.txt"'));
  expect(await diverging()).toEqual({ each: ['decision'] });
  const changed = await result('each');
  expect(changed.changes.join('\n')).toContain('graph keep:');
  expect(changed.divergences.flatMap(({ diff }) => diff)).toContain('input.path: "word.txt" → "words.txt"');
  world.put('.oka/graphs/keep.json', graph);
  expect(await diverging()).toEqual({});

  const policy = '| match | decision | why |\n|---|---|---|\n| process.run | deny | not here |\n';
  world.put('POLICY.md', policy);
  expect(await diverging()).toEqual({ runner: ['policy'] });
  expect((await result('runner')).divergences[0]).toMatchObject({
    expected: 'allow',
    actual: 'deny',
    diff: [expect.stringContaining('policy: allow → deny')],
  });
  rmSync(join(world.root, 'POLICY.md'));
  expect(await diverging()).toEqual({});

  world.put('AGENTS.md', 'Write long notes.\n');
  expect(await diverging()).toEqual({ writer: ['prompt'], runner: ['prompt'], tasks: ['prompt'] });
  world.put('AGENTS.md', 'Write short notes.\n');
  expect(await diverging()).toEqual({});

  rmSync(join(world.root, '.oka/agents/writer.md'));
  expect(await diverging()).toEqual({ writer: ['missing'] });
  world.put('.oka/agents/writer.md', agent);

  expect(await world.oka.runs.list({ limit: 1_000 })).toEqual(runsBefore);
  expect(await world.oka.ledger.verify({ full: true })).toEqual(verified);
});

test('update accepts the current decisions; facts, files and later runs change no case', async () => {
  const { world, diverging } = await recordedCases();
  await world.oka.memory.addFact({ text: 'notes are written on Monday', by: 'ann' } as never);
  await world.do('write it down', { agent: 'writer' });
  world.put('a.txt', 'changed');
  expect(await diverging()).toEqual({});
  const graph = world.text('.oka/graphs/keep.json');
  world.put('.oka/graphs/keep.json', graph.replace('"word.txt"', '"words.txt"'));
  expect(await diverging()).toEqual({ each: ['decision'] });
  const { updated } = await world.oka.evals.update(['each', 'rules']);
  expect(updated).toMatchObject([{ name: 'each' }, { name: 'rules', decisions: 0 }]);
  expect(updated[0]?.decisions).toBeGreaterThan(0);
  expect(await diverging()).toEqual({});
  world.put('.oka/graphs/keep.json', graph);
  expect(await diverging()).toEqual({ each: ['decision'] });
});
