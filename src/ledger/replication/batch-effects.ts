import type { JsonObject } from '../../kernel/index.ts';
import { LedgerEvent } from '../event.ts';
import { type EventAddress, erasedAddresses } from '../housekeeping.ts';
import type { MirrorRecord } from '../mirror-line.ts';
import type { Projection, RowChange } from '../projection.ts';
import type { LedgerHead } from '../types.ts';
import type { ReplicaBatch } from './types.ts';

/** What an event takes away from what was shipped before it. */
export type Removal =
  | { readonly erased: readonly EventAddress[] }
  | {
      readonly archived: { readonly stream: string; readonly lastIndex: number; readonly beforeSeq: number };
    };

/** Whether the batch follows right on this place. */
export function fitsAfter(batch: ReplicaBatch, position: LedgerHead): boolean {
  return batch.after.seq === position.seq && batch.after.hash === position.hash;
}

/** The removals that records tell of, in order. */
export function removalsOf(records: readonly MirrorRecord[]): Removal[] {
  return records.flatMap((record): Removal[] => {
    if (!('event' in record)) return [];
    const { type, dataText, seq } = record.event;
    if (type === 'body.erased') return [{ erased: erasedAddresses(JSON.parse(dataText) as JsonObject) }];
    if (type !== 'stream.archived') return [];
    const { stream, lastIndex } = JSON.parse(dataText) as { stream: string; lastIndex: number };
    return [{ archived: { stream, lastIndex, beforeSeq: seq } }];
  });
}

/** The changes of folded tables that records make, in order, each with the place it comes from. */
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
