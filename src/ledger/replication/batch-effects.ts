import { LedgerEvent } from '../event.ts';
import { type Removal, removalOf } from '../housekeeping.ts';
import type { MirrorRecord } from '../mirror-line.ts';
import type { Projection, RowChange } from '../projection.ts';
import type { LedgerHead } from '../types.ts';
import type { ReplicaBatch } from './types.ts';

/** Whether the batch starts directly after this position. */
export function fitsAfter(batch: ReplicaBatch, position: LedgerHead): boolean {
  return batch.after.seq === position.seq && batch.after.hash === position.hash;
}

/** The removals that the records contain, in order. */
export function removalsOf(records: readonly MirrorRecord[]): Removal[] {
  return records.flatMap((record) => ('event' in record ? (removalOf(record.event) ?? []) : []));
}

/** The changes to folded tables that the records cause, in order, each with its position. */
export function changesOf(
  records: readonly MirrorRecord[],
  projections: readonly Projection[],
): { readonly seq: number; readonly change: RowChange }[] {
  return records.flatMap((record) => {
    if (!('event' in record)) return [];
    const { type, seq } = record.event;
    const folding = projections.filter((projection) => projection.types.has(type));
    if (folding.length === 0) return [];
    const event = new LedgerEvent(record.event);
    return folding.flatMap((projection) => projection.apply(event)).map((change) => ({ seq, change }));
  });
}
