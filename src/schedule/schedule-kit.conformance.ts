import { ManualClock } from '../../test/support/manual-clock.ts';
import { seededRandom } from '../../test/support/seeded-random.ts';
import { sortableIds } from '../kernel/index.ts';
import { type LedgerEvent, MemoryEventStore } from '../ledger/index.ts';
import type { ScheduleParts } from './change-schedule.ts';
import { MemoryScheduleStore } from './memory-schedule-store.ts';
import type { FiringRequest, FiringTarget } from './ports.ts';
import { scheduleStream } from './schedule-events.ts';
import { scheduleProjection } from './schedule-projection.ts';
import { Scheduler } from './scheduler.ts';

/** Runs that stay active until a test ends them. */
class FakeRuns implements FiringTarget {
  readonly prepared: FiringRequest[] = [];
  readonly ended = new Set<string>();
  failure: Error | undefined;
  #count = 0;

  async prepare(firing: FiringRequest): ReturnType<FiringTarget['prepare']> {
    if (this.failure) throw this.failure;
    this.prepared.push(firing);
    this.#count += 1;
    const run = `run-${this.#count}`;
    const created = { type: 'run.started', data: { firing: firing.id } };
    return { run, appends: [{ stream: `run/${run}`, expectedIndex: 0, events: [created] }] };
  }

  async isRunning(run: string): Promise<boolean> {
    return !this.ended.has(run);
  }
}

/** Schedules on an in-memory ledger with a manual clock. */
export function scheduleKit(startAt: string) {
  const clock = new ManualClock(Date.parse(startAt));
  const random = seededRandom();
  const events = new MemoryEventStore({ clock, random, projections: [scheduleProjection] });
  const schedules = new MemoryScheduleStore(events.tables);
  const runs = new FakeRuns();
  const parts: ScheduleParts = { events, schedules, clock };
  const ids = sortableIds(clock, random);
  const scheduler = new Scheduler({ events, schedules, target: runs, clock, ids });
  const eventsOf = async (schedule: string): Promise<readonly LedgerEvent[]> =>
    events.read(scheduleStream(schedule));
  /** Moves the clock and ticks. */
  const tickAt = async (moment: string) => {
    clock.advance(Date.parse(moment) - clock.now());
    return scheduler.tick();
  };
  return { clock, events, schedules, runs, parts, ids, scheduler, eventsOf, tickAt };
}
