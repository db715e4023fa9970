import type { TextListener } from '../../agent/index.ts';
import type { RedactingStream, Redactor } from '../../kernel/index.ts';

/** Passes the text of models on to listeners, without secrets. */
export class TextListeners {
  readonly #redactor: Redactor;
  readonly #listeners = new Set<TextListener>();

  constructor(redactor: Redactor) {
    this.#redactor = redactor;
  }

  readonly emit: TextListener = (piece) => {
    for (const listener of this.#listeners) listener(piece);
  };

  /** Adds a listener for the runs that `has` accepts. Returns a function that removes it. */
  add(onText: (text: string, run: string) => void, has: (run: string) => boolean = () => true): () => void {
    const streams = new Map<string, RedactingStream>();
    const listener: TextListener = ({ run, text, last }) => {
      if (!has(run)) return;
      const stream = streams.get(run) ?? this.#redactor.redactingStream();
      streams.set(run, stream);
      const shown = last ? stream.end() : stream.push(text);
      if (shown !== '') onText(shown, run);
      if (last) streams.delete(run);
    };
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }
}
