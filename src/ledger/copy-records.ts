import { OkaError } from '../kernel/index.ts';
import { type MirrorRecord, placeOf } from './mirror-line.ts';
import type { LedgerErrorCode, LedgerHead } from './types.ts';

/** What became of records that a ledger was given to store. */
export interface AdoptedRecords {
  readonly stored: number;
  /** Skipped records of a last transaction whose end is missing. */
  readonly incomplete: number;
  /** The position before the first record that does not continue the chain; later records were skipped. */
  readonly brokenAfter?: LedgerHead;
}

/** A ledger whose records can be read in order. */
export interface RecordSource {
  head(): Promise<LedgerHead>;
  /** The chain value at a position; undefined if the ledger has none. */
  chainAt(seq: number): Promise<string | undefined>;
  /** Up to `limit` records after a position, including archived ones. */
  recordsAfter(seq: number, limit: number): Promise<readonly MirrorRecord[]>;
}

/** A ledger that stores sealed records unchanged. */
export interface RecordTarget {
  head(): Promise<LedgerHead>;
  /** Stores the whole transactions among the records that continue this ledger, and folds its tables. */
  adopt(records: readonly MirrorRecord[]): Promise<AdoptedRecords>;
}

const BATCH = 2_000;
const MAX_BATCH = 1_000_000;

/**
 * Copies what the target does not have yet. Refuses with `ledger.diverged` if the target is no earlier state of the source.
 * Returns the number of copied records.
 */
export async function copyRecords(
  source: RecordSource,
  target: RecordTarget,
  onProgress?: (done: number, total: number) => void,
): Promise<number> {
  let { seq, hash } = await target.head();
  if ((await source.chainAt(seq)) !== hash) throw diverged(seq);
  const total = (await source.head()).seq;
  let copied = 0;
  for (let limit = BATCH; ; ) {
    const records = await source.recordsAfter(seq, limit);
    const { stored, brokenAfter } = await target.adopt(records);
    if (brokenAfter !== undefined) throw diverged(brokenAfter.seq);
    const last = records[stored - 1];
    if (last !== undefined) ({ seq, hash } = placeOf(last));
    copied += stored;
    onProgress?.(seq, Math.max(seq, total));
    if (records.length < limit) return copied;
    // A transaction that is larger than the batch needs a larger one.
    limit = stored === 0 ? Math.min(limit * 2, MAX_BATCH) : BATCH;
  }
}

function diverged(seq: number): OkaError<LedgerErrorCode> {
  return new OkaError(
    'ledger.diverged',
    `The ledgers differ after event ${seq}, so one is no continuation of the other. Nothing was copied after it. Copy into an empty ledger.`,
    { data: { seq } },
  );
}
