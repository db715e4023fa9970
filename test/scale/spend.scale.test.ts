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

onClusters((world) => {
  it('shares the daily limit among the runs of all workers, and parks the runs that would exceed it', async () => {
    let answer = (): void => undefined;
    const enough = new Promise<void>((resolve) => {
      answer = resolve;
    });
    // Each call is answered when all that the limit allows are made.
    const { url, requests } = await modelServer(async () => {
      if (requests.length === PAID) answer();
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
    const answers = await Promise.all(Array.from({ length: RUNS }, () => oka.do(asked)));
    const parked = answers.filter(({ run }) => run.status === 'waiting');
    expect(answers.filter(({ run }) => run.status === 'completed')).toHaveLength(PAID);
    expect(parked).toHaveLength(RUNS - PAID);
    for (const { run } of parked)
      expect(run.waitingFor).toMatchObject({
        what: 'budget',
        detail: expect.stringContaining('daily limit of cost_usd is used up'),
        next: expect.stringContaining('raise'),
      });
    expect(requests).toHaveLength(PAID);
    expect(new Set(await world().driversOf()).size).toBe(2);
    await oka.close();
  });
});
