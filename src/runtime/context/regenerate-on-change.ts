import type { RegenerateAnswer, TreeChangeView } from '../../api/index.ts';
import { textOf } from '../../kernel/index.ts';

export interface RegenerateOnChangeParts {
  /** Makes again what does not hold any more; of these paths only, if some are given. */
  readonly regenerate: (paths: ReadonlySet<string> | undefined) => Promise<RegenerateAnswer>;
  readonly onRegenerated: (answer: RegenerateAnswer) => void;
  readonly onWarning: (what: string) => void;
  readonly signal: AbortSignal;
}

/**
 * Makes frames again after changes, one pass at a time; what changes during a pass is for the next one. A pass that fails is
 * told, and what it left is tried again with the next change.
 */
export class RegenerateOnChange {
  readonly #parts: RegenerateOnChangeParts;
  #paths = new Set<string>();
  #everything = false;
  #pass: Promise<void> | undefined;

  constructor(parts: RegenerateOnChangeParts) {
    this.#parts = parts;
  }

  /** Takes what may have changed before anybody watched. */
  start(): void {
    this.#everything = true;
    this.#regenerate();
  }

  add({ changes }: Pick<TreeChangeView, 'changes'>): void {
    for (const { path } of changes) this.#paths.add(path);
    this.#regenerate();
  }

  /** Answers when the pass that is under way is done. */
  async settled(): Promise<void> {
    await this.#pass;
  }

  #regenerate(): void {
    this.#pass ??= this.#run().finally(() => {
      this.#pass = undefined;
    });
  }

  async #run(): Promise<void> {
    const { regenerate, onRegenerated, onWarning, signal } = this.#parts;
    while ((this.#everything || this.#paths.size > 0) && !signal.aborted) {
      const [paths, everything] = [this.#paths, this.#everything];
      this.#paths = new Set();
      this.#everything = false;
      try {
        const answer = await regenerate(everything ? undefined : paths);
        if (answer.regenerated.length > 0 || answer.skipped.length > 0) onRegenerated(answer);
      } catch (error) {
        onWarning(textOf(error));
        this.#paths = new Set([...paths, ...this.#paths]);
        this.#everything ||= everything;
        return;
      }
    }
  }
}
