// Owns: the operations that page through lists which grow with use, and those that read parts of one run.
import * as z from 'zod';
import { approvalView, artifactView, eventView, runListItem, runView } from './run-views.ts';
import { epochMs, flag, list, number, record, type SchemasOf, type TypeOf, text } from './schemas.ts';

/** How many items a page may have. */
const MAX_PAGE = 1_000;

/** Fields of every request for a page. `cursor` is the `next` of the page before. */
export const pageFields = {
  limit: z.number().int().min(1).max(MAX_PAGE),
  cursor: text.exactOptional(),
};

/** A page; `next` is missing on the last one. */
export const pageOf = <Item extends z.ZodType>(item: Item) =>
  z.object({ items: list(item), next: text.exactOptional() });

const runPageRequest = z.object({
  ...pageFields,
  status: list(runView.shape.status).exactOptional(),
  kind: text.exactOptional(),
  /** The id of a graph, whose runs are listed. */
  graph: text.exactOptional(),
  /** The root of a tree, whose runs are listed. */
  root: text.exactOptional(),
  /** Part of the goal; letter case does not matter. */
  text: text.exactOptional(),
  /** Leaves out child runs. */
  rootsOnly: flag.exactOptional(),
  /** Runs that started at this time or later. */
  since: epochMs.exactOptional(),
});
export type RunPageRequest = TypeOf<typeof runPageRequest>;

const runPage = pageOf(runListItem);
export type RunPage = TypeOf<typeof runPage>;

const runEventsRequest = z.object({ ...pageFields, run: text });
const eventPage = pageOf(eventView);
export type EventPage = TypeOf<typeof eventPage>;

const artifactContent = artifactView.extend({
  /** How `content` is written. */
  encoding: z.enum(['utf8', 'base64']),
  content: text,
  /** Only the first part of a large artifact is included. */
  truncated: z.literal(true).exactOptional(),
});
export type ArtifactContent = TypeOf<typeof artifactContent>;

/** Reading runs page by page, and the parts of one run. */
export interface RunPagesApi {
  /** The newest first, also simulations. */
  page(request: RunPageRequest): Promise<RunPage>;
  /** The events of a run and its descendants, in order. */
  events(request: TypeOf<typeof runEventsRequest>): Promise<EventPage>;
  /** An artifact of the run, of its descendants or of its earlier attempts. */
  artifact(run: string, digest: string): Promise<ArtifactContent>;
}

export const runPagesSchemas: SchemasOf<RunPagesApi> = {
  page: [[runPageRequest], runPage],
  events: [[runEventsRequest], eventPage],
  artifact: [[{ run: text }, { digest: text }], artifactContent],
};

const approvalStatus = z.enum(['pending', 'approved', 'denied', 'expired', 'answered', 'withdrawn']);

const approvalPageRequest = z.object({
  ...pageFields,
  status: list(approvalStatus).exactOptional(),
  /** Only those of this run and its descendants. */
  run: text.exactOptional(),
  /** Leaves out `now`, which needs the files and the programs of the workspace. */
  brief: flag.exactOptional(),
});
export type ApprovalPageRequest = TypeOf<typeof approvalPageRequest>;

const approvalPage = pageOf(approvalView);
export type ApprovalPage = TypeOf<typeof approvalPage>;

export interface ApprovalPagesApi {
  /** Requests to a person with their decisions, the newest first. */
  page(request: ApprovalPageRequest): Promise<ApprovalPage>;
}

export const approvalPagesSchemas: SchemasOf<ApprovalPagesApi> = {
  page: [[approvalPageRequest], approvalPage],
};

/** The state of a workspace on one page. */
export const overviewAnswer = z.object({
  workspace: text,
  trusted: flag,
  /** The number of runs without a parent by status. */
  runs: record(number),
  /** Open requests to a person. */
  approvals: number,
  /** Facts that wait for a review. */
  reviews: number,
  /** What models cost since midnight of this machine. */
  today: z.object({
    since: epochMs,
    usd: number,
    /** The part of `usd` that follows from assumed prices. */
    assumedUsd: number,
    modelCalls: number,
    inputTokens: number,
    outputTokens: number,
    /** Calls with unknown price; not included in `usd`. */
    unpriced: number,
    /** The runs without a parent that started today. */
    runs: number,
    failed: number,
    /** The daily limit of the configuration. */
    limitUsd: number.exactOptional(),
  }),
  ledger: z.object({
    /** The last event. */
    seq: number,
    hash: text,
    /** The last event that a verification found sound, and when. */
    verified: z.object({ seq: number, at: epochMs }).exactOptional(),
    /** The newest event that a signature of the user's key covers. */
    signed: z.object({ seq: number, at: epochMs }).exactOptional(),
  }),
});
export type OverviewAnswer = TypeOf<typeof overviewAnswer>;
