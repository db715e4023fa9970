import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { SqlScheduleStore } from '../src/adapters/sql/index.ts';
import { openDatabase, SqliteEventStore, SqliteTables } from '../src/adapters/sqlite/index.ts';
import { sortableIds } from '../src/kernel/index.ts';
import { addSchedule, type FiringTarget, Scheduler, scheduleProjection } from '../src/schedule/index.ts';
import { scheduleStoreConformance } from '../src/schedule/schedule-store.conformance.ts';
import { ManualClock } from './support/manual-clock.ts';
import { seededRandom } from './support/seeded-random.ts';
import { tempFolder } from './support/temp-folder.ts';

/** One process's connection to the database of a workspace. */
function connect(folder: string, clock: ManualClock, seed: number) {
  const file = join(folder, 'oka.db');
  const database = openDatabase({ file, now: () => clock.now() });
  onTestFinished(() => database.close());
  const random = seededRandom(seed);
  const events = new SqliteEventStore({ database, file, projections: [scheduleProjection], clock, random });
  if (!events.tables.isCurrent()) events.tables.ensure();
  return {
    events,
    schedules: new SqlScheduleStore(new SqliteTables(database, file)),
    clock,
    ids: sortableIds(clock, random),
  };
}

scheduleStoreConformance('SQLite', () => {
  return connect(tempFolder(), new ManualClock(), 1);
});

describe('two daemons on one database', () => {
  it('fire each planned time once', async () => {
    const folder = tempFolder();
    const clock = new ManualClock(Date.parse('2026-01-01T00:00:30Z'));
    let prepared = 0;
    const target: FiringTarget = {
      prepare: async (firing) => {
        prepared += 1;
        const run = `${firing.id} ${prepared}`;
        const created = { type: 'run.started', data: { firing: firing.id } };
        return { run, appends: [{ stream: `run/${run}`, expectedIndex: 0, events: [created] }] };
      },
      isRunning: async () => false,
    };
    const daemons = [1, 2].map((seed) => {
      const parts = connect(folder, clock, seed);
      return { parts, scheduler: new Scheduler({ ...parts, target }) };
    });
    const [{ parts }] = daemons as [(typeof daemons)[0]];
    const trigger = { cron: '* * * * *', zone: 'UTC' };
    for (const graph of ['a', 'b', 'c']) await addSchedule(parts, { graph, trigger, by: 'me' });
    for (let minute = 0; minute < 20; minute++) {
      clock.advance(60_000);
      const reports = await Promise.all(daemons.map(({ scheduler }) => scheduler.tick()));
      expect(reports.flatMap(({ failures }) => failures)).toEqual([]);
      const fired = reports.flatMap((report) => report.fired.map(({ schedule }) => schedule));
      expect(fired.toSorted()).toEqual(['a-1', 'b-1', 'c-1']);
    }
    const stored = await parts.events.readAfter(0, 10_000);
    expect(stored.filter(({ type }) => type === 'run.started')).toHaveLength(60);
    expect(prepared).toBeGreaterThan(60);
  });
});
