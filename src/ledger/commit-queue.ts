import { OkaError } from '../kernel/index.ts';
import { Entrance } from './entrance.ts';
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

/**
 * Larger groups save nothing more, need more memory, and keep timers and sockets waiting for longer. So many do not wait for
 * the turn to end where groups are stored elsewhere, which costs this thread nothing.
 */
const LARGEST_GROUP = 128;

/** Whoever stores groups elsewhere has the next one at hand when one is done. */
const MOST_UNDER_WAY = 2;

/**
 * Gathers the commits that arrive in one turn of the event loop and hands them on as one group. A writer that has been
 * alone, and whose commit need not be synced, does not wait for the turn to end.
 */
export class CommitQueue {
  readonly #write: WriteGroup;
  readonly #entrance = new Entrance();
  #waiting: Waiting[] = [];
  #scheduled = false;
  /** How many groups are being stored elsewhere. */
  #underWay = 0;
  #elsewhere = false;
  #alone = false;
  #inThisTurn = 0;
  #closed = false;

  constructor(write: WriteGroup) {
    this.#write = write;
  }

  /** Resolves when one more writer can be kept up with; undefined when it can be now. */
  room(): Promise<void> | undefined {
    return this.#entrance.ask();
  }

  push(commit: WrittenCommit): Promise<readonly LedgerEvent[]> {
    if (this.#closed) {
      return Promise.reject(new OkaError('ledger.closed', 'the ledger is closed; open the workspace again.'));
    }
    return new Promise((resolve, reject) => {
      this.#waiting.push({ commit, resolve, reject });
      this.#entrance.enter();
      if (this.#underWay === MOST_UNDER_WAY) return;
      if (this.#elsewhere && this.#waiting.length >= LARGEST_GROUP) this.#flush();
      else if (!this.#scheduled) this.#schedule(commit);
    });
  }

  /** Waits until everything handed in so far is answered, then takes no more. */
  async close(): Promise<void> {
    while (this.#scheduled || this.#underWay > 0 || this.#waiting.length > 0)
      await new Promise((resolve) => setImmediate(resolve));
    this.#closed = true;
  }

  #schedule(first: WrittenCommit): void {
    this.#scheduled = true;
    const isAlone = this.#alone && this.#underWay === 0;
    if (isAlone && first.sync === 'normal' && this.#inThisTurn < MOST_IN_A_TURN) {
      this.#inThisTurn += 1;
      void SETTLED.then(this.#flushScheduled);
    } else setImmediate(this.#flushAfterTurn);
  }

  #flushAfterTurn = (): void => {
    this.#inThisTurn = 0;
    this.#flushScheduled();
  };

  #flushScheduled = (): void => {
    this.#scheduled = false;
    if (this.#underWay < MOST_UNDER_WAY && this.#waiting.length > 0) this.#flush();
  };

  #flush(): void {
    const group =
      this.#waiting.length > LARGEST_GROUP ? this.#waiting.splice(0, LARGEST_GROUP) : this.#waiting;
    if (group === this.#waiting) this.#waiting = [];
    this.#alone = group.length === 1;
    let answers: ReturnType<WriteGroup>;
    try {
      answers = this.#write(group.map((member) => member.commit));
    } catch (error) {
      answers = this.#writeSingly(group, error);
    }
    this.#elsewhere = answers instanceof Promise;
    if (answers instanceof Promise) this.#waitFor(group, answers);
    else {
      this.#settle(group, answers);
      const first = this.#waiting[0];
      if (first !== undefined && !this.#scheduled) this.#schedule(first.commit);
    }
  }

  #waitFor(group: readonly Waiting[], answers: Promise<readonly CommitOutcome[]>): void {
    this.#underWay += 1;
    void answers
      .catch((error: unknown) => this.#writeSingly(group, error))
      .then((outcomes) => {
        this.#underWay -= 1;
        // The next group is on its way before the answers to this one are worked on.
        if (this.#waiting.length > 0) this.#flush();
        this.#settle(group, outcomes);
      });
  }

  /** A group that could not be stored is tried member by member, so that one bad commit spoils no other. */
  async #writeSingly(group: readonly Waiting[], error: unknown): Promise<readonly CommitOutcome[]> {
    if (group.length === 1) return [{ error }];
    const outcomes: CommitOutcome[] = [];
    for (const member of group) {
      try {
        outcomes.push(...(await this.#write([member.commit])));
      } catch (alone) {
        outcomes.push({ error: alone });
      }
    }
    return outcomes;
  }

  #settle(group: readonly Waiting[], outcomes: readonly CommitOutcome[]): void {
    this.#entrance.leave(group.length);
    for (let i = 0; i < group.length; i++) {
      const member = group[i] as Waiting;
      const outcome = outcomes[i] as CommitOutcome;
      if ('events' in outcome) member.resolve(outcome.events);
      else member.reject(outcome.error);
    }
  }
}
