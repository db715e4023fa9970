import { systemClock, systemRandom } from '../../kernel/index.ts';
import { MemoryEventStore } from '../../ledger/index.ts';
import { graphStateProjection } from './graph-state-projection.ts';
import { graphStateStoreConformance } from './graph-state-store.conformance.ts';
import { MemoryGraphStateStore } from './graph-state-store.ts';

graphStateStoreConformance('memory', () => {
  const events = new MemoryEventStore({
    clock: systemClock,
    random: systemRandom,
    projections: [graphStateProjection],
  });
  return { events, state: new MemoryGraphStateStore(events.tables) };
});
