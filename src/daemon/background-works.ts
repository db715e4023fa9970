// Owns: keeping what a daemon does all the time going: each work is started anew after a failure, later and later. Does not
// own: what the works do.
import type { DaemonWork } from '../api/index.ts';
import { type Clock, toFailure, waitUntil } from '../kernel/index.ts';
import type { DaemonLog } from './daemon-log.ts';

const FIRST_PAUSE_MS = 1_000;
const LONGEST_PAUSE_MS = 60_000;

/** Something that goes on until the signal aborts. */
export interface BackgroundWork {
  readonly name: string;
  readonly run: (signal: AbortSignal) => Promise<void>;
}

export class BackgroundWorks {
  readonly #works = new Map<string, DaemonWork>();
  readonly #clock: Clock;
  readonly #log: DaemonLog;
  readonly #stop = new AbortController();
  #done: Promise<unknown> = Promise.resolve();

  constructor(parts: { readonly clock: Clock; readonly log: DaemonLog }) {
    this.#clock = parts.clock;
    this.#log = parts.log;
  }

  get status(): readonly DaemonWork[] {
    return [...this.#works.values()];
  }

  start(works: readonly BackgroundWork[]): void {
    this.#done = Promise.all(works.map((work) => this.#keepGoing(work)));
  }

  /** Resolves when every work has let go. */
  async stop(): Promise<void> {
    this.#stop.abort();
    await this.#done;
  }

  async #keepGoing({ name, run }: BackgroundWork): Promise<void> {
    const { signal } = this.#stop;
    for (let pause = FIRST_PAUSE_MS; !signal.aborted; pause = Math.min(2 * pause, LONGEST_PAUSE_MS)) {
      const begun = this.#clock.now();
      this.#works.set(name, { name, status: 'working' });
      const trouble = await run(signal).then(
        () => undefined,
        (error: unknown) => toFailure(error, 'cli.unexpected').message,
      );
      if (signal.aborted || trouble === undefined) break;
      this.#log('trouble', `${name}: ${trouble}`);
      this.#works.set(name, { name, status: 'waiting', trouble });
      if (this.#clock.now() - begun > LONGEST_PAUSE_MS) pause = FIRST_PAUSE_MS;
      await waitUntil(this.#clock, this.#clock.now() + pause, [signal], { background: true });
    }
    this.#works.set(name, { name, status: 'stopped' });
  }
}
