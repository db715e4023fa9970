import { type Clock, systemClock } from '../../src/kernel/index.ts';

/** The system clock with an offset that the test sets. */
export class ShiftedClock implements Clock {
  #byMs: number;

  constructor(byMs = 0) {
    this.#byMs = byMs;
  }

  now(): number {
    return systemClock.now() + this.#byMs;
  }

  callAt(...[at, callback, options]: Parameters<Clock['callAt']>): () => void {
    return systemClock.callAt(at - this.#byMs, callback, options);
  }

  advance(byMs: number): void {
    this.#byMs += byMs;
  }
}
