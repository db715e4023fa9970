// Owns: merging two copies of the ledger, either of which may be damaged, cut or ahead, into one valid ledger.
// I1 Every yielded record continues the chain of those before it.
// I2 Where the copies diverge after the same event, the merge stops unless the caller chose a copy.
import { type MirrorRecord, placeOf } from './mirror-line.ts';
import type { LedgerHead } from './types.ts';
import { ChainVerifier } from './verify.ts';

/** A copy of the ledger: the database or its mirror. */
export type LedgerCopy = 'database' | 'mirror';

export interface MergeOutcome {
  /** The last valid event. */
  readonly head: LedgerHead;
  /** Valid events that exist only in the database, or only in the mirror. */
  readonly onlyIn: Readonly<Record<LedgerCopy, number>>;
  /** Whether the merge stopped because the copies diverge after the head. */
  readonly isDiverged: boolean;
  /** Records of a last transaction whose end is in neither copy. */
  readonly incomplete: number;
  /** Records after the head that the merge did not use. */
  readonly unused: Readonly<Record<LedgerCopy, number>>;
}

/** The readable records of each copy, in order of seq. */
export type CopyRecords = Readonly<Record<LedgerCopy, Iterable<MirrorRecord>>>;

/** Yields the records of one valid ledger in whole transactions and returns statistics. */
export function* mergeRecords(copies: CopyRecords, keep?: LedgerCopy): Generator<MirrorRecord, MergeOutcome> {
  const verifier = new ChainVerifier();
  const sources = { database: new Cursor(copies.database), mirror: new Cursor(copies.mirror) };
  const onlyIn = { database: 0, mirror: 0 };
  let head = verifier.head;
  let transaction: MirrorRecord[] = [];
  let isDiverged = false;
  for (;;) {
    const seq = verifier.head.seq + 1;
    const stored = soundAt(sources.database, seq, verifier);
    const mirrored = soundAt(sources.mirror, seq, verifier);
    isDiverged = isOther(stored, mirrored) && keep === undefined;
    const next = isDiverged ? undefined : choose(stored, mirrored, keep);
    if (next === undefined) break;
    if (stored === undefined) onlyIn.mirror += 1;
    if (mirrored === undefined) onlyIn.database += 1;
    verifier.add(next);
    transaction.push(next);
    if ('event' in next && !next.event.ends) continue;
    yield* transaction;
    transaction = [];
    head = verifier.head;
  }
  const unused = {
    database: sources.database.countFrom(verifier.head.seq + 1),
    mirror: sources.mirror.countFrom(verifier.head.seq + 1),
  };
  return { head, onlyIn, isDiverged, incomplete: transaction.length, unused };
}

function soundAt(source: Cursor, seq: number, verifier: ChainVerifier): MirrorRecord | undefined {
  const record = source.at(seq);
  return record !== undefined && verifier.fits(record) ? record : undefined;
}

function isOther(one: MirrorRecord | undefined, other: MirrorRecord | undefined): boolean {
  return one !== undefined && other !== undefined && placeOf(one).hash !== placeOf(other).hash;
}

function choose(
  stored: MirrorRecord | undefined,
  mirrored: MirrorRecord | undefined,
  keep: LedgerCopy | undefined,
): MirrorRecord | undefined {
  if (stored === undefined || mirrored === undefined) return stored ?? mirrored;
  if (isOther(stored, mirrored)) return keep === 'mirror' ? mirrored : stored;
  // The same event: one copy may not have recorded its archiving yet, or may have lost its body.
  if ('archived' in stored || 'archived' in mirrored) return 'archived' in stored ? stored : mirrored;
  return stored.event.bodyText === null ? mirrored : stored;
}

/** Reads records in order and skips those before the requested one. */
class Cursor {
  readonly #records: Iterator<MirrorRecord>;
  #next: MirrorRecord | undefined;

  constructor(records: Iterable<MirrorRecord>) {
    this.#records = records[Symbol.iterator]();
    this.#advance();
  }

  at(seq: number): MirrorRecord | undefined {
    while (this.#next !== undefined && placeOf(this.#next).seq < seq) this.#advance();
    return this.#next !== undefined && placeOf(this.#next).seq === seq ? this.#next : undefined;
  }

  countFrom(seq: number): number {
    let count = 0;
    for (; this.#next !== undefined; this.#advance()) if (placeOf(this.#next).seq >= seq) count += 1;
    return count;
  }

  #advance(): void {
    const { done, value } = this.#records.next();
    this.#next = done ? undefined : value;
  }
}
