import type { EpochMs } from '../kernel/index.ts';

/** Something that a daemon does all the time. */
export interface DaemonWork {
  readonly name: string;
  readonly status: 'working' | 'waiting' | 'stopped';
  /** What went wrong last, if it has not gone well since. */
  readonly trouble?: string;
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
  readonly works: readonly DaemonWork[];
}
