import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import { SqlGraphStateStore } from '../src/adapters/sql/index.ts';
import { openDatabase, SqliteEventStore, SqliteTables } from '../src/adapters/sqlite/index.ts';
import { runProjection } from '../src/engine/index.ts';
import { graphStateProjection } from '../src/graph/index.ts';
import { graphStateStoreConformance } from '../src/graph/state/graph-state-store.conformance.ts';
import { scheduleProjection } from '../src/schedule/index.ts';
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
  return { tables, events };
}

graphStateStoreConformance('SqlGraphStateStore', () => {
  const { tables, events } = open();
  return { events, state: new SqlGraphStateStore(tables) };
});
