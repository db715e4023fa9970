import type { EpochMs, Json, JsonObject } from '../../kernel/index.ts';

/** A run event that metrics are computed from. */
export interface Figure {
  readonly run: string;
  readonly type: string;
  readonly at: EpochMs;
  readonly data: JsonObject;
  /** What the model was shown, if one was called. */
  readonly manifest?: Json;
}

/** Reads events in ledger order. */
export interface RunFigures {
  read(since: EpochMs): Iterable<Figure>;
}
