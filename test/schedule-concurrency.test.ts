import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { sortableIds } from '../src/kernel/index.ts';
import { type EventStore, MemoryEventStore } from '../src/ledger/index.ts';
import {
  addSchedule,
  type FiringTarget,
  MemoryScheduleStore,
  nextFirings,
  type OverlapPolicy,
  Scheduler,
  type ScheduleStore,
  scheduleProjection,
  type TickReport,
} from '../src/schedule/index.ts';
import { ManualClock } from './support/manual-clock.ts';
import { seededRandom } from './support/seeded-random.ts';

const START = Date.parse('2026-10-24T22:59:30Z');

/** Holds up each use of the stores until the interleaving lets it go on. */
function heldUp<Store extends object>(store: Store, scheduler: fc.Scheduler): Store {
  return new Proxy(store, {
    get(target, name) {
      const member = Reflect.get(target, name, target) as unknown;
      if (typeof member !== 'function') return member;
      return (...given: unknown[]) =>
        scheduler
          .schedule(Promise.resolve(), String(name))
          .then(() => (member as (...all: unknown[]) => unknown).apply(target, given));
    },
  });
}

/** Daemons of one ledger, each with its own hold on it. */
function daemons(count: number, interleaving: fc.Scheduler) {
  const clock = new ManualClock(START);
  const random = seededRandom();
  const events = new MemoryEventStore({ clock, random, projections: [scheduleProjection] });
  const schedules = new MemoryScheduleStore(events.tables);
  const ended = new Set<string>();
  const target = (daemon: number): FiringTarget => ({
    prepare: async (firing) => {
      const run = `${firing.id} by ${daemon}`;
      const created = { type: 'run.started', data: { firing: firing.id } };
      return { run, appends: [{ stream: `run/${run}`, expectedIndex: 0, events: [created] }] };
    },
    isRunning: async (run) => !ended.has(run),
  });
  const all = Array.from({ length: count }, (_, daemon) => {
    return new Scheduler({
      events: heldUp<EventStore>(events, interleaving),
      schedules: heldUp<ScheduleStore>(schedules, interleaving),
      target: target(daemon),
      clock,
      ids: sortableIds(clock, random),
    });
  });
  return { clock, events, schedules, ended, all };
}

/** Every run that the ledger knows, by the firing that started it. */
async function startedRuns(events: EventStore): Promise<string[]> {
  const stored = await events.readAfter(0, 100_000);
  return stored.filter(({ type }) => type === 'run.started').map(({ data }) => String(data['firing']));
}

describe('several daemons on one ledger', () => {
  it('fire each planned time once, however their ticks interleave', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.scheduler(),
        fc.integer({ min: 2, max: 4 }),
        fc.array(fc.integer({ min: 1, max: 300 }), { minLength: 1, maxLength: 6 }),
        fc.constantFrom<OverlapPolicy>('skip', 'queue', 'allow'),
        async (interleaving, count, sleeps, overlap) => {
          const { clock, events, schedules, ended, all } = daemons(count, interleaving);
          const parts = { events, schedules, clock };
          const trigger = { cron: '* * * * *', zone: 'Europe/Berlin' };
          const policies = { overlap, misfire: 'all' } as const;
          await addSchedule(parts, { graph: 'a', trigger, by: 'me', ...policies });
          await addSchedule(parts, { graph: 'b', trigger, by: 'me', ...policies });
          const reports: TickReport[] = [];
          for (const sleep of sleeps) {
            clock.advance(sleep * 1_000);
            const ticking = Promise.all(all.map((scheduler) => scheduler.tick()));
            await interleaving.waitFor(ticking);
            reports.push(...(await ticking));
            for (const { fired } of reports) for (const { run } of fired) ended.add(run);
          }
          expect(reports.flatMap(({ failures }) => failures)).toEqual([]);
          const started = await startedRuns(events);
          expect(new Set(started).size).toBe(started.length);
          const told = reports.flatMap(({ fired }) => fired.map(({ firing }) => firing));
          expect(told.toSorted()).toEqual(started.toSorted());
          await everyTimeIsDecided(schedules, clock.now());
        },
      ),
      { numRuns: 60 },
    );
  });

  async function everyTimeIsDecided(schedules: ScheduleStore, now: number): Promise<void> {
    const planned = nextFirings('* * * * *', 'Europe/Berlin', START, 1_000).filter((at) => at <= now);
    for (const schedule of ['a-1', 'b-1']) {
      const firings = await schedules.firings(schedule, 1_000);
      const decided = firings.reduce((sum, { count }) => sum + count, 0);
      expect(decided).toBe(planned.length);
    }
  }

  it('process each change once, however their watchers interleave', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.scheduler(),
        fc.array(fc.constantFrom('d1', 'd2', 'd3'), { minLength: 2, maxLength: 8 }),
        async (interleaving, digests) => {
          const { clock, events, schedules, all } = daemons(2, interleaving);
          const trigger = { onChange: 'docs' };
          await addSchedule(
            { events, schedules, clock },
            { graph: 'a', trigger, by: 'me', overlap: 'allow' },
          );
          const telling = Promise.all(
            digests.flatMap((digest) => all.map((scheduler) => scheduler.notifyChange('docs/x', digest))),
          );
          await interleaving.waitFor(telling);
          const started = await startedRuns(events);
          expect(started.toSorted()).toEqual([...new Set(digests)].sort().map((digest) => `a-1#${digest}`));
        },
      ),
      { numRuns: 60 },
    );
  });

  it('lose neither a manual firing nor a planned one when the two coincide', async () => {
    await fc.assert(
      fc.asyncProperty(fc.scheduler(), async (interleaving) => {
        const { clock, events, schedules, all } = daemons(2, interleaving);
        const trigger = { cron: '* * * * *', zone: 'UTC' };
        await addSchedule({ events, schedules, clock }, { graph: 'a', trigger, by: 'me', overlap: 'allow' });
        clock.advance(30_000);
        const [one, other] = all as [Scheduler, Scheduler];
        const meeting = Promise.all([
          one.tick(),
          other.trigger('a-1', 'me'),
          other.tick(),
          one.trigger('a-1', 'me'),
        ]);
        await interleaving.waitFor(meeting);
        const started = await startedRuns(events);
        expect(started.filter((firing) => firing.includes('!'))).toHaveLength(2);
        expect(started.filter((firing) => firing.includes('@'))).toHaveLength(1);
      }),
      { numRuns: 60 },
    );
  });
});
