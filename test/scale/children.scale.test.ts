import { expect, it } from 'vitest';
import type { JsonObject } from '../../src/kernel/index.ts';
import { onEachBackend, type ScaleWorld, until } from './scale-world.ts';

type OnError = 'fail' | 'skip' | 'collect';

const tool = (node_id: string, name: string, args: JsonObject, next = 'end'): JsonObject => ({
  ...{ node_id, type: 'tool', tool: name, args, max_retries: 0, next },
});

/** A graph that reads the file of its item; a missing one fails it. */
function readItems(world: ScaleWorld): void {
  for (const name of ['a', 'c']) world.put(`${name}.txt`, name);
  world.graph('read-item', 'read', [tool('read', 'files.read', { path: '{{input.name}}.txt' })]);
}

function mapOver(world: ScaleWorld, id: string, names: readonly string[], on_error: OnError): void {
  const items = names.map((name) => ({ name }));
  world.graph(id, 'all', [
    { node_id: 'all', type: 'map', items, graph: 'read-item', concurrency: 2, on_error, next: 'end' },
  ]);
}

onEachBackend((world) => {
  it('fails with the first failed item of a map by default', async () => {
    readItems(world());
    mapOver(world(), 'map-fail', ['a', 'missing', 'c'], 'fail');
    expect(await world().run('map-fail')).toMatchObject({ status: 'failed' });
    await until(async () =>
      (await world().oka.runs.list({ status: 'running', limit: 10 })).length === 0 ? true : undefined,
    );
  });

  it('leaves failed items of a map out', async () => {
    readItems(world());
    mapOver(world(), 'map-skip', ['a', 'missing', 'c'], 'skip');
    const { status, output } = await world().run('map-skip');
    expect(status).toBe('completed');
    expect(output).toMatchObject([{ content: 'a' }, { content: 'c' }]);
  });

  it('puts the errors of failed items into the list, in the order of the items', async () => {
    readItems(world());
    mapOver(world(), 'map-collect', ['a', 'missing', 'c'], 'collect');
    const { status, output } = await world().run('map-collect');
    expect(status).toBe('completed');
    expect(output).toMatchObject([
      { status: 'completed', output: { content: 'a' } },
      { status: 'failed', failure: { code: 'files.not_found' } },
      { status: 'completed', output: { content: 'c' } },
    ]);
  });

  it('runs no more items at once than the map allows', async () => {
    // A drive that lost its connection is repeated, so an item may be requested again before its first request has ended.
    const active: string[] = [];
    let most = 0;
    world().onEffect = async (path) => {
      active.push(path);
      most = Math.max(most, new Set(active).size);
      await new Promise((resolve) => setTimeout(resolve, 30));
      active.splice(active.indexOf(path), 1);
    };
    world().graph('ask-item', 'ask', [tool('ask', 'http.fetch', { url: `${world().counter}{{input.n}}` })]);
    const items = [1, 2, 3, 4, 5, 6].map((n) => ({ n: String(n) }));
    world().graph('narrow', 'all', [
      { node_id: 'all', type: 'map', items, graph: 'ask-item', concurrency: 2, next: 'end' },
    ]);
    expect(await world().run('narrow')).toMatchObject({ status: 'completed' });
    expect(most).toBeLessThanOrEqual(2);
    world().onEffect = () => undefined;
  });

  it('runs a map in each item of a map', async () => {
    readItems(world());
    mapOver(world(), 'inner', ['a', 'c'], 'fail');
    world().graph('outer', 'all', [
      { node_id: 'all', type: 'map', items: [{}, {}, {}], graph: 'inner', concurrency: 3, next: 'end' },
    ]);
    const { status, output } = await world().run('outer');
    expect(status).toBe('completed');
    const inner = [{ content: 'a' }, { content: 'c' }];
    expect(output).toMatchObject([inner, inner, inner]);
  });

  it('runs a graph in a graph, and takes the error branch when it fails', async () => {
    readItems(world());
    world().graph('sub', 'child', [
      { node_id: 'child', type: 'subgraph', graph: 'read-item', on_error: 'other', next: 'end' },
      { node_id: 'other', type: 'transform', expression: "{'other': true}", next: 'end' },
    ]);
    expect(await world().run('sub', { name: 'a' })).toMatchObject({
      status: 'completed',
      output: { content: 'a' },
    });
    expect(await world().run('sub', { name: 'missing' })).toMatchObject({
      status: 'completed',
      output: { other: true },
    });
  });

  it('waits for the answers that its children ask for, and joins their outputs', async () => {
    world().graph('ask-item-question', 'q', [
      { node_id: 'q', type: 'approval', question: 'Which colour?', options: ['red', 'blue'], next: 'end' },
    ]);
    world().graph('asking-children', 'all', [
      {
        ...{ node_id: 'all', type: 'map', items: [{}, {}], graph: 'ask-item-question' },
        ...{ concurrency: 2, next: 'end' },
      },
    ]);
    const { oka } = world();
    const run = await world().run('asking-children');
    expect(run.status).toBe('waiting');
    const asked = await until(async () => {
      const open = await oka.approvals.list({ status: 'pending' });
      return open.length === 2 ? open : undefined;
    });
    for (const { run: id } of asked) await oka.approvals.approve({ id, by: 'ann', answer: 'blue' }, 0);
    const ended = await until(async () => {
      if (!world().isCluster) await oka.runs.resume(resuming(run.id));
      const shown = await oka.runs.show(run.id);
      return shown.run.status === 'completed' ? shown : undefined;
    });
    expect(JSON.stringify(ended)).toContain('blue');
  });

  it('completes a map whose items wait for a time', async () => {
    world().graph('nap', 'pause', [{ node_id: 'pause', type: 'wait', seconds: 0.3, next: 'end' }]);
    world().graph('naps', 'all', [
      { node_id: 'all', type: 'map', items: [{}, {}, {}], graph: 'nap', concurrency: 3, next: 'end' },
    ]);
    expect(await world().run('naps')).toMatchObject({ status: 'completed' });
  });

  it('lets agents in parallel items answer', async () => {
    world().agent('bob', [{ text: 'Red.' }]);
    world().graph('ask-bob', 'ask', [
      { node_id: 'ask', type: 'agent', agent: 'bob', goal: 'Say a colour.', next: 'end' },
    ]);
    world().graph('ask-bobs', 'all', [
      { node_id: 'all', type: 'map', items: [{}, {}, {}], graph: 'ask-bob', concurrency: 3, next: 'end' },
    ]);
    const { status, output } = await world().run('ask-bobs');
    expect(status).toBe('completed');
    expect(JSON.stringify(output).match(/Red\./g)).toHaveLength(3);
  });

  it('keeps the state of a graph for its next run', async () => {
    world().graph('count', 'read', [
      { node_id: 'read', type: 'read_state', key: 'seen', default: 0, next: 'add' },
      {
        node_id: 'add',
        type: 'transform',
        input: { before: '{{read.value}}' },
        expression: "{'after': before + 1}",
        next: 'write',
      },
      { node_id: 'write', type: 'write_state', key: 'seen', value: '{{add.after}}', next: 'end' },
    ]);
    for (let n = 1; n <= 3; n += 1) expect(await world().run('count')).toMatchObject({ status: 'completed' });
    expect(await world().oka.graphs.state.get('count', 'seen')).toMatchObject({ value: 3 });
  });
});

function resuming(run: string) {
  return { run, by: 'ann', repin: false, addBudgets: {}, patienceMs: 0 };
}
