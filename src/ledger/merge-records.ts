// Owns: making one sound ledger of two copies, each of which may be damaged, cut or ahead of the other.
// I1 Every record that is given out continues the chain of those before it.
// I2 Where both copies continue the same event with different ones, none is given out unless the caller said which to keep.
import { type MirrorRecord, placeOf } from './mirror-line.ts';
import type { LedgerHead } from './types.ts';
import { ChainVerifier } from './verify.ts';

/** A copy of the ledger: the database or its mirror. */
export type LedgerCopy = 'database' | 'mirror';

/** What a merge found. */
export interface MergeOutcome {
  /** The last sound event. */
  readonly head: LedgerHead;
  /** Sound events that only the database, or only the mirror, has. */
  readonly onlyIn: Readonly<Record<LedgerCopy, number>>;
  /** Whether the merge stopped because both copies continue differently after the head. */
  readonly isDiverged: boolean;
  /** Records of a last transaction whose end neither copy has. */
  readonly incomplete: number;
  /** Records after the head that were not used. */
  readonly unused: Readonly<Record<LedgerCopy, number>>;
}

/** Records of each copy, in order of seq, without those that cannot be read. */
export type CopyRecords = Readonly<Record<LedgerCopy, Iterable<MirrorRecord>>>;

/** Gives out the records of one sound ledger, in whole transactions, and returns what it found. */
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
    verifier.see(next);
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
  // The same event: one copy may not know yet that it was archived, or may have lost its body.
  if ('archived' in stored || 'archived' in mirrored) return 'archived' in stored ? stored : mirrored;
  return stored.event.bodyText === null ? mirrored : stored;
}

/** Reads records one after the other and skips those before the one asked for. */
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
