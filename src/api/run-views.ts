import * as z from 'zod';
import { epochMs, flag, json, list, number, record, type TypeOf, text } from './schemas.ts';

export const artifactView = z.object({
  digest: text,
  bytes: number,
  mediaType: text,
  name: text.exactOptional(),
});
export type ArtifactView = TypeOf<typeof artifactView>;

/** A run as every face shows it. Fields may be added; these stay. */
export const runView = z.object({
  id: text,
  kind: text,
  status: z.enum(['pending', 'running', 'waiting', 'paused', 'completed', 'failed', 'cancelled']),
  state: text,
  goal: text.exactOptional(),
  /** The id of the graph that it is a run of. */
  graph: text.exactOptional(),
  /** What it is pinned to. */
  graphHash: text,
  parent: text.exactOptional(),
  resumedFrom: text.exactOptional(),
  forkedFrom: z.object({ run: text, step: number }).exactOptional(),
  startedAt: epochMs,
  endedAt: epochMs.exactOptional(),
  budgets: z.object({ limits: record(number), used: record(number) }),
  artifacts: list(artifactView),
  /** Why it does not go on by itself, and what would make it. */
  waitingFor: z
    .object({ what: text, detail: text, next: text, approval: text.exactOptional() })
    .exactOptional(),
  failure: z.object({ code: text, message: text }).exactOptional(),
  /** False when the process that worked on it is gone: it can be resumed at once. */
  ownerAlive: flag.exactOptional(),
});
export type RunView = TypeOf<typeof runView>;

export const runAnswer = z.object({
  run: runView,
  output: json,
  /** What a simulation would have changed. */
  wouldChange: list(
    z.object({
      path: text,
      change: text,
      bytes: number.exactOptional(),
      bytesBefore: number.exactOptional(),
    }),
  ).exactOptional(),
});
export type RunAnswer = TypeOf<typeof runAnswer>;

export const runListItem = z.object({
  id: text,
  kind: text,
  status: runView.shape.status,
  goal: text.exactOptional(),
  parent: text.exactOptional(),
  resumedFrom: text.exactOptional(),
  startedAt: epochMs,
  endedAt: epochMs.exactOptional(),
  failureCode: text.exactOptional(),
  ownerAlive: flag.exactOptional(),
});
export type RunListItem = TypeOf<typeof runListItem>;

/** One event of the ledger, as `tail` and `export` give it. */
export const eventView = z.object({
  seq: number,
  stream: text,
  index: number,
  type: text,
  at: epochMs,
  actor: text,
  data: json,
  body: json.exactOptional(),
  erased: z.literal(true).exactOptional(),
  chain: text,
});
export type EventView = TypeOf<typeof eventView>;
