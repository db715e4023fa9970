import type { Clock } from '../../src/kernel/index.ts';

/** A clock that moves only when the test moves it. */
export class ManualClock implements Clock {
  #now: number;
  readonly #timers = new Set<{ at: number; callback: () => void }>();

  constructor(now = 1_700_000_000_000) {
    this.#now = now;
  }

  now(): number {
    return this.#now;
  }

  callAt(at: number, callback: () => void): () => void {
    const timer = { at, callback };
    this.#timers.add(timer);
    // A timer of the past fires soon, as with a real clock: the test may have advanced just before it was set.
    if (at <= this.#now)
      setImmediate(() => {
        if (this.#timers.delete(timer)) callback();
      });
    return () => void this.#timers.delete(timer);
  }

  /** Advances the time and fires due timers, in order. */
  advance(byMs: number): void {
    this.#now += byMs;
    const due = [...this.#timers].filter((timer) => timer.at <= this.#now).sort((a, b) => a.at - b.at);
    for (const timer of due) {
      this.#timers.delete(timer);
      timer.callback();
    }
  }

  /** Moves to the next timer, if there is one. */
  advanceToNext(): boolean {
    const [next] = [...this.#timers].map((timer) => timer.at).sort((a, b) => a - b);
    if (next === undefined) return false;
    this.advance(Math.max(0, next - this.#now));
    return true;
  }
}

/** Runs all ready callbacks, without waiting for timers. */
export async function settle(turns = 20): Promise<void> {
  for (let i = 0; i < turns; i++) await new Promise((resolve) => setImmediate(resolve));
}
