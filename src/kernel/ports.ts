/** Milliseconds since the epoch. */
export type EpochMs = number;

/** The only source of time. Timers fire in order of their due time; a fired or cancelled timer is forgotten. */
export interface Clock {
  now(): EpochMs;
  /**
   * Calls `callback` once at or after `at`; returns the way to cancel it. Never fires synchronously. A background timer
   * does not keep the process alive.
   */
  callAt(at: EpochMs, callback: () => void, options?: { readonly background?: boolean }): () => void;
}

/** The only source of chance. */
export interface Random {
  /** A number in [0, 1). */
  next(): number;
  /** `length` random bytes as hex; unpredictable in production, reproducible in tests. */
  hex(length: number): string;
}

/** Makes identifiers that sort by the time they were made. */
export interface Ids {
  next(): string;
}
