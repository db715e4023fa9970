import type { LedgerEvent, SyncLevel } from '../../ledger/index.ts';
import type { FoldedTables } from './folded-tables.ts';
import { type LedgerTail, NOT_KNOWN_YET } from './ledger-tail.ts';
import { type StatementList, StatementNotes, type Value } from './statements.ts';

/** A group of placed events and what they change, to be sealed and stored in one transaction. */
export interface StoreRequest {
  readonly sync: SyncLevel;
  /** The chain value of the last event of the ledger; null where that is the last one of the group before. */
  readonly head: string | null;
  /**
   * For each event: seq, the stream's number and name, index, type, at, actor, whether it ends the transaction, data, body,
   * salt, and the chain value before it in its stream, which is null where that is an event of this group or the one before.
   */
  readonly events: readonly Value[];
  readonly changes: StatementList;
}

/** What the events were sealed with, in order. */
export interface Seals {
  readonly bodyDigests: readonly (string | null)[];
  readonly chains: readonly string[];
}

/** The seals, and the lines of all events for the mirror. */
export interface StoreAnswer extends Seals {
  readonly lines: Uint8Array;
}

/** What to store so that these events follow what `tail` knows. */
export function storeRequest(
  placed: readonly LedgerEvent[],
  sync: SyncLevel,
  tail: LedgerTail,
  tables: FoldedTables,
): StoreRequest {
  const notes = new StatementNotes();
  const events: Value[] = [];
  const seen = new Set<number>();
  for (const event of placed) {
    const { stream, index, type, at, actor, dataText, bodyText, salt } = event;
    const id = tail.idOf(stream, notes);
    const before = seen.has(id) ? null : knownChain(tail.end(stream).chain);
    seen.add(id);
    const ends = event.ends ? 1 : 0;
    events.push(event.seq, id, stream, index, type, at, actor, ends, dataText, bodyText, salt, before);
    tables.apply(event, notes);
  }
  return { sync, head: knownChain(tail.head.hash), events, changes: notes.list };
}

function knownChain(chain: string): string | null {
  return chain === NOT_KNOWN_YET ? null : chain;
}

/** The seals of stored events, if these are the placed ones. */
export function sealsIfSame(
  placed: readonly LedgerEvent[],
  stored: readonly LedgerEvent[],
): Seals | undefined {
  const same = placed.every(({ stream, index, at, dataText, salt }, i) => {
    const row = stored[i];
    if (row?.stream !== stream || row.index !== index || row.at !== at) return false;
    return row.dataText === dataText && row.salt === salt;
  });
  if (!same) return undefined;
  return {
    bodyDigests: stored.map(({ bodyDigest }) => bodyDigest),
    chains: stored.map(({ chain }) => chain),
  };
}
