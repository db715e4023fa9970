import { OkaError } from '../kernel/index.ts';
import type { LedgerEvent } from './event.ts';
import type { WrittenCommit } from './seal-group.ts';

/** What became of one commit of a group. */
export type CommitOutcome = { readonly events: readonly LedgerEvent[] } | { readonly error: unknown };

/** Stores a whole group in one transaction and answers for each member, in order. When it throws, nothing was stored. */
export type WriteGroup = (
  group: readonly WrittenCommit[],
) => readonly CommitOutcome[] | Promise<readonly CommitOutcome[]>;

interface Waiting {
  readonly commit: WrittenCommit;
  readonly resolve: (events: readonly LedgerEvent[]) => void;
  readonly reject: (error: unknown) => void;
}

const SETTLED = Promise.resolve();

/** So many commits in a row are stored without a turn of the event loop; then timers and sockets have theirs. */
const MOST_IN_A_TURN = 64;

/** Larger groups save nothing more, and keep timers and sockets waiting for longer. */
const LARGEST_GROUP = 512;

/**
 * Gathers the commits that arrive in one turn of the event loop and hands them on as one group. A writer that has been
 * alone, and whose commit need not be synced, does not wait for the turn to end.
 */
export class CommitQueue {
  readonly #write: WriteGroup;
  readonly #largest: number;
  #waiting: Waiting[] = [];
  #scheduled = false;
  #alone = false;
  #inThisTurn = 0;
  #closed = false;
  #running: Promise<void> = Promise.resolve();

  constructor(write: WriteGroup, options: { readonly largestGroup?: number } = {}) {
    this.#write = write;
    this.#largest = options.largestGroup ?? LARGEST_GROUP;
  }

  push(commit: WrittenCommit): Promise<readonly LedgerEvent[]> {
    if (this.#closed) {
      return Promise.reject(new OkaError('ledger.closed', 'the ledger is closed; open the workspace again.'));
    }
    return new Promise((resolve, reject) => {
      this.#waiting.push({ commit, resolve, reject });
      if (this.#scheduled) return;
      this.#scheduled = true;
      this.#schedule(commit);
    });
  }

  /** Waits until everything handed in so far is answered, then takes no more. */
  async close(): Promise<void> {
    while (this.#scheduled || this.#waiting.length > 0) {
      await new Promise((resolve) => setImmediate(resolve));
      await this.#running;
    }
    this.#closed = true;
  }

  #schedule(first: WrittenCommit): void {
    if (this.#alone && first.sync === 'normal' && this.#inThisTurn < MOST_IN_A_TURN) {
      this.#inThisTurn += 1;
      void SETTLED.then(this.#flush);
    } else setImmediate(this.#flushAfterTurn);
  }

  #flushAfterTurn = (): void => {
    this.#inThisTurn = 0;
    this.#flush();
  };

  #flush = (): void => {
    const group =
      this.#waiting.length > this.#largest ? this.#waiting.splice(0, this.#largest) : this.#waiting;
    if (group === this.#waiting) this.#waiting = [];
    this.#alone = group.length === 1;
    let answers: ReturnType<WriteGroup>;
    try {
      answers = this.#write(group.map((member) => member.commit));
    } catch (error) {
      this.#running = this.#writeSingly(group, error);
      return;
    }
    if (!(answers instanceof Promise)) this.#answer(group, answers);
    else {
      this.#running = answers.then(
        (outcomes) => {
          // The next group is on its way before the answers to this one are worked on.
          if (this.#waiting.length > 0) this.#flush();
          else this.#scheduled = false;
          settle(group, outcomes);
        },
        (error: unknown) => this.#writeSingly(group, error),
      );
    }
  };

  /** A group that could not be stored is tried member by member, so that one bad commit spoils no other. */
  async #writeSingly(group: readonly Waiting[], error: unknown): Promise<void> {
    const outcomes: CommitOutcome[] = [];
    for (const member of group) {
      if (group.length === 1) outcomes.push({ error });
      else {
        try {
          outcomes.push(...(await this.#write([member.commit])));
        } catch (alone) {
          outcomes.push({ error: alone });
        }
      }
    }
    this.#answer(group, outcomes);
  }

  #answer(group: readonly Waiting[], outcomes: readonly CommitOutcome[]): void {
    settle(group, outcomes);
    if (this.#waiting.length > 0) setImmediate(this.#flushAfterTurn);
    else this.#scheduled = false;
  }
}

function settle(group: readonly Waiting[], outcomes: readonly CommitOutcome[]): void {
  for (let i = 0; i < group.length; i++) {
    const member = group[i] as Waiting;
    const outcome = outcomes[i] as CommitOutcome;
    if ('events' in outcome) member.resolve(outcome.events);
    else member.reject(outcome.error);
  }
}
