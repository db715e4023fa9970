import { describe, expect, it } from 'vitest';
import { call, finish, makeEngine, plannerOf, readTool } from '../../test/support/engine-kit.ts';
import { ManualClock } from '../../test/support/manual-clock.ts';
import { seededRandom } from '../../test/support/seeded-random.ts';
import { MemoryEventStore } from '../ledger/index.ts';
import { MemoryRunStore } from './memory-stores.ts';
import { runProjection } from './run-projection.ts';
import type { FindPools } from './spending-pools.ts';
import type { Decision } from './types.ts';

const look = readTool('look', (input: { n: number }) => input.n);
const run = { kind: 'test', goal: 'a goal' };

/** Calls a model for each of `calls` steps; each costs less than its reservation. */
const spender = (calls: number) =>
  plannerOf(
    ({ evidence }) => {
      const spend = { model_calls: 1, cost_usd: 0.1 };
      const model = { provider: 'p', model: 'm', requestDigest: 'd' as never, spend };
      const next = evidence.length < calls ? call('look', { n: evidence.length }) : finish();
      return { ...next, model } as Decision;
    },
    { estimate: () => ({ model_calls: 1, cost_usd: 0.25 }) },
  );

function world(limit: number) {
  const clock = new ManualClock();
  const events = new MemoryEventStore({ clock, random: seededRandom(1), projections: [runProjection] });
  const runs = new MemoryRunStore(events.tables);
  const day = { current: 'one' };
  const pools: FindPools = ({ group }) => [
    { name: `day/${day.current}`, limits: { cost_usd: limit } },
    ...(group === undefined ? [] : [{ name: `conversation/${group}`, limits: { model_calls: 3 } }]),
  ];
  let seed = 10;
  const engine = (calls: number) => {
    seed += 1;
    const options = { clock, events, runs, pools, random: seededRandom(seed) };
    return makeEngine(spender(calls), [look], options).engine;
  };
  return { engine, events, day };
}

describe('spending pools', () => {
  it('park a run when the day has too little left, and let it go on another day', async () => {
    const { engine, day } = world(1);
    expect((await engine(3).run(run)).ended?.status).toBe('completed');
    const parked = await engine(6).run(run);
    expect(parked.waiting).toMatchObject({ for: 'budget', budget: 'cost_usd', pool: 'day/one' });
    expect(parked.used.cost_usd).toBeCloseTo(0.4);
    expect((await engine(6).resume(parked.id)).waiting).toMatchObject({ pool: 'day/one' });
    day.current = 'two';
    expect((await engine(6).resume(parked.id)).ended?.status).toBe('completed');
  });

  it('limit the runs of one group together, and no others', async () => {
    const { engine } = world(100);
    expect((await engine(1).run({ ...run, group: 'a' })).ended?.status).toBe('completed');
    expect((await engine(1).run({ ...run, group: 'a' })).waiting).toMatchObject({
      budget: 'model_calls',
      pool: 'conversation/a',
    });
    expect((await engine(1).run({ ...run, group: 'b' })).ended?.status).toBe('completed');
    expect((await engine(9).run(run)).ended?.status).toBe('completed');
  });

  it('hold with runs side by side in two processes', async () => {
    const { engine, events } = world(1);
    const [one, other] = [engine(50), engine(50)];
    const all = await Promise.all([one.run(run), other.run(run), one.run(run), other.run(run)]);
    const spent = all.reduce((sum, { used }) => sum + (used.cost_usd ?? 0), 0);
    expect(spent).toBeLessThanOrEqual(1.000_001);
    expect(spent).toBeGreaterThan(0.7);
    const stream = await events.read('budget/day/one');
    const open = new Set<unknown>();
    for (const { type, data } of stream) {
      if (type === 'pool.reserved') open.add(data['run']);
      else open.delete(data['run']);
    }
    expect([...open]).toEqual([]);
  });
});
