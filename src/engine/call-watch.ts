import type { Clock } from '../kernel/index.ts';

const POLL_INTERVAL_MS = 250;

/** A call in flight: its deadline, and callbacks for a missed deadline and for each poll. */
export interface WatchedCall {
  readonly deadline: number;
  onLate(): void;
  onPoll(): void;
}

/** Watches all calls in flight with one timer, so that a fast call needs no timer of its own. */
export class CallWatch {
  readonly #clock: Clock;
  readonly #calls = new Set<WatchedCall>();
  #armedFor = Number.POSITIVE_INFINITY;
  #disarm: (() => void) | undefined;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  add(call: WatchedCall): void {
    this.#calls.add(call);
    if (this.#armedFor > call.deadline || this.#armedFor === Number.POSITIVE_INFINITY) this.#arm();
  }

  /** False when `onLate` was already called. */
  remove(call: WatchedCall): boolean {
    return this.#calls.delete(call);
  }

  #arm(): void {
    this.#disarm?.();
    let at = this.#clock.now() + POLL_INTERVAL_MS;
    for (const call of this.#calls) at = Math.min(at, call.deadline);
    this.#armedFor = at;
    this.#disarm = this.#clock.callAt(at, this.#poll, { background: true });
  }

  #poll = (): void => {
    this.#armedFor = Number.POSITIVE_INFINITY;
    this.#disarm = undefined;
    const now = this.#clock.now();
    for (const call of this.#calls) {
      if (call.deadline <= now) {
        this.#calls.delete(call);
        call.onLate();
      } else call.onPoll();
    }
    if (this.#calls.size > 0) this.#arm();
  };
}
