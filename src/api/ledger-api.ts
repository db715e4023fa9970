import * as z from 'zod';
import { type EventView, eventView } from './run-views.ts';
import { fault, flag, list, live, number, record, type SchemasOf, type TypeOf, text } from './schemas.ts';

const verifyAnswer = z.object({
  ok: flag,
  /** False where only what was added since an earlier verification was read. */
  full: flag,
  /** What was verified, in one sentence. */
  summary: text,
  /** The last event of the earlier verification, its time, and how many events it read and this one did not. */
  since: z.object({ seq: number, at: number, events: number }).exactOptional(),
  /** The numbers of events and streams that this verification read. */
  events: number,
  archived: number,
  streams: number,
  head: z.object({ seq: number, hash: text }),
  /** Missing where the mirror was not compared as a whole, and for a ledger on a server, which has none. */
  mirrorEqual: flag.exactOptional(),
  /** The server of the ledger. */
  server: text.exactOptional(),
  /** The number of blobs compared with their digests. */
  blobs: number,
  /** The newest event that a signature of the user's key covers, and when it was signed. */
  signed: z.object({ seq: number, at: number }).exactOptional(),
  faults: list(fault),
  /** Information that is not a fault. */
  notes: list(text),
  repair: text.exactOptional(),
});
export type VerifyAnswer = TypeOf<typeof verifyAnswer>;

const verifyProgress = z.object({
  phase: z.enum(['events', 'mirror', 'blobs']),
  done: number,
  total: number,
});
export type VerifyProgress = TypeOf<typeof verifyProgress>;

const verifyRequest = z.object({
  /** Verify everything, also what an earlier verification found sound. */
  full: flag,
});
export interface VerifyRequest extends TypeOf<typeof verifyRequest> {
  readonly signal?: AbortSignal;
  readonly onProgress?: (progress: VerifyProgress) => void;
}

const repairRequest = z.object({
  by: text,
  /** The copy to trust where database and mirror contradict each other. */
  keep: z.enum(['database', 'mirror']).exactOptional(),
  /** A backup to restore lost content from. */
  backup: text.exactOptional(),
  /** Record content that cannot be restored as lost. */
  acceptLoss: flag,
  /** Continue with this ledger although it differs from its signed head. */
  acceptHead: flag.exactOptional(),
});
export type RepairRequest = TypeOf<typeof repairRequest>;

/** One of two contradicting continuations of the ledger. */
const ledgerBranch = z.object({
  source: z.enum(['database', 'mirror']),
  events: number,
  firstAt: number.exactOptional(),
  lastAt: number.exactOptional(),
  runs: list(text),
  types: record(number),
});
export type LedgerBranch = TypeOf<typeof ledgerBranch>;

const repairAnswer = z.object({
  /** Whether everything is sound now. */
  ok: flag,
  /** One sentence per repair. */
  repaired: list(text),
  /** Copies of replaced files. */
  kept: list(text),
  /** Both continuations, if the user has to choose one with `keep`. */
  diverged: z.object({ afterSeq: number, branches: list(ledgerBranch) }).exactOptional(),
  faults: list(fault),
  /** Commands that the user can run next. */
  next: list(text),
});
export type RepairAnswer = TypeOf<typeof repairAnswer>;

const rebuildAnswer = z.object({
  from: z.enum(['table', 'mirror']),
  events: number,
  /** Events of a last transaction whose end is missing. */
  dropped: number,
  /** The file of the previous database. */
  kept: text.exactOptional(),
});
export type RebuildAnswer = TypeOf<typeof rebuildAnswer>;

const ledgerStatsAnswer = z.object({
  events: number,
  archived: number,
  streams: number,
  databaseBytes: number,
  mirrorBytes: number,
  artifactBytes: number,
  types: list(z.object({ type: text, events: number, bytes: number })),
  growth: list(z.object({ day: text, events: number, bytes: number })),
});
export type LedgerStatsAnswer = TypeOf<typeof ledgerStatsAnswer>;

const gcRequest = z.object({
  by: text,
  dryRun: flag,
  /** Erase the bodies of runs that ended longer ago than this. */
  bodiesOlderThanMs: number.exactOptional(),
  /** Erase the oldest bodies until the rest is at most this large. */
  bodiesOverBytes: number.exactOptional(),
  /** Archive runs that ended longer ago than this. */
  archiveOlderThanMs: number.exactOptional(),
});
export type GcRequest = TypeOf<typeof gcRequest>;

const gcAnswer = z.object({
  dryRun: flag,
  erasedBodies: number,
  archivedRuns: number,
  deletedArtifacts: number,
  freedBytes: number,
});
export type GcAnswer = TypeOf<typeof gcAnswer>;

const ledgerCopyRequest = z.object({
  /** `workspace` for the database in the workspace, or a postgres:// URL. */
  from: text,
  to: text,
});
export interface LedgerCopyRequest extends TypeOf<typeof ledgerCopyRequest> {
  readonly onProgress?: (done: number, total: number) => void;
}

const ledgerCopyAnswer = z.object({
  from: text,
  to: text,
  /** The events that the target did not have yet. */
  events: number,
  /** The artifacts that the target did not have yet. */
  artifacts: number,
  /** The head of both ledgers. */
  head: z.object({ seq: number, hash: text }),
  /** The folded tables, which were compared row by row. */
  tables: list(z.object({ table: text, rows: number })),
});
export type LedgerCopyAnswer = TypeOf<typeof ledgerCopyAnswer>;

const tailOptions = z.object({ run: text.exactOptional(), last: number, follow: flag });

/** The ledger: the record of all events. */
export interface LedgerApi {
  tail(options: TypeOf<typeof tailOptions> & { readonly signal?: AbortSignal }): AsyncIterable<EventView>;
  /** Only reads. */
  verify(request: VerifyRequest): Promise<VerifyAnswer>;
  repair(request: RepairRequest): Promise<RepairAnswer>;
  /** `total` is 0 if it is unknown. */
  rebuild(
    from?: 'table' | 'mirror',
    onProgress?: (done: number, total: number) => void,
  ): Promise<RebuildAnswer>;
  export(): AsyncIterable<string>;
  stats(): Promise<LedgerStatsAnswer>;
  gc(request: GcRequest): Promise<GcAnswer>;
  /** Copies the ledger between the workspace and a server, and compares both. */
  copy(request: LedgerCopyRequest): Promise<LedgerCopyAnswer>;
}

export const ledgerSchemas: SchemasOf<LedgerApi> = {
  tail: [[tailOptions], eventView],
  verify: [[verifyRequest], verifyAnswer],
  repair: [[repairRequest], repairAnswer],
  rebuild: [[{ from: z.enum(['table', 'mirror']).optional() }, live], rebuildAnswer],
  export: [[], text],
  stats: [[], ledgerStatsAnswer],
  gc: [[gcRequest], gcAnswer],
  copy: [[ledgerCopyRequest], ledgerCopyAnswer],
};
