import { expect, test } from 'vitest';
import type { EvalRunAnswer } from '../../src/api/index.ts';
import type { Workspace } from './oka-process.ts';
import { modelServer, workspaceWith } from './priced-model.ts';

const PRICE = { input: 0, output: 1_000 };
const DO = ['do', 'say that it is done', '--model', 'house'];

/** What the day's pool was charged, and the runs that have reserved something in it. */
function dayOf(place: Workspace): { readonly cost: number; readonly open: readonly unknown[] } {
  const open = new Set<unknown>();
  let cost = 0;
  for (const { stream, type, data } of place.mirror()) {
    if (!stream.startsWith('budget/day/')) continue;
    if (type === 'pool.reserved') open.add(data['run']);
    else {
      open.delete(data['run']);
      cost += (data['amounts'] as { cost_usd?: number }).cost_usd ?? 0;
    }
  }
  return { cost, open: [...open] };
}

test('a simulation counts on the limit of the day, and stops at it', async () => {
  const { url, requests } = await modelServer(() => 300);
  const place = workspaceWith({ url, price: PRICE, more: { daily_limits: { cost_usd: 0.6 } } });
  const first = await place.answer(...DO, '--simulate');
  expect(first).toMatchObject({ exitCode: 0, data: { run: { status: 'completed', simulated: true } } });
  const day = dayOf(place);
  expect(day.cost).toBeCloseTo(0.3);
  expect(day.open).toEqual([]);
  expect(place.mirror().some(({ stream }) => stream === `run/${first.data.run.id}`)).toBe(false);
  expect((await place.answer(...DO, '--simulate')).data.run.status).toBe('completed');
  const third = await place.answer(...DO, '--simulate');
  expect(third).toMatchObject({ exitCode: 5, data: { run: { status: 'waiting' } } });
  expect(third.data.run.waitingFor).toMatchObject({
    detail: expect.stringContaining('daily limit of cost_usd'),
    next: expect.stringContaining('raise the limit in config.json'),
  });
  expect((await place.answer(...DO)).exitCode).toBe(5);
  expect(requests).toHaveLength(2);
  expect(dayOf(place).cost).toBeCloseTo(0.6);
  await place.verified();
});

test('a simulation that is killed while the model answers leaves no reservation behind', async () => {
  let hang = true;
  const { url, requests } = await modelServer(() => (hang ? new Promise<number>(() => undefined) : 100));
  const place = workspaceWith({ url, price: PRICE, more: { daily_limits: { cost_usd: 1.2 } } });
  const started = place.start(...DO, '--simulate');
  while (requests.length === 0) await new Promise((resolve) => setImmediate(resolve));
  started.kill('SIGKILL');
  await started.ended;
  expect(dayOf(place).open).toHaveLength(1);
  hang = false;
  expect((await place.answer(...DO)).data.run.status).toBe('completed');
  // Nobody knows what the killed call has cost, so it is charged in full: 500 tokens.
  const day = dayOf(place);
  expect(day.open).toEqual([]);
  expect(day.cost).toBeCloseTo(0.5 + 0.1);
  await place.verified();
});

test('a live eval stops at the limit of the day and at its budget, and names the cases that it did not run', async () => {
  const { url, requests } = await modelServer(() => 300);
  const limits = (daily: object) => ({ price: PRICE, more: { daily_limits: daily } });
  const place = workspaceWith({ url, ...limits({}) });
  for (const name of ['one', 'three', 'two']) {
    const { data } = await place.answer(...DO);
    await place.answer('eval', 'add', data.run.id, '--name', name);
  }
  const live = (...more: readonly string[]) => place.answer<EvalRunAnswer>('eval', 'run', '--live', ...more);
  const codes = ({ data }: Awaited<ReturnType<typeof live>>) =>
    data.results.map(({ passed, error }) => (passed ? 'passed' : error?.code));

  const budgeted = await live('--budget', 'cost_usd=0.7');
  expect(budgeted.exitCode).toBe(5);
  expect(codes(budgeted)).toEqual(['passed', 'passed', 'engine.budget_exhausted']);
  expect(requests).toHaveLength(5);
  expect(dayOf(place)).toEqual({ cost: 0, open: [] });

  place.putAtHome(
    'config.json',
    JSON.stringify({ ...JSON.parse(place.homeText('config.json')), daily_limits: { cost_usd: 0.5 } }),
  );
  const limited = await live();
  expect(limited.exitCode).toBe(5);
  expect(codes(limited)).toEqual(['passed', 'engine.budget_exhausted', 'eval.not_run']);
  expect(limited.data.results[1]?.error?.message).toContain('daily limit of cost_usd');
  expect(dayOf(place)).toMatchObject({ cost: expect.closeTo(0.3), open: [] });
  const shown = await place.oka('eval', 'run', '--live', '--junit', place.at('report.xml'));
  expect(shown).toMatchObject({ exitCode: 5 });
  expect(shown.stdout).toContain('1 of 3 failed, 2 not run');
  expect(place.text('report.xml')).toContain('errors="1" skipped="2"');
  expect(requests).toHaveLength(6);
});
