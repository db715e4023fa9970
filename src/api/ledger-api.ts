import type { EventView } from './run-views.ts';

export interface VerifyAnswer {
  readonly ok: boolean;
  /** False where verification continued from an earlier one. */
  readonly full: boolean;
  /** The event up to which an earlier verification, at that time, found everything sound. */
  readonly since?: { readonly seq: number; readonly at: number };
  readonly events: number;
  readonly archived: number;
  readonly streams: number;
  readonly head: { readonly seq: number; readonly hash: string };
  readonly mirrorEqual: boolean;
  /** How many blobs were read and compared with their digests. */
  readonly blobs: number;
  readonly faults: readonly LedgerFault[];
  /** What a person should know that is no fault. */
  readonly notes: readonly string[];
  /** The command that repairs the faults. */
  readonly repair?: string;
}

/** Something that does not hold, and where. */
export interface LedgerFault {
  readonly where: string;
  readonly what: string;
}

export interface VerifyProgress {
  readonly phase: 'events' | 'blobs';
  readonly done: number;
  readonly total: number;
}

export interface VerifyRequest {
  /** Verify everything, also what an earlier verification found sound. */
  readonly full: boolean;
  readonly signal?: AbortSignal;
  readonly onProgress?: (progress: VerifyProgress) => void;
}

export interface RepairRequest {
  readonly by: string;
  /** Which one to trust where database and mirror contradict each other. */
  readonly keep?: 'database' | 'mirror';
  /** A backup to take lost content from. */
  readonly backup?: string;
  /** Record content that cannot be restored as lost. */
  readonly acceptLoss: boolean;
}

/** One of two versions of what happened after a place in the ledger. */
export interface LedgerBranch {
  readonly source: 'database' | 'mirror';
  readonly events: number;
  readonly firstAt?: number;
  readonly lastAt?: number;
  readonly runs: readonly string[];
  readonly types: Readonly<Record<string, number>>;
}

export interface RepairAnswer {
  /** Whether everything is sound now. */
  readonly ok: boolean;
  /** What was done, a sentence each. */
  readonly repaired: readonly string[];
  /** Files that were kept, so that nothing is lost by the repair. */
  readonly kept: readonly string[];
  /** Both versions, where a person has to choose one with `keep`. */
  readonly diverged?: { readonly afterSeq: number; readonly branches: readonly LedgerBranch[] };
  /** What is still wrong. */
  readonly faults: readonly LedgerFault[];
  /** What a person can do next. */
  readonly next: readonly string[];
}

export interface RebuildAnswer {
  readonly from: 'table' | 'mirror';
  readonly events: number;
  /** Events of a last transaction whose end is missing. */
  readonly dropped: number;
  /** The name under which the database before was kept. */
  readonly kept?: string;
}

export interface LedgerStatsAnswer {
  readonly events: number;
  readonly archived: number;
  readonly streams: number;
  readonly databaseBytes: number;
  readonly mirrorBytes: number;
  readonly artifactBytes: number;
  readonly types: readonly { readonly type: string; readonly events: number; readonly bytes: number }[];
  readonly growth: readonly { readonly day: string; readonly events: number; readonly bytes: number }[];
}

export interface GcRequest {
  readonly by: string;
  readonly dryRun: boolean;
  /** Erase the bodies of runs that ended longer ago than this. */
  readonly bodiesOlderThanMs?: number;
  /** Erase the oldest bodies until what is left is at most this large. */
  readonly bodiesOverBytes?: number;
  /** Drop runs whole that ended longer ago than this. */
  readonly archiveOlderThanMs?: number;
}

export interface GcAnswer {
  readonly dryRun: boolean;
  readonly erasedBodies: number;
  readonly archivedRuns: number;
  readonly deletedArtifacts: number;
  readonly freedBytes: number;
}

/** The record of everything. */
export interface LedgerApi {
  tail(options: {
    readonly run?: string;
    readonly last: number;
    readonly follow: boolean;
    readonly signal?: AbortSignal;
  }): AsyncIterable<EventView>;
  /** Only reads. */
  verify(request: VerifyRequest): Promise<VerifyAnswer>;
  repair(request: RepairRequest): Promise<RepairAnswer>;
  rebuild(from?: 'table' | 'mirror'): Promise<RebuildAnswer>;
  export(): AsyncIterable<string>;
  stats(): Promise<LedgerStatsAnswer>;
  gc(request: GcRequest): Promise<GcAnswer>;
}
