import { ManualClock } from '../../test/support/manual-clock.ts';
import { seededRandom } from '../../test/support/seeded-random.ts';
import { MemoryEventStore } from '../ledger/index.ts';
import { MemoryCache, MemoryKnowledge, MemoryRunStore } from './memory-stores.ts';
import { runProjection } from './run-projection.ts';
import { cacheConformance, memoryStoreConformance, runStoreConformance } from './stores.conformance.ts';

runStoreConformance('MemoryRunStore', () => {
  const clock = new ManualClock();
  const events = new MemoryEventStore({ clock, random: seededRandom(), projections: [runProjection] });
  return { runs: new MemoryRunStore(events.tables), events, clock };
});

cacheConformance('MemoryCache', () => {
  const clock = new ManualClock();
  return { cache: new MemoryCache(clock), clock };
});

memoryStoreConformance('MemoryKnowledge', () => new MemoryKnowledge());
