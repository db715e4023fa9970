import * as z from 'zod';
import type { WorkerOutcome } from './daemon-api.ts';
import {
  epochMs,
  fault,
  flag,
  list,
  live,
  nothing,
  number,
  record,
  type SchemasOf,
  type TypeOf,
  text,
} from './schemas.ts';

/** How a workspace's copy elsewhere is doing. */
const replicationStatus = z.object({
  configured: flag,
  /** The sink, without secrets. */
  sink: text.exactOptional(),
  /** The name under which the sink knows this workspace; none while the ledger is empty. */
  workspace: text.exactOptional(),
  /** Where the ledger is. */
  head: number.exactOptional(),
  /** Where the sink is; as it was last known when it could not be reached. */
  cursor: number.exactOptional(),
  /** Whether the sink itself said so just now. */
  reached: flag.exactOptional(),
  lag: z
    .object({
      events: number,
      /** How long the oldest event that is not there has been waiting. */
      ms: number,
    })
    .exactOptional(),
  shippedAt: epochMs.exactOptional(),
  failures: number.exactOptional(),
  lastError: z.object({ code: text, message: text, at: epochMs }).exactOptional(),
  nextTryAt: epochMs.exactOptional(),
  /** The process that ships, if one does. */
  worker: z.object({ pid: number }).exactOptional(),
});
export type ReplicationStatus = TypeOf<typeof replicationStatus>;

/** What was sent, and where the sink stands now. */
const replicationShipped = z.object({ sink: text, events: number, cursor: number, head: text });
export type ReplicationShipped = TypeOf<typeof replicationShipped>;

const replicaSide = z.object({
  seq: number,
  hash: text,
  events: number.exactOptional(),
  archived: number.exactOptional(),
  bodies: number.exactOptional(),
  rows: record(number).exactOptional(),
});
export type ReplicaSide = TypeOf<typeof replicaSide>;

/** What comparing the sink with the ledger has found. */
const replicationVerifyAnswer = z.object({
  ok: flag,
  sinkName: text,
  workspace: text.exactOptional(),
  ledger: replicaSide,
  sink: replicaSide,
  /** How many events the sink does not have yet; no fault. */
  behind: number,
  /** Whether the chain of the sink's own data was walked. */
  chainWalked: flag,
  faults: list(fault),
});
export type ReplicationVerifyAnswer = TypeOf<typeof replicationVerifyAnswer>;

/** The copy of a workspace's ledger and memory that is kept elsewhere. */
export interface ReplicationApi {
  status(): Promise<ReplicationStatus>;
  /** Sends all there is now. */
  once(signal?: AbortSignal): Promise<ReplicationShipped>;
  verify(signal?: AbortSignal): Promise<ReplicationVerifyAnswer>;
  /** Sends what comes until the signal aborts, and tries again whatever the sink does. */
  follow(options: {
    readonly signal: AbortSignal;
    readonly onShipped?: (progress: { readonly events: number; readonly cursor: number }) => void;
    /** Hears of the first of several failures in a row; they are tried again. */
    readonly onTrouble?: (what: string) => void;
    /** Hears how each attempt went. */
    readonly onOutcome?: (outcome: WorkerOutcome) => void;
    /** Hears that another process ships, and that this one waits; `onTrouble` where it is missing. */
    readonly onWaiting?: (message: string) => void;
  }): Promise<void>;
}

export const replicationSchemas: SchemasOf<ReplicationApi> = {
  status: [[], replicationStatus],
  once: [[live], replicationShipped],
  verify: [[live], replicationVerifyAnswer],
  follow: [[z.object({})], nothing],
};
