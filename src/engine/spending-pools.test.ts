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
const RESERVED = { model_calls: 1, cost_usd: 0.25 };

/** Calls a model for each of `calls` steps; each costs less than its reservation. */
const spender = (calls: number) =>
  plannerOf(
    ({ evidence }) => {
      const spend = { model_calls: 1, cost_usd: 0.1 };
      const model = { provider: 'p', model: 'm', requestDigest: 'd' as never, spend };
      const next = evidence.length < calls ? call('look', { n: evidence.length }) : finish();
      return { ...next, model } as Decision;
    },
    { estimate: () => RESERVED },
  );

/** Calls a model that does not answer before the run is stopped. */
const hanging = (onAsked: () => void) =>
  plannerOf(
    ({ signal }) =>
      new Promise<Decision>((_, reject) => {
        signal.addEventListener('abort', () => reject(new Error('aborted')));
        onAsked();
      }),
    { estimate: () => RESERVED },
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
  const engine = (calls: number, self = 'one', planner = spender(calls)) => {
    seed += 1;
    const owners = { self, isAlive: (owner: string) => alive.has(owner) };
    const options = { clock, events, runs, pools, owners, random: seededRandom(seed) };
    return makeEngine(planner, [look], options).engine;
  };
  /** An engine whose runs are in memory of their own, as those of a simulation in the process `self`. */
  const simulation = (calls: number, self: string, planner = spender(calls)) => {
    seed += 1;
    const own = new MemoryEventStore({ clock, random: seededRandom(seed), projections: [runProjection] });
    const owners = { self, isAlive: (owner: string) => alive.has(owner) };
    const options = { clock, events: own, runs: new MemoryRunStore(own.tables), pools, owners };
    const { engine } = makeEngine(planner, [look], {
      ...{ ...options, poolEvents: events, simulate: true, random: seededRandom(seed) },
    });
    return { engine, own };
  };
  const alive = new Set(['one', 'two']);
  return { engine, simulation, alive, events, day };
}

/** What was charged to a pool, and the runs with an open reservation. */
async function poolOf(events: MemoryEventStore, name: string) {
  const open = new Set<unknown>();
  let cost = 0;
  for (const { type, data } of await events.read(`budget/${name}`)) {
    if (type === 'pool.reserved') open.add(data['run']);
    else {
      open.delete(data['run']);
      cost += (data['amounts'] as { cost_usd?: number }).cost_usd ?? 0;
    }
  }
  return { cost, open: [...open] };
}

describe('spending pools', () => {
  it('park a run when too little of the daily limit is left, and resume it on another day', async () => {
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

  it('hold for concurrent runs in two processes', async () => {
    const { engine, events } = world(1);
    const [one, other] = [engine(50), engine(50)];
    const all = await Promise.all([one.run(run), other.run(run), one.run(run), other.run(run)]);
    const spent = all.reduce((sum, { used }) => sum + (used.cost_usd ?? 0), 0);
    expect(spent).toBeLessThanOrEqual(1.000_001);
    expect(spent).toBeGreaterThan(0.7);
    expect((await poolOf(events, 'day/one')).open).toEqual([]);
  });

  it('count a simulation, whose own events stay out of the ledger', async () => {
    const { engine, simulation, events } = world(1);
    const { engine: dry, own } = simulation(3, 'one');
    expect((await dry.run(run)).ended?.status).toBe('completed');
    const pool = await poolOf(events, 'day/one');
    expect(pool.cost).toBeCloseTo(0.4);
    expect(pool.open).toEqual([]);
    expect((await events.readAfter(0, 1_000)).filter(({ stream }) => stream.startsWith('run/'))).toEqual([]);
    expect((await own.readAfter(0, 1_000)).filter(({ type }) => type.startsWith('pool.'))).toEqual([]);
    const parked = await engine(6).run(run);
    expect(parked.waiting).toMatchObject({ for: 'budget', pool: 'day/one' });
    expect((await simulation(6, 'one').engine.run(run)).waiting).toMatchObject({ pool: 'day/one' });
    expect((await poolOf(events, 'day/one')).cost).toBeLessThanOrEqual(1.000_001);
  });

  it('settle a simulation that is cancelled, and one whose planner fails', async () => {
    const { simulation, events } = world(1);
    const cancelled = new AbortController();
    const interrupted = hanging(() => cancelled.abort());
    await simulation(1, 'one', interrupted).engine.run(run, { signal: cancelled.signal });
    // The model may have been asked, so the reservation is charged.
    expect(await poolOf(events, 'day/one')).toEqual({ cost: 0.25, open: [] });
    const failing = plannerOf(() => Promise.reject(new Error('broken')), { estimate: () => RESERVED });
    expect((await simulation(1, 'one', failing).engine.run(run)).ended?.status).toBe('failed');
    expect((await poolOf(events, 'day/one')).open).toEqual([]);
  });

  it('charge what a run had reserved when its process died, before its next call reserves', async () => {
    const { engine, alive, events } = world(0.45);
    await new Promise<void>((asked) => {
      void engine(1, 'one', hanging(asked)).run({ ...run, id: 'r1' });
    });
    alive.delete('one');
    const resumed = await engine(1, 'two').resume('r1');
    expect(resumed.waiting).toMatchObject({ for: 'budget', pool: 'day/one' });
    expect(resumed.used.cost_usd).toBe(0.25);
    expect(await poolOf(events, 'day/one')).toEqual({ cost: 0.25, open: [] });
  });

  it('charge what a run had reserved when it was released in a model call', async () => {
    const { engine, events } = world(0.45);
    const leave = new AbortController();
    const interrupted = hanging(() => leave.abort());
    const released = await engine(1, 'one', interrupted).run(run, { signal: leave.signal });
    expect(released.used.cost_usd).toBe(0.25);
    expect(await poolOf(events, 'day/one')).toEqual({ cost: 0.25, open: [] });
    const resumed = await engine(1).resume(released.id);
    expect(resumed.waiting).toMatchObject({ for: 'budget', pool: 'day/one' });
  });

  it('charge in full what a simulation had reserved when its process died', async () => {
    const { simulation, alive, events } = world(1);
    await new Promise<void>((asked) => {
      void simulation(1, 'one', hanging(asked)).engine.run(run);
    });
    expect((await simulation(0, 'two').engine.run(run)).ended?.status).toBe('completed');
    expect((await poolOf(events, 'day/one')).open).toHaveLength(1);
    alive.delete('one');
    expect((await simulation(0, 'two').engine.run(run)).ended?.status).toBe('completed');
    const pool = await poolOf(events, 'day/one');
    expect(pool.open).toEqual([]);
    expect(pool.cost).toBeCloseTo(0.1 + 0.25 + 0.1);
  });
});
