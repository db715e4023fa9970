import type { LedgerEvent, MirrorRecord, OutboxSource } from '../../ledger/index.ts';
import type { OpenLedger } from '../ledger/open-ledger.ts';

/** The ledger as the outbox reads it. Every event it returns is durable. */
export function outboxSource(ledger: Pick<OpenLedger, 'store' | 'archive' | 'refresh'>): OutboxSource {
  const { store, archive } = ledger;
  let durableSeq = 0;
  return {
    head: () => store.head(),
    read: async (afterSeq, limit) => {
      const events = await store.readAfter(afterSeq, limit);
      const last = events.at(-1)?.seq ?? 0;
      if (last > durableSeq) {
        await store.makeDurable();
        await ledger.refresh();
        durableSeq = last;
      }
      return withArchived(events, { afterSeq, limit }, (seq) => archive.records(seq));
    },
  };
}

/** The events with the archived places between them, from the place after `afterSeq` on. */
function withArchived(
  events: readonly LedgerEvent[],
  { afterSeq, limit }: { readonly afterSeq: number; readonly limit: number },
  recordsAfter: (seq: number) => Iterable<MirrorRecord>,
): readonly MirrorRecord[] {
  const records: MirrorRecord[] = [];
  let seq = afterSeq;
  for (const event of events) {
    if (event.seq > seq + 1)
      for (const record of recordsAfter(seq)) {
        if ('event' in record || record.archived.seq >= event.seq || records.length >= limit) break;
        records.push(record);
      }
    if (records.length >= limit) return records;
    records.push({ event });
    seq = event.seq;
  }
  return records;
}
