import { InMemoryRecords } from '../../test/support/in-memory-memory-records.ts';
import { InMemoryTextSearch } from '../../test/support/in-memory-text-search.ts';
import { ManualClock } from '../../test/support/manual-clock.ts';
import { seededRandom } from '../../test/support/seeded-random.ts';
import { sortableIds } from '../kernel/index.ts';
import { bodyErased, type LedgerEvent, MemoryEventStore, SYSTEM_STREAM } from '../ledger/index.ts';
import { factUseProjection } from './fact-use-projection.ts';
import { Memory } from './memory.ts';
import { memoryStream } from './memory-events.ts';
import { memoryProjection } from './memory-projection.ts';
import type { Erasure, MemoryParts } from './ports.ts';
import type { DayRun } from './types.ts';

/** Memory on an in-memory ledger. The test defines nodes and runs. */
export function memoryKit(startAt = '2026-01-10T12:00:00Z') {
  const clock = new ManualClock(Date.parse(startAt));
  const random = seededRandom();
  const events = new MemoryEventStore({ clock, random, projections: [memoryProjection, factUseProjection] });
  const versions = new Map<string, string>();
  const runs: DayRun[] = [];
  const erasure: Erasure = {
    erase: async (addresses, by, reason) => {
      const append = { stream: SYSTEM_STREAM, events: [bodyErased(addresses, reason)] };
      await events.commit({ actor: by, sync: 'full', appends: [append] });
    },
  };
  const parts: MemoryParts = {
    events,
    records: new InMemoryRecords(events.tables),
    search: new InMemoryTextSearch(events.tables),
    vectors: { read: async () => ({ degraded: 'This store has no vectors.', nearest: () => [] }) },
    runs: { newest: async () => runs },
    nodes: {
      versionsOf: async (paths) =>
        new Map(
          paths.flatMap((path) =>
            versions.has(path) ? [[path, { version: versions.get(path) as string }]] : [],
          ),
        ),
    },
    erasure,
    clock,
    ids: sortableIds(clock, random),
  };
  const eventsOf = (namespace: string): Promise<readonly LedgerEvent[]> =>
    events.read(memoryStream(namespace));
  return { ...parts, clock, events, versions, runList: runs, parts, memory: new Memory(parts), eventsOf };
}
