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

const replicationStatus = z.object({
  configured: flag,
  /** The sink, without secrets. */
  sink: text.exactOptional(),
  /** The name of this workspace in the sink; missing while the ledger is empty. */
  workspace: text.exactOptional(),
  /** The last seq of the ledger. */
  head: number.exactOptional(),
  /** The last seq of the sink; the last known one if the sink is unreachable. */
  cursor: number.exactOptional(),
  /** Whether the sink was reachable just now. */
  reached: flag.exactOptional(),
  lag: z
    .object({
      events: number,
      /** The age of the oldest pending event. */
      ms: number,
    })
    .exactOptional(),
  shippedAt: epochMs.exactOptional(),
  failures: number.exactOptional(),
  lastError: z.object({ code: text, message: text, at: epochMs }).exactOptional(),
  nextTryAt: epochMs.exactOptional(),
  /** The process that sends events, if any. */
  worker: z.object({ pid: number }).exactOptional(),
});
export type ReplicationStatus = TypeOf<typeof replicationStatus>;

/** The sent events and the new position of the sink. */
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

/** The result of comparing the sink with the ledger. */
const replicationVerifyAnswer = z.object({
  ok: flag,
  sinkName: text,
  workspace: text.exactOptional(),
  ledger: replicaSide,
  sink: replicaSide,
  /** The number of pending events; not a fault. */
  behind: number,
  /** Whether the hash chain in the sink was verified. */
  chainWalked: flag,
  faults: list(fault),
});
export type ReplicationVerifyAnswer = TypeOf<typeof replicationVerifyAnswer>;

/** Replication of ledger and memory to a sink. */
export interface ReplicationApi {
  status(): Promise<ReplicationStatus>;
  /** Sends all pending events. */
  once(signal?: AbortSignal): Promise<ReplicationShipped>;
  verify(signal?: AbortSignal): Promise<ReplicationVerifyAnswer>;
  /** Sends new events until the signal aborts. Retries every failure. */
  follow(options: {
    readonly signal: AbortSignal;
    readonly onShipped?: (progress: { readonly events: number; readonly cursor: number }) => void;
    /** Called with the first of several failures in a row. */
    readonly onWarning?: (what: string) => void;
    /** Called with the outcome of each attempt. */
    readonly onOutcome?: (outcome: WorkerOutcome) => void;
    /** Called when this process waits because another one sends. Default: `onWarning`. */
    readonly onWaiting?: (message: string) => void;
  }): Promise<void>;
}

export const replicationSchemas: SchemasOf<ReplicationApi> = {
  status: [[], replicationStatus],
  once: [[live], replicationShipped],
  verify: [[live], replicationVerifyAnswer],
  follow: [[z.object({})], nothing],
};
