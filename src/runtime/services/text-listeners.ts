import type { TextListener } from '../../agent/index.ts';
import type { RunActivity } from '../../api/index.ts';
import type { RedactingStream, Redactor } from '../../kernel/index.ts';
import type { SharedStores } from '../ledger/open-ledger.ts';

type ActivityListener = (activity: RunActivity) => void;
type Piece = Parameters<TextListener>[0];

/** What one process of a ledger tells the others. */
interface Told {
  readonly piece?: Piece;
  readonly activity?: RunActivity;
}

/** Even if each character is escaped, a message of this length is sent. */
const MAX_SHARED = 1_000;

/** Passes the text of models, and what runs do right now, on to listeners, without secrets. */
export class TextListeners {
  readonly #redactor: Redactor;
  readonly #listeners = new Set<TextListener>();
  readonly #activityListeners = new Set<ActivityListener>();
  #tell: ((told: Told) => void) | undefined;
  #share: TextListener = () => undefined;

  constructor(redactor: Redactor) {
    this.#redactor = redactor;
  }

  /** Also tells the other processes of a ledger, and listens to them. */
  connect(live: SharedStores['live']): void {
    if (this.#tell !== undefined) return;
    const tell = (told: Told): void => live.send(JSON.stringify(told));
    this.#tell = tell;
    this.#share = this.#clean((piece) => {
      for (const text of parts(piece.text)) tell({ piece: { ...piece, text } });
    });
    live.listen((message) => {
      const { piece, activity } = JSON.parse(message) as Told;
      if (piece !== undefined) for (const listener of this.#listeners) listener(piece);
      if (activity !== undefined) for (const listener of this.#activityListeners) listener(activity);
    });
  }

  readonly emit: TextListener = (piece) => {
    const { run, model } = piece;
    if (model !== undefined) return this.emitActivity({ kind: 'model', run, model });
    for (const listener of this.#listeners) listener(piece);
    this.#share(piece);
  };

  readonly emitActivity: ActivityListener = (activity) => {
    if (this.#activityListeners.size === 0 && this.#tell === undefined) return;
    const shown =
      activity.kind === 'output' ? { ...activity, text: this.#redactor.text(activity.text) } : activity;
    for (const listener of this.#activityListeners) listener(shown);
    this.#tell?.({ activity: shown });
  };

  /** Adds a listener for the runs that `has` accepts. Returns a function that removes it. */
  add(onText: (text: string, run: string) => void, has: (run: string) => boolean = () => true): () => void {
    const clean = this.#clean(({ run, text }) => {
      if (text !== '') onText(text, run);
    });
    const listener: TextListener = (piece) => {
      if (has(piece.run)) clean(piece);
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

  /** Takes secrets out of the text of each run, also where pieces divide them. */
  #clean(onPiece: TextListener): TextListener {
    const streams = new Map<string, RedactingStream>();
    return ({ run, text, last }) => {
      const stream = streams.get(run) ?? this.#redactor.redactingStream();
      streams.set(run, stream);
      const shown = last ? stream.end() : stream.push(text);
      if (shown !== '') onPiece({ run, text: shown });
      if (!last) return;
      streams.delete(run);
      onPiece({ run, text: '', last });
    };
  }
}

function parts(text: string): readonly string[] {
  const count = Math.max(1, Math.ceil(text.length / MAX_SHARED));
  return Array.from({ length: count }, (_, i) => text.slice(i * MAX_SHARED, (i + 1) * MAX_SHARED));
}
