import { expect, it } from 'vitest';
import { modelServer } from '../cli/priced-model.ts';
import { onClusters, type ScaleWorld } from './scale-world.ts';
import { TestWorkspace } from './test-workspace.ts';

const RUNS = 40;
/** More calls than one connection of Restate carries, so that both workers make some. */
const PAID = 18;
const TOKENS = 500;
const PRICE = { input: 0, output: 1_000 };
const COST = (TOKENS * PRICE.output) / 1_000_000;

/** Two workers whose local dates always differ. */
async function startFarApart(world: ScaleWorld): Promise<void> {
  const before = [...world.workers];
  for (const zone of ['Pacific/Kiritimati', 'Etc/GMT+12']) {
    world.workerEnvironment = { TZ: zone, TEST_KEY: 'k' };
    await world.startWorker();
  }
  world.workerEnvironment = {};
  for (const worker of before) await world.stopWorker(worker);
}

/** The model calls that were reserved and in which a run was released or claimed again. */
async function interruptedCalls({ oka }: ScaleWorld): Promise<number> {
  const asking = new Set<string>();
  let interrupted = 0;
  for await (const { stream, type } of oka.ledger.tail({ last: 10_000, follow: false })) {
    if (type === 'model.reserved') asking.add(stream);
    else if (asking.delete(stream) && (type === 'run.released' || type === 'run.claimed')) interrupted += 1;
  }
  return interrupted;
}

/** What the runs were charged to the pool of the day. */
async function chargedCost({ oka }: ScaleWorld): Promise<number> {
  let cost = 0;
  for await (const { type, data } of oka.ledger.tail({ last: 10_000, follow: false }))
    if (type === 'pool.settled') cost += (data as { amounts: { cost_usd?: number } }).amounts.cost_usd ?? 0;
  return cost;
}

onClusters((world) => {
  it('shares the daily limit among the runs of all workers, and parks the runs that would exceed it', async () => {
    let answer = (): void => undefined;
    const enough = new Promise<void>((resolve) => {
      answer = resolve;
    });
    // Calls are answered when a run is parked: the whole limit is reserved then.
    const { url, requests } = await modelServer(async () => {
      await enough;
      return TOKENS;
    });
    const model = { provider: 'openai', model: 'm', base_url: url, api_key: { env: 'TEST_KEY' } };
    world().configure({
      models: { house: { ...model, price: PRICE, max_output_tokens: TOKENS } },
      daily_limits: { cost_usd: PAID * COST },
      allow_private: [new URL(url).host],
    });
    await startFarApart(world());
    const { oka } = new TestWorkspace(world());
    const asked = {
      goal: 'say that it is done',
      model: 'house',
      simulate: false,
      budgets: {},
      patienceMs: 0,
    };
    const work = async () => {
      const done = await oka.do(asked);
      if (done.run.status !== 'completed') answer();
      return done;
    };
    const answers = await Promise.all(Array.from({ length: RUNS }, work));
    const parked = answers.filter(({ run }) => run.status === 'waiting');
    const completed = answers.filter(({ run }) => run.status === 'completed').length;
    // A call that loses its connection is interrupted. It is charged too, and its run asks again or is parked.
    const interrupted = await interruptedCalls(world());
    expect(completed).toBe(PAID - interrupted);
    expect(parked).toHaveLength(RUNS - completed);
    for (const { run } of parked)
      expect(run.waitingFor).toMatchObject({
        what: 'budget',
        detail: expect.stringContaining('daily limit of cost_usd is used up'),
        next: expect.stringContaining('raise'),
      });
    expect(requests.length).toBeGreaterThanOrEqual(completed);
    expect(requests.length).toBeLessThanOrEqual(PAID);
    expect(await chargedCost(world())).toBe(PAID * COST);
    expect(new Set(await world().driversOf()).size).toBe(2);
    await oka.close();
  });
});
