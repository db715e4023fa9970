import type { EpochMs, Json, JsonObject } from '../../kernel/index.ts';

/** An event of a run that figures are made of. */
export interface Figure {
  readonly run: string;
  readonly type: string;
  readonly at: EpochMs;
  readonly data: JsonObject;
  /** What a model was shown, where one was asked. */
  readonly manifest?: Json;
}

/** Reads figures from the ledger, in its order. */
export interface RunFigures {
  /** From this moment on. */
  read(since: EpochMs): Iterable<Figure>;
}
