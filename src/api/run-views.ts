import * as z from 'zod';
import { epochMs, flag, json, list, number, record, type TypeOf, text } from './schemas.ts';

export const artifactView = z.object({
  digest: text,
  bytes: number,
  mediaType: text,
  name: text.exactOptional(),
});
export type ArtifactView = TypeOf<typeof artifactView>;

/** A reason why a descendant of a run waits. */
const runBlocker = z.object({
  run: text,
  what: text,
  detail: text,
  next: text,
  approval: text.exactOptional(),
  /** How many descendants wait for the same, if more than one. */
  runs: number.exactOptional(),
});
export type RunBlocker = TypeOf<typeof runBlocker>;

/** A run. Fields may be added, never removed. */
export const runView = z.object({
  id: text,
  kind: text,
  status: z.enum(['pending', 'running', 'waiting', 'paused', 'completed', 'failed', 'cancelled']),
  state: text,
  goal: text.exactOptional(),
  graph: text.exactOptional(),
  /** The version that the run is pinned to. */
  graphHash: text,
  parent: text.exactOptional(),
  resumedFrom: text.exactOptional(),
  forkedFrom: z.object({ run: text, step: number }).exactOptional(),
  startedAt: epochMs,
  endedAt: epochMs.exactOptional(),
  budgets: z.object({ limits: record(number), used: record(number) }),
  artifacts: list(artifactView),
  /** Why it waits, and the command that continues it. For a run that waits for children: the most urgent blocker. */
  waitingFor: z
    .object({
      what: text,
      detail: text,
      next: text,
      approval: text.exactOptional(),
      /** The descendant that waits. */
      run: text.exactOptional(),
    })
    .exactOptional(),
  /** What its descendants wait for, the most urgent first. */
  blockers: list(runBlocker).exactOptional(),
  failure: z.object({ code: text, message: text }).exactOptional(),
  /** False if its process has exited: it can be resumed at once. */
  ownerAlive: flag.exactOptional(),
});
export type RunView = TypeOf<typeof runView>;

export const runAnswer = z.object({
  run: runView,
  output: json,
  /** The changes that a simulation would have made. */
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
  /** What it or its most urgent descendant waits for. */
  waitingFor: z.object({ what: text, run: text.exactOptional() }).exactOptional(),
  goal: text.exactOptional(),
  parent: text.exactOptional(),
  resumedFrom: text.exactOptional(),
  startedAt: epochMs,
  endedAt: epochMs.exactOptional(),
  failureCode: text.exactOptional(),
  ownerAlive: flag.exactOptional(),
});
export type RunListItem = TypeOf<typeof runListItem>;

/** An event of the ledger, as `tail` and `export` return it. */
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

/** How a caller follows a run that it drives. */
export interface RunListener {
  /** Aborting releases the run at its next step. It can be resumed. */
  readonly signal?: AbortSignal;
  readonly onEvent?: (event: EventView) => void;
}
