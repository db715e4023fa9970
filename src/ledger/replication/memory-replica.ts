import { EMPTY_LEDGER, LedgerEvent } from '../event.ts';
import type { Removal } from '../housekeeping.ts';
import { MemoryTables } from '../memory-tables.ts';
import { type MirrorRecord, placeOf } from '../mirror-line.ts';
import type { Projection, Row } from '../projection.ts';
import type { LedgerHead } from '../types.ts';
import { fitsAfter, removalsOf } from './batch-effects.ts';

import type { ReplicaSink } from './ports.ts';
import type { ReplicaBatch, ReplicaTally } from './types.ts';

interface Kept {
  records: MirrorRecord[];
  readonly tables: MemoryTables;
}

/** An in-memory sink that meets all requirements for sinks. */
export class MemoryReplica implements ReplicaSink {
  readonly name = 'memory';
  readonly #projections: readonly Projection[];
  readonly #workspaces = new Map<string, Kept>();

  constructor(projections: readonly Projection[] = []) {
    this.#projections = projections;
  }

  async position(workspace: string): Promise<LedgerHead> {
    const last = this.#workspaces.get(workspace)?.records.at(-1);
    return last === undefined ? EMPTY_LEDGER : placeOf(last);
  }

  async ship(batch: ReplicaBatch): Promise<LedgerHead> {
    const position = await this.position(batch.workspace);
    if (!fitsAfter(batch, position)) return position;
    const kept = this.#kept(batch.workspace);
    kept.records.push(...batch.records);
    for (const removal of removalsOf(batch.records))
      kept.records = kept.records.map((record) => without(record, removal));
    for (const record of batch.records)
      if ('event' in record) kept.tables.apply(new LedgerEvent(record.event));
    return batch.head;
  }

  async tally(workspace: string): Promise<ReplicaTally> {
    const { records } = this.#kept(workspace);
    const events = records.flatMap((record) => ('event' in record ? [record.event] : []));
    return {
      events: events.length,
      archived: records.length - events.length,
      bodies: events.filter(({ bodyText }) => bodyText !== null).length,
      rows: Object.fromEntries(
        this.#projections
          .flatMap(({ tables }) => tables)
          .map(({ name }) => [name, this.rows(workspace, name).length]),
      ),
    };
  }

  async read(workspace: string, afterSeq: number, limit: number): Promise<readonly MirrorRecord[]> {
    return this.#kept(workspace).records.slice(afterSeq, afterSeq + limit);
  }

  rows(workspace: string, table: string): readonly Row[] {
    return this.#kept(workspace).tables.rows(table);
  }

  async close(): Promise<void> {}

  #kept(workspace: string): Kept {
    const kept = this.#workspaces.get(workspace) ?? {
      records: [],
      tables: new MemoryTables(this.#projections),
    };
    this.#workspaces.set(workspace, kept);
    return kept;
  }
}

function without(record: MirrorRecord, removal: Removal): MirrorRecord {
  if (!('event' in record)) return record;
  const { stream, index, seq, chain } = record.event;
  if ('erased' in removal) {
    const isErased = removal.erased.some((address) => address.stream === stream && address.index === index);
    return isErased ? { event: { ...record.event, bodyText: null, salt: null } } : record;
  }
  const { archived } = removal;
  const isArchived = stream === archived.stream && index <= archived.lastIndex && seq < archived.beforeSeq;
  return isArchived ? { archived: { seq, chain } } : record;
}
