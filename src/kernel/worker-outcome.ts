import type { EpochMs } from './ports.ts';

/** The outcome of one attempt of a loop that retries by itself. */
export type WorkerOutcome =
  | { readonly ok: true; readonly task: string }
  | {
      readonly ok: false;
      /** A success of one task does not end the failure of another. */
      readonly task: string;
      readonly code: string;
      readonly message: string;
      readonly nextTryAt?: EpochMs;
    };
