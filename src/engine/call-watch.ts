import type { Clock } from '../kernel/index.ts';

const LOOK_EVERY_MS = 250;

/** A call in flight: when it is late, and whom to ask whether it is still wanted. */
export interface WatchedCall {
  readonly deadline: number;
  onLate(): void;
  onLook(): void;
}

/** Looks after all calls in flight with one timer, so that a quick call costs no timer of its own. */
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

  /** False when it was told already that it is late. */
  remove(call: WatchedCall): boolean {
    return this.#calls.delete(call);
  }

  #arm(): void {
    this.#disarm?.();
    let at = this.#clock.now() + LOOK_EVERY_MS;
    for (const call of this.#calls) at = Math.min(at, call.deadline);
    this.#armedFor = at;
    this.#disarm = this.#clock.callAt(at, this.#look, { background: true });
  }

  #look = (): void => {
    this.#armedFor = Number.POSITIVE_INFINITY;
    this.#disarm = undefined;
    const now = this.#clock.now();
    for (const call of this.#calls) {
      if (call.deadline <= now) {
        this.#calls.delete(call);
        call.onLate();
      } else call.onLook();
    }
    if (this.#calls.size > 0) this.#arm();
  };
}
