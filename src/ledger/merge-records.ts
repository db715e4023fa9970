// Owns: merging two copies of the ledger, either of which may be damaged, cut or ahead, into one valid ledger.
// I1 Every yielded record continues the chain of those before it.
// I2 Where the copies diverge after the same event, the merge stops unless the caller chose a copy.
// I3 Where no copy has a sound event, the merge stops unless the caller accepts the loss: then the position stays empty, and
// later events follow that prove themselves by chain values. An event is never taken from a copy that left the chain.
import type { EventAddress } from './housekeeping.ts';
import { type MirrorRecord, placeOf } from './mirror-line.ts';
import type { EventRecord, LedgerHead } from './types.ts';
import { ChainVerifier, isBodyValid } from './verify.ts';

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
  /** What is left out before the head, where the loss is accepted. */
  readonly lost: LostRecords;
}

export interface LostRecords {
  /** The positions of events that no copy can prove. */
  readonly seqs: readonly number[];
  /** Those of them that a later event of their stream skips. */
  readonly skipped: readonly EventAddress[];
  /** Events whose body is damaged in every copy. */
  readonly bodies: readonly EventAddress[];
}

export interface MergeOptions {
  /** The copy to use where both continue differently. */
  readonly keep?: LedgerCopy | undefined;
  /** Leaves out what no copy can prove, instead of everything after it. */
  readonly acceptLoss?: boolean;
}

/** The readable records of each copy, in order of seq. */
export type CopyRecords = Readonly<Record<LedgerCopy, Iterable<MirrorRecord>>>;

/** Yields the records of one valid ledger in whole transactions and returns statistics. */
export function* mergeRecords(
  copies: CopyRecords,
  { keep, acceptLoss = false }: MergeOptions = {},
): Generator<MirrorRecord, MergeOutcome> {
  const verifier = new ChainVerifier();
  const sources = { database: new Cursor(copies.database), mirror: new Cursor(copies.mirror) };
  const onlyIn = { database: 0, mirror: 0 };
  let head = verifier.head;
  let transaction: MirrorRecord[] = [];
  let isDiverged = false;
  const seqs: number[] = [];
  const bodies: (EventAddress & { readonly seq: number })[] = [];
  for (;;) {
    const seq = verifier.head.seq + 1;
    const stored = soundAt(sources.database, seq, verifier);
    const mirrored = soundAt(sources.mirror, seq, verifier);
    isDiverged = isOther(stored, mirrored) && keep === undefined;
    const sound = isDiverged ? undefined : choose(stored, mirrored, keep);
    const next = sound ?? (acceptLoss && !isDiverged ? salvage(Object.values(sources), verifier) : undefined);
    if (next === undefined) break;
    if (sound !== undefined && stored === undefined) onlyIn.mirror += 1;
    if (sound !== undefined && mirrored === undefined) onlyIn.database += 1;
    if (sound === undefined && 'archived' in next) seqs.push(seq);
    if (sound === undefined && 'event' in next && next.event.bodyText === null)
      bodies.push({ stream: next.event.stream, index: next.event.index, seq });
    verifier.add(next);
    for (const source of Object.values(sources)) source.compare(next);
    transaction.push(next);
    const isWhole = 'event' in next ? next.event.ends : sound !== undefined;
    if (!isWhole) continue;
    yield* transaction;
    transaction = [];
    head = verifier.head;
  }
  const unused = {
    database: sources.database.countFrom(verifier.head.seq + 1),
    mirror: sources.mirror.countFrom(verifier.head.seq + 1),
  };
  const isKept = (one: { readonly seq: number }): boolean => one.seq <= head.seq;
  const lost = {
    seqs: seqs.filter((seq) => seq <= head.seq),
    skipped: verifier.skipped.filter(isKept).map(addressOf),
    bodies: bodies.filter(isKept).map(addressOf),
  };
  return { head, onlyIn, isDiverged, incomplete: transaction.length, unused, lost };
}

/**
 * The next record where no copy has a sound one: the event without its damaged body, or with its damaged chain value
 * computed again, or only its position. Undefined if no copy that followed the chain so far has a later record.
 */
function salvage(sources: readonly Cursor[], verifier: ChainVerifier): MirrorRecord | undefined {
  const seq = verifier.head.seq + 1;
  const following = sources.filter((source) => source.isFollowing);
  const events = eventsAt(following, seq);
  for (const event of events) {
    const bare = { event: { ...event, bodyText: null, salt: null } };
    if (event.bodyText !== null && verifier.fits(bare)) return bare;
  }
  const known = following.flatMap((source) => source.at(seq) ?? []).map((record) => placeOf(record).hash);
  for (const source of following) source.at(seq + 1);
  if (!following.some((source) => source.nextSeq <= seq + MAX_GAP)) return undefined;
  const later = eventsAt(following, seq + 1);
  const isConfirmed = (chain: string): boolean => later.some((event) => verifier.confirms(chain, event));
  for (const event of events) {
    const chain = isBodyValid(event) ? verifier.chainOf(event) : '';
    const fixed = { event: { ...event, chain } };
    if (verifier.fits(fixed) && isConfirmed(chain)) return fixed;
  }
  return { archived: { seq, chain: known.find(isConfirmed) ?? known[0] ?? '' } };
}

function eventsAt(sources: readonly Cursor[], seq: number): readonly EventRecord[] {
  return sources.flatMap((source) => {
    const record = source.at(seq);
    return record !== undefined && 'event' in record ? [record.event] : [];
  });
}

function addressOf({ stream, index }: EventAddress): EventAddress {
  return { stream, index };
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

/** So many positions in a row are left out at most; a larger gap is a damaged position. */
const MAX_GAP = 100_000;

/** Reads records in order and skips those before the requested one. */
class Cursor {
  readonly #records: Iterator<MirrorRecord>;
  #next: MirrorRecord | undefined;
  #afterNext: MirrorRecord | undefined;
  /** Whether its last record that was compared is the one that was chosen. */
  isFollowing = true;

  constructor(records: Iterable<MirrorRecord>) {
    this.#records = records[Symbol.iterator]();
    this.#afterNext = this.#read();
    this.#advance();
  }

  at(seq: number): MirrorRecord | undefined {
    while (this.#next !== undefined && placeOf(this.#next).seq < seq) this.#advance();
    return this.#next !== undefined && placeOf(this.#next).seq === seq ? this.#next : undefined;
  }

  /** The position of the next record; infinity if there is none. */
  get nextSeq(): number {
    return this.#next === undefined ? Number.POSITIVE_INFINITY : placeOf(this.#next).seq;
  }

  compare(chosen: MirrorRecord): void {
    const { seq, hash } = placeOf(chosen);
    const own = this.#next === undefined || placeOf(this.#next).seq !== seq ? undefined : placeOf(this.#next);
    if (own !== undefined && hash !== '') this.isFollowing = own.hash === hash;
  }

  countFrom(seq: number): number {
    let count = 0;
    for (; this.#next !== undefined; this.#advance()) if (placeOf(this.#next).seq >= seq) count += 1;
    return count;
  }

  /** Skips a record whose position is damaged, so that it is not before its successor. */
  #advance(): void {
    do {
      this.#next = this.#afterNext;
      this.#afterNext = this.#read();
    } while (
      this.#next !== undefined &&
      this.#afterNext !== undefined &&
      placeOf(this.#next).seq >= placeOf(this.#afterNext).seq
    );
  }

  #read(): MirrorRecord | undefined {
    const { done, value } = this.#records.next();
    return done ? undefined : value;
  }
}
