import type { LedgerEvent } from './event.ts';
import type { Commit, LedgerHead, StreamEnd } from './types.ts';

/** The append-only log. Every implementation passes the same conformance suite. */
export interface EventStore {
  /**
   * Appends all events of the commit, with the tables folded from them, or nothing. Answers when the events are as
   * durable as asked. Rejects with `ledger.conflict` when a stream is not where it was expected.
   */
  commit(commit: Commit): Promise<readonly LedgerEvent[]>;
  /**
   * Resolves when the store can keep up with one more writer; undefined when it can now. Whoever begins something asks, so
   * that what was begun before comes to an end first. Whoever is in the midst of something commits without asking.
   */
  room(): Promise<void> | undefined;
  /** The events of one stream from `fromIndex` on, in order. */
  read(stream: string, fromIndex?: number): Promise<readonly LedgerEvent[]>;
  /** Up to `limit` events of all streams after `seq`, in order. */
  readAfter(seq: number, limit: number): Promise<readonly LedgerEvent[]>;
  end(stream: string): Promise<StreamEnd>;
  head(): Promise<LedgerHead>;
  /** Makes all that was committed so far durable. */
  sync(): Promise<void>;
  /** Calls back after each transaction with its events; returns the way to stop. The callback must not throw. */
  subscribe(listener: (events: readonly LedgerEvent[]) => void): () => void;
}

/** A lease on a name: volatile, no events. */
export interface Leases {
  /** True when `owner` holds the lease until `expiresAt`, taking it over from an expired or dead holder. */
  acquire(name: string, owner: string, expiresAt: number): boolean;
  release(name: string, owner: string): void;
  holder(name: string): { readonly owner: string; readonly expiresAt: number } | undefined;
}
