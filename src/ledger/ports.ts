import type { LedgerEvent } from './event.ts';
import type { LeaseHolder } from './lease-holder.ts';
import type { Commit, LedgerHead, StreamEnd } from './types.ts';

/** The append-only log. Every implementation passes the same conformance suite. */
export interface EventStore {
  /**
   * Appends all events of the commit and updates the folded tables, or changes nothing. Resolves when the events have the
   * requested durability. Rejects with `ledger.conflict` when a stream is not at its expected index.
   */
  commit(commit: Commit): Promise<readonly LedgerEvent[]>;
  /**
   * Resolves when the store has capacity for one more writer; undefined if it has now. A new run waits for it, so that
   * earlier runs finish first. A running run commits without waiting.
   */
  waitForCapacity(): Promise<void> | undefined;
  /** The events of one stream from `fromIndex`, in order. */
  read(stream: string, fromIndex?: number): Promise<readonly LedgerEvent[]>;
  /** Up to `limit` events of all streams after `seq`, in order. */
  readAfter(seq: number, limit: number): Promise<readonly LedgerEvent[]>;
  end(stream: string): Promise<StreamEnd>;
  head(): Promise<LedgerHead>;
  /** Makes all commits so far durable. */
  sync(): Promise<void>;
  /** Calls `listener` with the events of each transaction; returns a function that unsubscribes. It must not throw. */
  subscribe(listener: (events: readonly LedgerEvent[]) => void): () => void;
}

/** Volatile leases on names; they write no events. */
export interface Leases {
  /** True if `owner` now holds the lease until `expiresAt`; takes over from an expired or dead holder. */
  acquire(name: string, owner: string, expiresAt: number): Promise<boolean>;
  release(name: string, owner: string): Promise<void>;
  holder(name: string): Promise<LeaseHolder | undefined>;
}
