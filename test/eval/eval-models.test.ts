import { expect, test } from 'vitest';
import { RecordedWorld } from './recorded-world.ts';

const PROCEDURE = (title: string) =>
  `---\ntriggers:\n  - write two notes\nsteps:\n  - title: ${title}\n---\nFor notes.\n`;

test('a changed model and a changed written procedure are found, and nothing else is reported', async () => {
  const world = await RecordedWorld.open();
  world.put('.oka/procedures/notes.md', PROCEDURE('write the first note'));
  const recorded = {
    writer: await world.do('write it down', { agent: 'writer' }),
    tasks: await world.settle(await world.do('write two notes', { autonomy: 'guided' }), { children: true }),
    asks: await world.settle(await world.graph('asks', { bed: 'peas' }), { answer: 'yes' }),
    rules: await world.do('read a.txt', { model: 'none' }),
  };
  for (const [name, { run }] of Object.entries(recorded))
    await world.oka.evals.add({ run: run.id, name, replace: false });
  const diverging = async () => {
    const { results } = await world.oka.evals.run({ cases: [], live: false, junit: false });
    return Object.fromEntries(
      results.flatMap(({ name, passed, divergences, error }) =>
        passed ? [] : [[name, error?.message ?? divergences.map(({ kind, diff }) => [kind, ...diff])]],
      ),
    );
  };
  expect(await diverging()).toEqual({});

  world.put('.oka/procedures/notes.md', PROCEDURE('write another note'));
  const procedure = await diverging();
  expect(Object.keys(procedure)).toEqual(['tasks']);
  expect((procedure['tasks'] as string[][]).map(([kind]) => kind)).toEqual(['prompt']);
  world.put('.oka/procedures/notes.md', PROCEDURE('write the first note'));
  expect(await diverging()).toEqual({});

  const agent = world.text('.oka/agents/writer.md');
  const other = agent.replace(/provider: scripted\nscript: .*\n/, 'provider: openai\nmodel: gpt-4.1\n');
  world.put('.oka/agents/writer.md', other);
  const changed = [['model', 'model: scripted/agent:writer → openai/gpt-4.1']];
  expect(await diverging()).toEqual({ writer: changed });
  // The change is accepted like any other.
  await world.oka.evals.update(['writer']);
  expect(await diverging()).toEqual({});
  world.put('.oka/agents/writer.md', agent);
  expect(Object.keys(await diverging())).toEqual(['writer']);
  world.put('.oka/agents/writer.md', other);

  const config = JSON.parse(world.text('.oka/config.json')) as { models: object };
  const models = { ...config.models, far: { provider: 'openai', model: 'gpt-5' } };
  world.put('.oka/config.json', JSON.stringify({ ...config, models, default_model: 'far' }));
  await world.oka.trust.approve({ digest: (await world.oka.trust.show()).digest });
  await world.reopen();
  const found = [['model', 'model: scripted/planner → openai/gpt-5']];
  expect(await diverging()).toEqual({ tasks: found, asks: found });
});
