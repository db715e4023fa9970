import { InMemoryFrameRecords } from '../../../test/support/in-memory-frame-records.ts';
import { ManualClock } from '../../../test/support/manual-clock.ts';
import { seededRandom } from '../../../test/support/seeded-random.ts';
import { MemoryEventStore } from '../../ledger/index.ts';
import { frameProjection } from './frame-projection.ts';
import { frameRecordsConformance } from './frame-records.conformance.ts';

frameRecordsConformance('memory', () => {
  const clock = new ManualClock();
  const events = new MemoryEventStore({ clock, random: seededRandom(), projections: [frameProjection] });
  return { events, records: new InMemoryFrameRecords(events.tables), clock };
});
