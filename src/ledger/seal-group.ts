// Owns: turning the commits of one group into events. Does not own: storing them.
// I1 A commit is placed as a whole or rejected as a whole.
// I2 A rejected commit does not change the tail, so later commits to other streams are unaffected.
import { OkaError } from '../kernel/index.ts';
import { type LedgerEvent, markEnd, placeEvent, sealEvent, writeOut } from './event.ts';
import type { Commit, LedgerHead, StreamEnd, SyncLevel } from './types.ts';

/** The end of the ledger and of its streams. */
export interface Tail {
  readonly head: LedgerHead;
  end(stream: string): StreamEnd;
}

type PlaceOutcome =
  | { readonly events: readonly LedgerEvent[] }
  | { readonly error: OkaError<'ledger.conflict'> };

export interface PlacedGroup {
  /** The outcome of each commit, in order. */
  readonly outcomes: readonly PlaceOutcome[];
  /** The events of all commits, in order. */
  readonly events: readonly LedgerEvent[];
}

/** The ends of the ledger and its streams after a group is stored. */
export interface NewEnds {
  readonly head: LedgerHead;
  readonly ends: ReadonlyMap<string, StreamEnd>;
}

/** A commit whose events are serialized but have no positions yet. */
export interface WrittenCommit {
  readonly sync: SyncLevel;
  readonly appends: readonly {
    readonly stream: string;
    readonly expectedIndex: number | undefined;
    readonly events: readonly LedgerEvent[];
  }[];
}

/** Serializes the events of a commit. Throws if one cannot be serialized. */
export function writeOutCommit({ sync, actor, appends }: Commit, newSalt: () => string): WrittenCommit {
  const written = appends.map(({ stream, expectedIndex, events }) => ({
    stream,
    expectedIndex,
    events: events.map((draft) => writeOut(draft, stream, actor, newSalt)),
  }));
  return { sync, appends: written };
}

/** Assigns positions after `tail` to the events of a group, in order of arrival. */
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

/** Seals placed events in order, starting at `tail`. */
export function sealEvents(events: readonly LedgerEvent[], tail: Tail): void {
  const newest = new Map<string, string>();
  let { hash } = tail.head;
  for (const event of events) {
    sealEvent(event, newest.get(event.stream) ?? tail.end(event.stream).chain, hash);
    hash = event.chain;
    newest.set(event.stream, hash);
  }
}

/** The ends after these sealed events; needs at least one event. */
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
      `${append.stream} is at index ${next}, but index ${append.expectedIndex} was expected. Read the stream again.`,
      { data: { stream: append.stream, expected: append.expectedIndex, actual: next } },
    );
  }
  return undefined;
}
