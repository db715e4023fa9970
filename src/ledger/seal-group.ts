// Owns: turning the commits of one group into sealed events. Does not own: storing them.
// I1 A commit is sealed whole or refused whole.
// I2 A refused commit leaves no trace in the tail, so later commits of other streams are not affected.
import { OkaError } from '../kernel/index.ts';
import { type LedgerEvent, sealEvent } from './event.ts';
import type { Commit, LedgerHead, StreamEnd } from './types.ts';

/** How sealing learns where streams end; a draft of the new ends is kept beside it until the group is stored. */
export interface Tail {
  readonly head: LedgerHead;
  end(stream: string): StreamEnd;
}

export type SealOutcome =
  | { readonly events: readonly LedgerEvent[] }
  | { readonly refused: OkaError<'ledger.conflict'> };

export interface SealedGroup {
  readonly outcomes: readonly SealOutcome[];
  readonly ends: ReadonlyMap<string, StreamEnd>;
  readonly head: LedgerHead;
  readonly anyRefused: boolean;
}

/** Seals a group in order of arrival, on top of `tail`. */
export function sealGroup(
  commits: readonly Commit[],
  tail: Tail,
  ports: { readonly at: number; readonly newSalt: () => string },
): SealedGroup {
  const ends = new Map<string, StreamEnd>();
  const endOf = (stream: string): StreamEnd => ends.get(stream) ?? tail.end(stream);
  const accepted = acceptable(commits, tail);
  let left = accepted.reduce((sum, entry) => sum + (entry instanceof OkaError ? 0 : countEvents(entry)), 0);
  let { seq, hash: head } = tail.head;
  let anyRefused = false;
  const outcomes = accepted.map((entry): SealOutcome => {
    if (entry instanceof OkaError) {
      anyRefused = true;
      return { refused: entry };
    }
    const events: LedgerEvent[] = [];
    for (const append of entry.appends) {
      let previous = endOf(append.stream);
      for (const draft of append.events) {
        seq += 1;
        left -= 1;
        const record = sealEvent(draft, {
          seq,
          stream: append.stream,
          previous,
          head,
          at: ports.at,
          actor: entry.actor,
          ends: left === 0,
          newSalt: ports.newSalt,
        });
        previous = record;
        head = record.chain;
        events.push(record);
      }
      ends.set(append.stream, { index: previous.index, chain: previous.chain });
    }
    return { events };
  });
  return { outcomes, ends, head: { seq, hash: head }, anyRefused };
}

function countEvents(commit: Commit): number {
  let count = 0;
  for (const append of commit.appends) count += append.events.length;
  return count;
}

/** Each commit, or why it cannot be taken on top of the ones before it. */
function acceptable(
  commits: readonly Commit[],
  tail: Tail,
): readonly (Commit | OkaError<'ledger.conflict'>)[] {
  const indexes = new Map<string, number>();
  return commits.map((commit) => {
    const conflict = findConflict(commit, (stream) => indexes.get(stream) ?? tail.end(stream).index);
    if (conflict) return conflict;
    if (commits.length > 1) {
      for (const { stream, events } of commit.appends) {
        indexes.set(stream, (indexes.get(stream) ?? tail.end(stream).index) + events.length);
      }
    }
    return commit;
  });
}

function findConflict(
  commit: Commit,
  lastIndex: (stream: string) => number,
): OkaError<'ledger.conflict'> | undefined {
  for (const append of commit.appends) {
    if (append.expectedIndex === undefined) continue;
    const next = lastIndex(append.stream) + 1;
    if (next === append.expectedIndex) continue;
    return new OkaError(
      'ledger.conflict',
      `${append.stream} has moved on to index ${next} while index ${append.expectedIndex} was expected; read it again.`,
      { data: { stream: append.stream, expected: append.expectedIndex, actual: next } },
    );
  }
  return undefined;
}
