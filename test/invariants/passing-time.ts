import type { ManualClock } from '../support/manual-clock.ts';
import { turn } from './mortal-store.ts';

const IDLE_TURNS = 8;
const MOST_JUMPS = 500;
const MOST_TURNS = 6_000;

/** Lets simulated time pass, but only while nothing else happens: whoever works calls `note`. */
export class PassingTime {
  readonly #clock: ManualClock;
  readonly #idleTurns: number;
  #activity = 0;

  /** `slowness`: turns of the event loop that a use of the store may take without a sign of life. */
  constructor(clock: ManualClock, slowness: number) {
    this.#clock = clock;
    this.#idleTurns = IDLE_TURNS + slowness * 4;
  }

  note = (): void => {
    this.#activity += 1;
  };

  /** False when it is never done: nothing moves any more, or everything moves for ever. */
  async until(done: () => boolean): Promise<boolean> {
    let idle = 0;
    let jumps = 0;
    let turns = 0;
    for (let seen = -1; !done(); ) {
      await turn();
      if (++turns > MOST_TURNS) return false;
      if (this.#activity !== seen) {
        seen = this.#activity;
        idle = 0;
      } else if (++idle >= this.#idleTurns) {
        idle = 0;
        if (!this.#clock.advanceToNext() || ++jumps > MOST_JUMPS) return false;
      }
    }
    return true;
  }

  /** Waits until nothing moves, without letting time pass. False when that never happens. */
  async rest(): Promise<boolean> {
    let turns = 0;
    for (let idle = 0, seen = -1; idle < this.#idleTurns; idle++) {
      await turn();
      if (++turns > MOST_TURNS) return false;
      if (this.#activity !== seen) {
        seen = this.#activity;
        idle = 0;
      }
    }
    return true;
  }
}
