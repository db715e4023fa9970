import type { DaemonWarning } from '../api/index.ts';
import type { Clock, Warning } from '../kernel/index.ts';

/** One screenful; older ones are in the log. */
const MAX_WARNINGS = 20;

/** The newest problems that a daemon tolerates, until they are over. */
export class Warnings {
  readonly #clock: Clock;
  readonly #hide: (text: string) => string;
  readonly #warnings = new Map<string, DaemonWarning & { readonly topic?: string | undefined }>();

  constructor(parts: { readonly clock: Clock; readonly hide: (text: string) => string }) {
    this.#clock = parts.clock;
    this.#hide = parts.hide;
  }

  get list(): readonly DaemonWarning[] {
    return [...this.#warnings.values()].map(({ topic: _, ...warning }) => warning);
  }

  add({ message: text, topic, isOver }: Warning): void {
    if (isOver) {
      for (const [message, known] of this.#warnings)
        if (known.topic === topic) this.#warnings.delete(message);
      return;
    }
    const message = this.#hide(text);
    const at = this.#clock.now();
    const { since = at, count = 0 } = this.#warnings.get(message) ?? {};
    // Moves the warning to the end; the oldest is evicted first.
    this.#warnings.delete(message);
    this.#warnings.set(message, { message, since, at, count: count + 1, topic });
    const [oldest] = this.#warnings.keys();
    if (oldest !== undefined && this.#warnings.size > MAX_WARNINGS) this.#warnings.delete(oldest);
  }
}
