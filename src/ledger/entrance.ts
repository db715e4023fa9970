/** So many writers keep whoever stores busy; more of them at a time only fill the memory. */
const ENOUGH = 512;

/**
 * Lets newcomers in as those inside get done. Where more want to write than can be stored at a time, those who have begun
 * come to an end first. However busy it is inside, one newcomer is let in for each group that is stored.
 */
export class Entrance {
  #inside = 0;
  /** Let in during this turn of the event loop, and not to be seen inside yet. */
  #coming = 0;
  #queue: (() => void)[] = [];
  #scheduled = false;
  #hasLeft = false;

  /** Resolves when it is the newcomer's turn; undefined when it is now. */
  ask(): Promise<void> | undefined {
    this.#schedule();
    if (this.#queue.length > 0 || this.#inside + this.#coming >= ENOUGH)
      return new Promise((resolve) => this.#queue.push(resolve));
    this.#coming += 1;
    return undefined;
  }

  enter(): void {
    this.#inside += 1;
  }

  leave(count: number): void {
    this.#inside -= count;
    this.#hasLeft = true;
    if (this.#queue.length > 0) this.#schedule();
  }

  /** By the end of the turn, those who want to go on after what was just stored are inside again. */
  #schedule(): void {
    if (this.#scheduled) return;
    this.#scheduled = true;
    setImmediate(this.#letIn);
  }

  #letIn = (): void => {
    this.#scheduled = false;
    const least = this.#hasLeft ? 1 : 0;
    this.#hasLeft = false;
    this.#coming = Math.min(this.#queue.length, Math.max(least, ENOUGH - this.#inside));
    for (const enter of this.#queue.splice(0, this.#coming)) enter();
    if (this.#coming > 0) this.#schedule();
  };
}
