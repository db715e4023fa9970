/** How many commits may wait at the same time. More would not be stored sooner, and only need memory. */
const MAX_IN_FLIGHT = 512;

/**
 * Admits new writers as commits are stored, so that started runs end before more start. Each stored
 * group admits at least one.
 */
export class AdmissionQueue {
  #inFlight = 0;
  /** Admitted in this turn of the event loop, without a commit yet. */
  #admitted = 0;
  #waiting: (() => void)[] = [];
  #isScheduled = false;
  #hasFinished = false;

  /** Resolves when a new writer is admitted; undefined when it is admitted at once. */
  request(): Promise<void> | undefined {
    this.#schedule();
    if (this.#waiting.length > 0 || this.#inFlight + this.#admitted >= MAX_IN_FLIGHT)
      return new Promise((resolve) => this.#waiting.push(resolve));
    this.#admitted += 1;
    return undefined;
  }

  start(): void {
    this.#inFlight += 1;
  }

  finish(count: number): void {
    this.#inFlight -= count;
    this.#hasFinished = true;
    if (this.#waiting.length > 0) this.#schedule();
  }

  /** Waits for the end of the turn, when writers that continue after a stored commit have handed in the next one. */
  #schedule(): void {
    if (this.#isScheduled) return;
    this.#isScheduled = true;
    setImmediate(this.#admit);
  }

  #admit = (): void => {
    this.#isScheduled = false;
    const least = this.#hasFinished ? 1 : 0;
    this.#hasFinished = false;
    this.#admitted = Math.min(this.#waiting.length, Math.max(least, MAX_IN_FLIGHT - this.#inFlight));
    for (const admit of this.#waiting.splice(0, this.#admitted)) admit();
    if (this.#admitted > 0) this.#schedule();
  };
}
