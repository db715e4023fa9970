import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { SqlGraphStateStore, SqlRunStore, SqlScheduleStore } from '../src/adapters/sql/index.ts';
import { openDatabase, SqliteEventStore, SqliteTables } from '../src/adapters/sqlite/index.ts';
import { Engine, type RunStore, runProjection } from '../src/engine/index.ts';
import { graphStateProjection } from '../src/graph/index.ts';
import { graphStateStoreConformance } from '../src/graph/state/graph-state-store.conformance.ts';
import type { EventDraft } from '../src/ledger/index.ts';
import { scheduleProjection } from '../src/schedule/index.ts';
import { finish, plannerOf, readTool, WORK_GRAPH } from './support/engine-kit.ts';
import { ManualClock } from './support/manual-clock.ts';
import { seededRandom } from './support/seeded-random.ts';
import { tempFolder } from './support/temp-folder.ts';

function open() {
  const file = join(tempFolder(), 'oka.db');
  const clock = new ManualClock();
  const database = openDatabase({ file, now: () => clock.now() });
  onTestFinished(() => database.close());
  const projections = [runProjection, graphStateProjection, scheduleProjection];
  const events = new SqliteEventStore({ database, file, projections, clock, random: seededRandom(1) });
  events.tables.ensure();
  const tables = new SqliteTables(database, file);
  const runs: RunStore = new SqlRunStore(tables);
  return { clock, tables, events, runs };
}

graphStateStoreConformance('SqlGraphStateStore', () => {
  const { tables, events } = open();
  return { events, state: new SqlGraphStateStore(tables) };
});

test('SqlScheduleStore finds the runs of firings that have not ended, oldest first', async () => {
  const { clock, tables, events, runs } = open();
  const schedules = new SqlScheduleStore(tables);
  const planner = plannerOf(({ goal }) =>
    goal === 'asks' ? { kind: 'ask_human', question: 'Go on?', rationale: 'test' } : finish(),
  );
  const kinds = [{ name: 'test', planner, graph: WORK_GRAPH }];
  const engine = new Engine({ tools: [readTool('none', () => null)], kinds, events, runs, clock });
  const fire = async (firing: string, goal: string): Promise<string> => {
    clock.advance(1);
    const { run, appends } = await engine.prepare({ kind: 'test', goal, origin: firing });
    const data = { firing, plannedAt: clock.now(), run, reason: 'due', cursor: clock.now(), runs: [run] };
    const fired: EventDraft = { type: 'schedule.fired', data };
    const schedule = firing.slice(0, firing.indexOf('@'));
    const own = { stream: `schedule/${schedule}`, events: [fired] };
    await events.commit({ actor: 'test', sync: 'normal', appends: [own, ...appends] });
    return run;
  };
  const pending = await fire('b-1@1', 'ends');
  const ended = await fire('a-1@1', 'ends');
  const waiting = await fire('a-1@2', 'asks');
  await engine.create({ kind: 'test', goal: 'of nobody' });
  await engine.resume(ended);
  await engine.resume(waiting);
  expect(await schedules.openRuns()).toMatchObject([
    { schedule: 'b-1', run: { id: pending, status: 'pending' } },
    { schedule: 'a-1', run: { id: waiting, status: 'waiting' } },
  ]);
});
