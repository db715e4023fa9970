import { expect, test } from 'vitest';
import { RecordedWorld } from './recorded-world.ts';

/** What the day's pool was charged, and the runs that have reserved something in it. */
function dayOf(world: RecordedWorld): { readonly calls: number; readonly open: readonly string[] } {
  const open = new Set<string>();
  let calls = 0;
  for (const line of world.text('.oka/run_ledger.jsonl').split('\n')) {
    if (!line.includes('budget/day/')) continue;
    const { type, data } = JSON.parse(line) as {
      type: string;
      data: { run: string; amounts: { model_calls?: number } };
    };
    if (type === 'pool.reserved') open.add(data.run);
    else {
      open.delete(data.run);
      calls += data.amounts.model_calls ?? 0;
    }
  }
  return { calls, open: [...open] };
}

test('simulations and live evals count towards the daily limit, stop at it, and name the cases not run', async () => {
  const world = await RecordedWorld.open();
  for (const name of ['one', 'three', 'two']) {
    const { run } = await world.do('write it down', { agent: 'writer' });
    await world.oka.evals.add({ run: run.id, name, replace: false });
  }
  const live = async (budgets: Readonly<Record<string, number>> = {}) => {
    const { results } = await world.oka.evals.run({ cases: [], live: true, junit: true, budgets });
    return results.map(({ passed, error }) => (passed ? 'passed' : error?.code));
  };
  // A run of the writer asks its model three times.
  expect(await live()).toEqual(['passed', 'passed', 'passed']);
  expect(await live({ model_calls: 7 })).toEqual(['passed', 'passed', 'engine.budget_exhausted']);
  expect(await live({ model_calls: 4 })).toEqual(['passed', 'engine.budget_exhausted', 'eval.not_run']);
  expect(dayOf(world)).toEqual({ calls: 0, open: [] });

  const limits = {
    daily_limits: { model_calls: 7 },
    allow_private: [new URL(world.url).host],
    allow_hosts: [new URL(world.url).host],
  };
  world.putAtHome('config.json', JSON.stringify(limits));
  await world.reopen();
  const simulated = await world.do('write it down', { agent: 'writer', simulate: true });
  expect(simulated.run).toMatchObject({ status: 'completed', simulated: true });
  await world.oka.close();
  expect(dayOf(world)).toEqual({ calls: 3, open: [] });
  await world.reopen();
  expect(await live()).toEqual(['passed', 'engine.budget_exhausted', 'eval.not_run']);
  const stopped = await world.do('write it down', { agent: 'writer', simulate: true });
  expect(stopped.run.waitingFor).toMatchObject({
    what: 'budget',
    detail: expect.stringContaining('daily limit of model_calls'),
    next: expect.stringContaining('raise the limit in config.json'),
  });
  expect((await world.do('write it down', { agent: 'writer' })).run.waitingFor?.what).toBe('budget');
  await world.oka.close();
  expect(dayOf(world)).toEqual({ calls: 7, open: [] });
  await world.reopen();
  expect(await world.oka.ledger.verify({ full: true })).toMatchObject({ ok: true });
});
