import type { TextListener } from '../../agent/index.ts';
import type { RunActivity } from '../../api/index.ts';
import type { RedactingStream, Redactor } from '../../kernel/index.ts';

type ActivityListener = (activity: RunActivity) => void;

/** Passes the text of models, and what runs do right now, on to listeners, without secrets. */
export class TextListeners {
  readonly #redactor: Redactor;
  readonly #listeners = new Set<TextListener>();
  readonly #activityListeners = new Set<ActivityListener>();

  constructor(redactor: Redactor) {
    this.#redactor = redactor;
  }

  readonly emit: TextListener = (piece) => {
    const { run, model } = piece;
    if (model !== undefined) this.emitActivity({ kind: 'model', run, model });
    else for (const listener of this.#listeners) listener(piece);
  };

  readonly emitActivity: ActivityListener = (activity) => {
    if (this.#activityListeners.size === 0) return;
    const shown =
      activity.kind === 'output' ? { ...activity, text: this.#redactor.text(activity.text) } : activity;
    for (const listener of this.#activityListeners) listener(shown);
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

  /** As `add`, for activities. */
  addActivity(onActivity: ActivityListener, has: (run: string) => boolean): () => void {
    const listener: ActivityListener = (activity) => {
      if (has(activity.run)) onActivity(activity);
    };
    this.#activityListeners.add(listener);
    return () => this.#activityListeners.delete(listener);
  }
}
