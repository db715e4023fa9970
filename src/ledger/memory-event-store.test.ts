import { ManualClock } from '../../test/support/manual-clock.ts';
import { seededRandom } from '../../test/support/seeded-random.ts';
import { eventStoreConformance } from './event-store.conformance.ts';
import { MemoryEventStore } from './memory-event-store.ts';

eventStoreConformance(
  'MemoryEventStore',
  () => new MemoryEventStore({ clock: new ManualClock(), random: seededRandom() }),
);
