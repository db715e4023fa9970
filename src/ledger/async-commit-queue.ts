import { OkaError } from '../kernel/index.ts';
import { AdmissionQueue } from './admission-queue.ts';
import type { CommitOutcome } from './commit-queue.ts';
import type { LedgerEvent } from './event.ts';
import type { WrittenCommit } from './seal-group.ts';

/** Stores a whole group in one transaction; resolves with an outcome for each commit, in order. */
type StoreGroup = (group: readonly WrittenCommit[]) => Promise<readonly CommitOutcome[]>;

interface Waiting {
  readonly commit: WrittenCommit;
  readonly resolve: (events: readonly LedgerEvent[]) => void;
  readonly reject: (error: unknown) => void;
}

/** Larger groups hold the lock of the ledger for longer. */
const MAX_GROUP = 256;

/** For stores on a server: collects the commits that arrive while a transaction is under way, and stores them as one group. */
export class AsyncCommitQueue {
  readonly #store: StoreGroup;
  readonly #admission = new AdmissionQueue();
  #waiting: Waiting[] = [];
  #working: Promise<void> | undefined;
  #isClosed = false;

  constructor(store: StoreGroup) {
    this.#store = store;
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
      this.#working ??= this.#work();
    });
  }

  /** Waits until every commit so far is stored or refused, then accepts no more. */
  async close(): Promise<void> {
    this.#isClosed = true;
    await this.#working;
  }

  async #work(): Promise<void> {
    // Commits of the same turn of the event loop share the first transaction.
    await new Promise((resolve) => setImmediate(resolve));
    while (this.#waiting.length > 0) {
      const group = this.#waiting.splice(0, MAX_GROUP);
      const outcomes = await this.#storeGroup(group);
      this.#admission.finish(group.length);
      for (const [i, { resolve, reject }] of group.entries()) {
        const outcome = outcomes[i] as CommitOutcome;
        if ('events' in outcome) resolve(outcome.events);
        else reject(outcome.error);
      }
      // Writers that continue after this group hand in their next commit in this turn.
      await new Promise((resolve) => setImmediate(resolve));
    }
    this.#working = undefined;
  }

  /** Where a group fails, each commit is tried alone, so that a bad one does not fail the others. */
  async #storeGroup(group: readonly Waiting[]): Promise<readonly CommitOutcome[]> {
    try {
      return await this.#store(group.map(({ commit }) => commit));
    } catch (error) {
      if (group.length === 1 || isOutage(error)) return group.map(() => ({ error }));
      const outcomes: CommitOutcome[] = [];
      for (const member of group) outcomes.push(...(await this.#storeGroup([member])));
      return outcomes;
    }
  }
}

/** Whether every commit would fail in the same way. */
function isOutage(error: unknown): boolean {
  return error instanceof OkaError && error.transient;
}
