import type { EventStore } from '../../src/ledger/index.ts';

/** Kills this process, like a power failure. */
export function die(): never {
  process.kill(process.pid, 'SIGKILL');
  // The signal is delivered before this returns, but the compiler cannot know.
  for (;;);
}

/** Wraps a store, counts its commits, and kills the process `before` or `after` one of them. */
export class Doom {
  readonly #where: string;
  readonly #count: number;
  readonly #onCommit: () => void;
  #commits = 0;

  constructor(where: string, count: string, onCommit: () => void = () => undefined) {
    this.#where = where;
    this.#count = Number(count);
    this.#onCommit = onCommit;
  }

  /** How many commits were made so far. */
  get commits(): number {
    return this.#commits;
  }

  readonly wrap = (store: EventStore): EventStore =>
    new Proxy(store, {
      get: (target, name) => {
        const member = Reflect.get(target, name, target) as unknown;
        if (name !== 'commit') return typeof member === 'function' ? member.bind(target) : member;
        return async (commit: Parameters<EventStore['commit']>[0]) => {
          this.#commits += 1;
          const isLast = this.#commits === this.#count;
          if (isLast && this.#where === 'before') die();
          const events = await target.commit(commit);
          this.#onCommit();
          if (isLast && this.#where === 'after') die();
          return events;
        };
      },
    });
}
