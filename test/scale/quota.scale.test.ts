import { expect, it } from 'vitest';
import { onClusters, type ScaleWorld, until } from './scale-world.ts';

/** Starts a worker that allows this many runs of the project at once. */
async function allow(world: ScaleWorld, runsAtOnce: number): Promise<void> {
  world.put('.oka/config.json', { execution: { runs_at_once: runsAtOnce } });
  await world.replaceWorkers();
}

/** Runs a graph that makes one request with its name. */
function request(world: ScaleWorld, name: string) {
  const args = { url: `${world.counter}${name}` };
  world.graph(name, 'ask', [{ node_id: 'ask', type: 'tool', tool: 'http.fetch', args, next: 'end' }]);
  return world.run(name);
}

/** Holds requests until they are released by name. */
function holdRequests(world: ScaleWorld) {
  const held = new Map<string, () => void>();
  world.onEffect = (path) =>
    new Promise((resolve) => {
      held.set(path, resolve);
    });
  return {
    began: (name: string) => until(async () => held.has(`/${name}`) || undefined),
    release: (name: string) => held.get(`/${name}`)?.(),
    /** Also answers the requests of a killed run, which the project continues later. */
    releaseAll: () => {
      world.onEffect = () => undefined;
      for (const answer of held.values()) answer();
    },
  };
}

async function query(world: ScaleWorld, sql: string): Promise<readonly { readonly id: string }[]> {
  const response = await fetch(`${world.restate?.admin}/query`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', accept: 'application/json' },
    body: JSON.stringify({ query: sql }),
  });
  return ((await response.json()) as { rows: { id: string }[] }).rows;
}

/** Ends the drive of a run at once, as an administrator of Restate can. */
async function killDrive(world: ScaleWorld, graph: string): Promise<void> {
  const { id: drive } = await until(async () => {
    const [run] = await world.oka.graphs.runs(graph, 1, false);
    const isDrive = `target_handler_name = 'drive' AND target_service_key = 'shop/${run?.id}'`;
    const isActive = `status IN ('running', 'suspended')`;
    return (await query(world, `SELECT id FROM sys_invocation WHERE ${isDrive} AND ${isActive}`))[0];
  });
  const response = await fetch(`${world.restate?.admin}/invocations/${drive}/kill`, { method: 'PATCH' });
  expect(response.ok, await response.text()).toBe(true);
}

onClusters((world) => {
  it('drives no more runs at once than the quota of the project', async () => {
    await allow(world(), 2);
    let active = 0;
    let most = 0;
    world().onEffect = async () => {
      active += 1;
      most = Math.max(most, active);
      await new Promise((resolve) => setTimeout(resolve, 50));
      active -= 1;
    };
    expect(await request(world(), 'many')).toMatchObject({ status: 'completed' });
    const runs = await Promise.all(Array.from({ length: 6 }, () => world().run('many')));
    expect(runs.map(({ status }) => status)).toEqual(Array(6).fill('completed'));
    expect(most).toBeLessThanOrEqual(2);
  });

  it('gives the slot of a run to the next one when an administrator kills its drive', async () => {
    await allow(world(), 1);
    const requests = holdRequests(world());
    const killed = request(world(), 'killed').catch((error: unknown) => error);
    await requests.began('killed');
    const next = request(world(), 'next');
    await killDrive(world(), 'killed');
    await killed;
    await requests.began('next');
    requests.release('next');
    expect(await next).toMatchObject({ status: 'completed' });
    requests.releaseAll();
  });

  it('gives no slot to a run whose drive is killed while it waits for one', async () => {
    await allow(world(), 1);
    const requests = holdRequests(world());
    const first = request(world(), 'first');
    await requests.began('first');
    const killed = request(world(), 'impatient').catch((error: unknown) => error);
    await killDrive(world(), 'impatient');
    await killed;
    const last = request(world(), 'last');
    requests.release('first');
    expect(await first).toMatchObject({ status: 'completed' });
    await requests.began('last');
    requests.releaseAll();
    expect(await last).toMatchObject({ status: 'completed' });
  });
});
