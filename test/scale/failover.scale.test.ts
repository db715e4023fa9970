import { expect, it } from 'vitest';
import { onClusters, type ScaleWorld, until } from './scale-world.ts';

const STEPS = ['1', '2', '3', '4', '5'];

/** A graph whose steps make one request each. */
function requests(world: ScaleWorld, id: string, method: 'PUT' | 'GET'): void {
  const nodes = STEPS.map((step, i) => ({
    node_id: `s${step}`,
    type: 'tool',
    tool: 'http.fetch',
    args: { method, url: `${world.counter}${id}/${step}` },
    next: i + 1 < STEPS.length ? `s${STEPS[i + 1]}` : 'end',
  }));
  world.graph(id, 's1', nodes);
}

/** Kills the worker that drives the run while it makes the third request. */
async function killInTheMiddle(world: ScaleWorld, id: string): Promise<string> {
  let kill: (() => void) | undefined;
  const isThird = new Promise<void>((resolve) => {
    kill = resolve;
  });
  let held = false;
  world.onEffect = (path) => {
    if (!path.endsWith(`${id}/3`) || held) return undefined;
    held = true;
    kill?.();
    // The answer never comes: its caller is killed.
    return new Promise(() => undefined);
  };
  const running = world.run(id);
  await isThird;
  const run = await until(async () => (await world.oka.runs.list({ status: 'running', limit: 1 }))[0]?.id);
  await world.killWorker(await world.workerOf(run));
  world.onEffect = () => undefined;
  await running;
  return run;
}

onClusters((world) => {
  it('continues on another worker when one is killed, and repeats only the interrupted request', async () => {
    requests(world(), 'reading', 'GET');
    const run = await killInTheMiddle(world(), 'reading');
    expect(await world().oka.runs.show(run)).toMatchObject({ run: { status: 'completed' } });
    expect(world().effects.filter((path) => path.startsWith('/reading/'))).toEqual(
      ['1', '2', '3', '3', '4', '5'].map((step) => `/reading/${step}`),
    );
    expect(await world().oka.ledger.verify({ full: true })).toMatchObject({ faults: [] });
    await world().startWorker();
  });

  it('asks about an interrupted request that may have changed something, and makes every other once', async () => {
    requests(world(), 'writing', 'PUT');
    const run = await killInTheMiddle(world(), 'writing');
    const { oka } = world();
    expect(await oka.runs.show(run)).toMatchObject({ run: { status: 'waiting' } });
    const [asked] = await oka.approvals.list({ status: 'pending', run });
    expect(asked).toMatchObject({ kind: 'unknown_effect' });
    await oka.approvals.approve({ id: run, by: 'ann', answer: 'done' }, 0);
    const ended = await until(async () => {
      const { run: now } = await oka.runs.show(run);
      return now.status === 'completed' ? now : undefined;
    });
    expect(ended.status).toBe('completed');
    expect(world().effects.filter((path) => path.startsWith('/writing/'))).toEqual(
      STEPS.map((step) => `/writing/${step}`),
    );
    await world().startWorker();
  });

  it('finishes its steps when it is stopped, and leaves the rest to another worker', async () => {
    requests(world(), 'leaving', 'GET');
    const began = new Promise<void>((resolve) => {
      world().onEffect = (path) => {
        if (path.endsWith('leaving/1')) resolve();
      };
    });
    const running = world().run('leaving');
    await began;
    const [worker] = world().workers;
    expect(await world().stopWorker(worker as never)).toBe(0);
    expect(await running).toMatchObject({ status: 'completed' });
    expect(world().effects.filter((path) => path.startsWith('/leaving/'))).toEqual(
      STEPS.map((step) => `/leaving/${step}`),
    );
    await world().startWorker();
  });

  it('says what to do while Restate is away, and continues the run when it is back', async () => {
    world().graph('later', 'note', [
      {
        node_id: 'note',
        type: 'tool',
        tool: 'files.write',
        args: { path: 'l.txt', content: 'l' },
        next: 'end',
      },
    ]);
    const [node] = world().restate?.nodes ?? [];
    await node?.kill();
    await expect(world().run('later')).rejects.toMatchObject({ code: 'cluster.unreachable' });
    await node?.start();
    const { oka } = world();
    const [run] = await oka.graphs.runs('later', 1, false);
    await until(async () =>
      (await oka.runs.show(run?.id ?? '')).run.status === 'completed' ? true : undefined,
    );
  });
});
