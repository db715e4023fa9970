/** Milliseconds since the epoch. */
export type EpochMs = number;

/** The only source of time. Timers fire in order of their due time. */
export interface Clock {
  now(): EpochMs;
  /**
   * Calls `callback` once at or after `at`; returns a function that cancels it. Never fires synchronously. A background
   * timer does not keep the process alive.
   */
  callAt(at: EpochMs, callback: () => void, options?: { readonly background?: boolean }): () => void;
}

/** The only source of randomness. */
export interface Random {
  /** A number in [0, 1). */
  next(): number;
  /** `length` random bytes as hex: unpredictable in production, reproducible in tests. */
  hex(length: number): string;
}

/** Generates identifiers that sort by creation time. */
export interface Ids {
  next(): string;
}
