import type { Clock, Ids } from '../kernel/index.ts';
import type { EventStore } from '../ledger/index.ts';
import type { DayRuns, Erasure, MemoryRecords, NodeVersions, TextSearch, VectorSearch } from './ports.ts';

/** What memory works with. */
export interface MemoryParts {
  readonly events: EventStore;
  readonly records: MemoryRecords;
  readonly search: TextSearch;
  readonly vectors: VectorSearch;
  readonly runs: DayRuns;
  readonly nodes: NodeVersions;
  readonly erasure: Erasure;
  readonly clock: Clock;
  readonly ids: Ids;
}
