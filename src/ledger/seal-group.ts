// Owns: turning the commits of one group into events. Does not own: storing them.
// I1 A commit is placed whole or refused whole.
// I2 A refused commit leaves no trace in the tail, so later commits of other streams are not affected.
import { OkaError } from '../kernel/index.ts';
import { type LedgerEvent, markEnd, placeEvent, sealEvent, writeOut } from './event.ts';
import type { Commit, LedgerHead, StreamEnd, SyncLevel } from './types.ts';

/** Where the ledger and its streams end. */
export interface Tail {
  readonly head: LedgerHead;
  end(stream: string): StreamEnd;
}

type PlaceOutcome =
  | { readonly events: readonly LedgerEvent[] }
  | { readonly error: OkaError<'ledger.conflict'> };

export interface PlacedGroup {
  /** What becomes of each commit, in order. */
  readonly outcomes: readonly PlaceOutcome[];
  /** The events of all of them, in order. */
  readonly events: readonly LedgerEvent[];
}

/** Where the ledger and its streams stand once a group is stored. */
export interface NewEnds {
  readonly head: LedgerHead;
  readonly ends: ReadonlyMap<string, StreamEnd>;
}

/** A commit whose events are written out and wait for their places. */
export interface WrittenCommit {
  readonly sync: SyncLevel;
  readonly appends: readonly {
    readonly stream: string;
    readonly expectedIndex: number | undefined;
    readonly events: readonly LedgerEvent[];
  }[];
}

/** Writes the events of a commit out. Throws where one of them cannot be written. */
export function writeOutCommit({ sync, actor, appends }: Commit, newSalt: () => string): WrittenCommit {
  const written = appends.map(({ stream, expectedIndex, events }) => ({
    stream,
    expectedIndex,
    events: events.map((draft) => writeOut(draft, stream, actor, newSalt)),
  }));
  return { sync, appends: written };
}

/** Places the events of a group in order of arrival, on top of `tail`. */
export function placeGroup(commits: readonly WrittenCommit[], tail: Tail, at: number): PlacedGroup {
  const next = new Map<string, number>();
  const nextIn = (stream: string): number => next.get(stream) ?? tail.end(stream).index + 1;
  let { seq } = tail.head;
  const placed: LedgerEvent[] = [];
  const outcomes = commits.map((commit): PlaceOutcome => {
    const error = findConflict(commit, nextIn);
    if (error !== undefined) return { error };
    for (const { stream, events } of commit.appends) {
      let index = nextIn(stream);
      for (const event of events) {
        seq += 1;
        placeEvent(event, seq, index, at);
        placed.push(event);
        index += 1;
      }
      next.set(stream, index);
    }
    return { events: commit.appends.flatMap(({ events }) => events) };
  });
  const last = placed.at(-1);
  if (last !== undefined) markEnd(last);
  return { outcomes, events: placed };
}

/** Seals placed events in order, on top of `tail`. */
export function sealEvents(events: readonly LedgerEvent[], tail: Tail): void {
  const newest = new Map<string, string>();
  let { hash } = tail.head;
  for (const event of events) {
    sealEvent(event, newest.get(event.stream) ?? tail.end(event.stream).chain, hash);
    hash = event.chain;
    newest.set(event.stream, hash);
  }
}

/** Where the ledger stands after these sealed events, of which there is at least one. */
export function endsOf(events: readonly LedgerEvent[]): NewEnds {
  const { seq, chain: hash } = events.at(-1) as LedgerEvent;
  const ends = new Map<string, StreamEnd>();
  for (const { stream, index, chain } of events) ends.set(stream, { index, chain });
  return { head: { seq, hash }, ends };
}

function findConflict(
  commit: WrittenCommit,
  nextIn: (stream: string) => number,
): OkaError<'ledger.conflict'> | undefined {
  for (const append of commit.appends) {
    if (append.expectedIndex === undefined) continue;
    const next = nextIn(append.stream);
    if (next === append.expectedIndex) continue;
    return new OkaError(
      'ledger.conflict',
      `${append.stream} has moved on to index ${next} while index ${append.expectedIndex} was expected; read it again.`,
      { data: { stream: append.stream, expected: append.expectedIndex, actual: next } },
    );
  }
  return undefined;
}
