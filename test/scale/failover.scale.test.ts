import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { isOkaError } from '../../src/kernel/index.ts';
import { onClusters, type ScaleWorld, until } from './scale-world.ts';

/** A graph that writes files before and after one request. */
function aroundRequest(world: ScaleWorld, id: string, method: 'PUT' | 'GET'): void {
  const write = (name: string, next: string) => ({
    node_id: name,
    type: 'tool',
    tool: 'files.write',
    args: { path: `${id}/${name}.txt`, content: name },
    next,
  });
  const request = { type: 'tool', tool: 'http.fetch', args: { method, url: `${world.counter}${id}` } };
  world.graph(id, 'one', [
    write('one', 'two'),
    write('two', 'request'),
    { node_id: 'request', ...request, next: 'four' },
    write('four', 'five'),
    write('five', 'end'),
  ]);
}

function written(world: ScaleWorld, id: string): readonly string[] {
  return readdirSync(join(world.workspace, id)).sort();
}

const ALL = ['five.txt', 'four.txt', 'one.txt', 'two.txt'];

/** Runs a graph, and approves the request that changes something. */
async function runApproved(world: ScaleWorld, id: string) {
  const run = await world.run(id);
  if (run.waitingFor?.what !== 'approval') return run;
  return (await world.oka.approvals.approve({ id: run.id, by: 'ann' }, 0)).run;
}

/** Kills the worker that drives the run while it makes the request. */
async function killInTheMiddle(world: ScaleWorld, id: string): Promise<string> {
  let kill: (() => void) | undefined;
  const isCalled = new Promise<void>((resolve) => {
    kill = resolve;
  });
  let held = false;
  world.onEffect = (path) => {
    if (path !== `/${id}` || held) return undefined;
    held = true;
    kill?.();
    // The answer never comes: its caller is killed.
    return new Promise(() => undefined);
  };
  const running = runApproved(world, id);
  await isCalled;
  const run = await until(async () => (await world.oka.runs.list({ status: 'running', limit: 1 }))[0]?.id);
  await world.killWorker(await world.workerOf(run));
  world.onEffect = () => undefined;
  await running;
  return run;
}

onClusters((world) => {
  const requestsTo = (id: string): number => world().effects.filter((path) => path === `/${id}`).length;

  it('continues on another worker when one is killed, and repeats an interrupted request that only reads', async () => {
    await world().requireTwoWorkers();
    aroundRequest(world(), 'reading', 'GET');
    const run = await killInTheMiddle(world(), 'reading');
    expect(await world().oka.runs.show(run)).toMatchObject({ run: { status: 'completed' } });
    expect(requestsTo('reading')).toBe(2);
    expect(written(world(), 'reading')).toEqual(ALL);
    expect(await world().oka.ledger.verify({ full: true })).toMatchObject({ faults: [] });
  });

  it('asks about an interrupted request that may have changed something', async () => {
    await world().requireTwoWorkers();
    aroundRequest(world(), 'writing', 'PUT');
    const run = await killInTheMiddle(world(), 'writing');
    const { oka } = world();
    expect(await oka.runs.show(run)).toMatchObject({ run: { status: 'waiting' } });
    const [asked] = await oka.approvals.list({ status: 'pending', run });
    expect(asked).toMatchObject({ kind: 'unknown_effect' });
    const answered = await oka.approvals.approve({ id: run, by: 'ann', answer: 'done' }, 0);
    expect(answered).toMatchObject({ run: { status: 'completed' } });
    expect(requestsTo('writing')).toBe(1);
    expect(written(world(), 'writing')).toEqual(ALL);
  });

  it('finishes its step when it is stopped, and leaves the rest to another worker', async () => {
    await world().requireTwoWorkers();
    aroundRequest(world(), 'leaving', 'PUT');
    let finish = (): void => undefined;
    const began = new Promise<void>((resolve) => {
      world().onEffect = () => {
        resolve();
        return new Promise((done) => {
          finish = done;
        });
      };
    });
    const running = runApproved(world(), 'leaving');
    await began;
    const [id] = (await world().oka.runs.list({ status: 'running', limit: 1 })).map((run) => run.id);
    const stopping = world().stopWorker(await world().workerOf(id ?? ''));
    finish();
    // As every command that a signal ends.
    expect(await stopping).toBe(143);
    expect(await running).toMatchObject({ status: 'completed' });
    expect(requestsTo('leaving')).toBe(1);
    expect(written(world(), 'leaving')).toEqual(ALL);
  });

  it('starts nothing while Restate is unreachable, and once when the start is repeated with its key', async () => {
    world().graph('later', 'ask', [
      {
        node_id: 'ask',
        type: 'tool',
        tool: 'http.fetch',
        args: { url: `${world().counter}later` },
        next: 'end',
      },
    ]);
    const [node] = world().restate?.nodes ?? [];
    await node?.kill();
    await expect(world().run('later', {}, 'order 7')).rejects.toMatchObject({ code: 'cluster.unreachable' });
    await node?.start();
    // For a while after its start Restate refuses requests, or answers too late; the key makes it safe to ask again.
    const { id, status } = await until(async () => {
      const run = await world()
        .run('later', {}, 'order 7')
        .catch((error: unknown) => {
          if (!isOkaError(error, ['cluster.unreachable', 'engine.start_unknown'])) throw error;
          return undefined;
        });
      return run?.status === 'running' ? undefined : run;
    });
    expect(status).toBe('completed');
    expect((await world().run('later', {}, 'order 7')).id).toBe(id);
    expect(requestsTo('later')).toBe(1);
    expect(await world().oka.graphs.runs('later', 5, false)).toHaveLength(1);
  });
});
