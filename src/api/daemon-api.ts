import type { EpochMs, WorkerOutcome } from '../kernel/index.ts';

export type { WorkerOutcome };

/** The current failure of a worker, or the last one it recovered from. */
export interface WorkerError {
  readonly code: string;
  readonly message: string;
  /** The first and the last failure. */
  readonly since: EpochMs;
  readonly at: EpochMs;
  /** The number of failures since then. */
  readonly count: number;
  /** Missing while it fails. */
  readonly recoveredAt?: EpochMs;
}

/** A background loop of a daemon. */
export interface DaemonWorker {
  readonly name: string;
  /** `stopped` without an error: it had nothing to do. */
  readonly status: 'working' | 'failing' | 'stopped';
  readonly lastError?: WorkerError;
  readonly lastSuccessAt?: EpochMs;
  /** Missing if unknown. */
  readonly nextTryAt?: EpochMs;
}

/** A problem that does not stop the daemon. */
export type DaemonWarning = Pick<WorkerError, 'message' | 'since' | 'at' | 'count'>;

export interface DaemonStatus {
  readonly pid: number;
  readonly version: string;
  /** Clients of another build cannot use this daemon. */
  readonly build: string;
  readonly workspace: string;
  readonly startedAt: EpochMs;
  readonly log: string;
  /** The address of the web app; missing if the daemon has no web server. */
  readonly web?: string;
  readonly calls: number;
  readonly workers: readonly DaemonWorker[];
  /** Newest last. */
  readonly warnings: readonly DaemonWarning[];
}
