import { OkaError } from '../kernel/index.ts';
import { AdmissionQueue } from './admission-queue.ts';
import type { LedgerEvent } from './event.ts';
import type { WrittenCommit } from './seal-group.ts';

/** The stored events of one commit, or why it was refused. */
export type CommitOutcome = { readonly events: readonly LedgerEvent[] } | { readonly error: unknown };

/** Stores a whole group in one transaction; returns an outcome for each commit, in order. When it throws, nothing is stored. */
export type WriteGroup = (group: readonly WrittenCommit[]) => readonly CommitOutcome[];

interface Waiting {
  readonly commit: WrittenCommit;
  readonly resolve: (events: readonly LedgerEvent[]) => void;
  readonly reject: (error: unknown) => void;
}

const RESOLVED = Promise.resolve();

/** How many commits in a row may be stored in one turn of the event loop, before timers and sockets have theirs. */
const MAX_IN_A_TURN = 64;

/** Larger groups are not faster per commit, and block the event loop for longer. */
const MAX_GROUP = 128;

/**
 * Collects the commits of one turn of the event loop and stores them as one group. A single writer whose commit need not
 * be synced does not wait for the end of the turn.
 */
export class CommitQueue {
  readonly #write: WriteGroup;
  readonly #admission = new AdmissionQueue();
  #waiting: Waiting[] = [];
  #isScheduled = false;
  #hasOneWriter = false;
  #inThisTurn = 0;
  #isClosed = false;

  constructor(write: WriteGroup) {
    this.#write = write;
  }

  /** Resolves when a new writer is admitted; undefined when it is admitted at once. */
  waitForCapacity(): Promise<void> | undefined {
    return this.#admission.request();
  }

  push(commit: WrittenCommit): Promise<readonly LedgerEvent[]> {
    if (this.#isClosed)
      return Promise.reject(new OkaError('ledger.closed', 'The ledger is closed. Open the workspace again.'));
    return new Promise((resolve, reject) => {
      this.#waiting.push({ commit, resolve, reject });
      this.#admission.start();
      if (!this.#isScheduled) this.#schedule(commit);
    });
  }

  /** Waits until every commit so far is stored or refused, then accepts no more. */
  async close(): Promise<void> {
    while (this.#waiting.length > 0) await new Promise((resolve) => setImmediate(resolve));
    this.#isClosed = true;
  }

  #schedule(first: WrittenCommit): void {
    this.#isScheduled = true;
    if (this.#hasOneWriter && first.sync === 'normal' && this.#inThisTurn < MAX_IN_A_TURN) {
      this.#inThisTurn += 1;
      void RESOLVED.then(this.#flush);
    } else setImmediate(this.#flushAfterTurn);
  }

  #flushAfterTurn = (): void => {
    this.#inThisTurn = 0;
    this.#flush();
  };

  #flush = (): void => {
    this.#isScheduled = false;
    const group = this.#waiting.splice(0, MAX_GROUP);
    this.#hasOneWriter = group.length === 1;
    const outcomes = this.#store(group);
    this.#admission.finish(group.length);
    for (const [i, { resolve, reject }] of group.entries()) {
      const outcome = outcomes[i] as CommitOutcome;
      if ('events' in outcome) resolve(outcome.events);
      else reject(outcome.error);
    }
    const first = this.#waiting[0];
    if (first !== undefined && !this.#isScheduled) this.#schedule(first.commit);
  };

  /** Stores a group. Where that fails, each commit is tried alone, so that a bad one does not fail the others. */
  #store(group: readonly Waiting[]): readonly CommitOutcome[] {
    try {
      return this.#write(group.map(({ commit }) => commit));
    } catch (error) {
      if (group.length === 1) return [{ error }];
      return group.flatMap((member) => this.#store([member]));
    }
  }
}
