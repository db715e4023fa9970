import type { OpenChildren } from '../../engine/index.ts';
import type { EpochMs } from '../../kernel/index.ts';

/** What became of a run that was driven until it ended or had to wait. Stored in Restate's journal, so it is JSON. */
export interface DriveOutcome {
  readonly status: string;
  readonly ended: boolean;
  /** The children that the run waits for. */
  readonly awaited?: Omit<OpenChildren, 'awaited'>;
  /** Cancelled children. The parent no longer waits for them, but they still have to end. */
  readonly cancelled: readonly string[];
  /** The time at which a timer of the run fires or its approval expires. */
  readonly wake?: { readonly at: number; readonly inMs: number };
  /** The time for which the run waits, unless a person may answer before. */
  readonly dueAt?: number;
  readonly parent?: string;
  /** The mailboxes that got a message, or that wait for the end of the run. */
  readonly mailboxes: readonly Mailbox[];
  /** Whether a schedule started the run, so that the next firing may wait for its end. */
  readonly scheduled: boolean;
}

/** The turns of an agent in one conversation. */
export interface Mailbox {
  readonly agent: string;
  readonly conversation: string;
}

/** Work that the ledger has and that may have been lost on the way to the cluster. `key` is the same until it changes. */
export interface OpenWork {
  readonly runs: readonly { readonly run: string; readonly key: string }[];
  readonly mailboxes: readonly (Mailbox & { readonly key: string })[];
}

/** A proof as an invocation shows it. */
interface UsedProof {
  readonly nonce: string;
  readonly invocation: string;
  /** Remembered until then. */
  readonly until: EpochMs;
  /** Whether the proof may be new now. Otherwise only a further attempt of its invocation may show it. */
  readonly isTimely: boolean;
}

/** One workspace that a worker serves. Everything is repeatable: the ledger knows what was done. */
export interface ClusterProject {
  readonly name: string;
  readonly token: string;
  /** How many runs may be driven at once. */
  readonly runsAtOnce: number | undefined;
  /** Whether this worker may take work of the project now. */
  isServing?(): boolean;
  /** Whether the proof of a call counts: for one invocation, of which Restate repeats the attempts. All workers share the answer. */
  useProof(proof: UsedProof): Promise<boolean>;
  /** Drives a run until it ends or has to wait. On abort, it is released after the current step. */
  drive(run: string, signal: AbortSignal): Promise<DriveOutcome>;
  /** Fires the schedules that are due. */
  tick(): Promise<{ readonly runs: readonly string[]; readonly nextInMs: number }>;
  /** Answers the open turns of a mailbox; tells when the next one is due. */
  answer(mailbox: Mailbox, signal: AbortSignal): Promise<{ readonly nextInMs?: number }>;
  openWork(): Promise<OpenWork>;
}

export type ClusterErrorCode =
  | 'cluster.unreachable'
  | 'cluster.no_worker'
  | 'cluster.forbidden'
  | 'cluster.mismatch'
  | 'cluster.invalid';
