import type { EpochMs } from '../kernel/index.ts';

/** The outcome of one attempt of a loop that retries by itself. */
export type WorkerOutcome =
  | { readonly ok: true; readonly task: string }
  | {
      readonly ok: false;
      /** What was attempted: failures of one task do not end with the success of another. */
      readonly task: string;
      readonly code: string;
      readonly message: string;
      readonly nextTryAt?: EpochMs;
    };

/** A failure of a worker that is under way, or the last one that it recovered from. */
export interface WorkerError {
  readonly code: string;
  readonly message: string;
  /** When the worker began to fail, and when it failed last. */
  readonly since: EpochMs;
  readonly at: EpochMs;
  /** How often it has failed since then. */
  readonly count: number;
  /** When it worked again; missing while it fails. */
  readonly recoveredAt?: EpochMs;
}

/** A loop that a daemon runs in the background. */
export interface DaemonWorker {
  readonly name: string;
  /** `stopped` without an error: it had nothing to do. */
  readonly status: 'working' | 'failing' | 'stopped';
  readonly lastError?: WorkerError;
  readonly lastSuccessAt?: EpochMs;
  /** When it tries again; missing where that is not known. */
  readonly nextTryAt?: EpochMs;
}

/** Something that does not work as it should and that the daemon does without. */
export interface DaemonWarning {
  readonly message: string;
  readonly since: EpochMs;
  readonly at: EpochMs;
  readonly count: number;
}

/** A daemon as it describes itself. */
export interface DaemonStatus {
  readonly pid: number;
  readonly version: string;
  /** Which build of that version it is: parts of another cannot be loaded any more. */
  readonly build: string;
  readonly workspace: string;
  readonly startedAt: EpochMs;
  readonly log: string;
  /** How many calls are being carried out. */
  readonly calls: number;
  readonly workers: readonly DaemonWorker[];
  /** The newest last. */
  readonly warnings: readonly DaemonWarning[];
}
