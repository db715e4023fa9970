import * as z from 'zod';
import type { DaySummary, Found, ImportReport, MemoryHit, MemoryQuery, NewEpisode } from '../memory/index.ts';
import { pageFields, pageOf } from './page-api.ts';
import {
  epochMs,
  flag,
  list,
  live,
  nothing,
  number,
  type SchemasOf,
  schemaOf,
  type TypeOf,
  text,
} from './schemas.ts';

/** Whether the file or folder that a fact is based on is as it was; neither field if it is. */
const freshness = {
  /** It has changed. */
  stale: z.literal(true).exactOptional(),
  /** It could not be compared with the disk since it was last scanned. */
  unchecked: z.object({ since: epochMs.exactOptional() }).exactOptional(),
};

const factView = z.object({
  id: text,
  namespace: text,
  text,
  importance: number,
  confidence: number,
  key: text.exactOptional(),
  source: text.exactOptional(),
  restsOn: z.object({ path: text, version: text }).exactOptional(),
  expiresAt: epochMs.exactOptional(),
  supersededBy: text.exactOptional(),
  /** `candidate`: learned, and neither confirmed by a person nor used with success. */
  status: z.enum(['confirmed', 'candidate']),
  /** Who added it: a person, `run:<id>` or `maintenance`. */
  by: text,
  /** The runs that got it, and those of them that completed and were not corrected. Archived runs are not counted. */
  uses: number,
  successes: number,
  lastUsedAt: epochMs.exactOptional(),
  ...freshness,
  at: epochMs,
});
export type FactView = TypeOf<typeof factView>;

const reviewedFactView = z.object({
  id: text,
  namespace: text,
  text,
  importance: number,
  confidence: number,
  expiresAt: epochMs.exactOptional(),
  /** `quarantined`: no run sees it. `candidate`: runs see it, marked as not confirmed. */
  status: z.enum(['quarantined', 'candidate']),
  /** The run that stated a quarantined fact, and the untrusted content that the run had read. */
  run: text.exactOptional(),
  origin: text.exactOptional(),
  /** Where a candidate was learned, and the confirmed facts that it contradicts. */
  source: text.exactOptional(),
  contradicts: list(text).exactOptional(),
  at: epochMs,
});
export type ReviewedFactView = TypeOf<typeof reviewedFactView>;

const factHistoryView = z.object({
  /** Every version that still has a text, oldest first. */
  versions: list(factView),
  /** What happened, oldest first. A deleted version has changes but no text. */
  changes: list(
    z.object({
      fact: text,
      change: z.enum(['added', 'affirmed', 'confirmed', 'superseded', 'restored', 'rejected', 'deleted']),
      /** The fact that superseded it, or that it was restored from. */
      other: text.exactOptional(),
      by: text,
      /** The run that did it, or whose words were distilled. */
      run: text.exactOptional(),
      at: epochMs,
    }),
  ),
});
export type FactHistoryView = TypeOf<typeof factHistoryView>;

const undoneFactView = z.object({
  /** The facts that hold again. */
  restored: list(factView),
  /** The facts that they supersede now. */
  undone: list(text),
});
export type UndoneFactView = TypeOf<typeof undoneFactView>;

const reviewFilter = z.object({ namespace: text.exactOptional(), limit: number });

const addFactRequest = z.object({
  text,
  namespace: text.exactOptional(),
  importance: number.exactOptional(),
  confidence: number.exactOptional(),
  key: text.exactOptional(),
  source: text.exactOptional(),
  restsOn: z.object({ path: text, version: text }).exactOptional(),
  /** A file or folder of the workspace: the fact turns stale when it changes. */
  file: text.exactOptional(),
  /** Nobody confirmed it. */
  candidate: flag.exactOptional(),
  /** How long the fact is valid from now on. */
  ttlMs: number.exactOptional(),
  supersedes: text.exactOptional(),
  by: text,
});
export type AddFactRequest = TypeOf<typeof addFactRequest>;

const addedFactView = z.object({
  fact: factView,
  /** `affirmed` and `known`: the same text existed already. */
  outcome: z.enum(['added', 'affirmed', 'known']),
  superseded: list(text),
});
export type AddedFactView = TypeOf<typeof addedFactView>;

const newEpisode = schemaOf<NewEpisode>()(
  z.object({
    text,
    namespace: text.exactOptional(),
    conversation: text.exactOptional(),
    source: text.exactOptional(),
    at: epochMs.exactOptional(),
    id: text.exactOptional(),
    speaker: text.exactOptional(),
  }),
);

const memoryHit = schemaOf<MemoryHit>()(
  z.object({
    kind: z.enum(['fact', 'episode', 'run']),
    id: text,
    keptId: text.exactOptional(),
    text,
    score: number,
    why: z.object({
      keyword: number,
      vector: number,
      neighbours: number,
      fit: number,
      importance: number,
      recency: number,
    }),
    at: epochMs,
    namespace: text.exactOptional(),
    conversation: text.exactOptional(),
    source: text.exactOptional(),
    importance: number.exactOptional(),
    partial: z.literal(true).exactOptional(),
    candidate: z.literal(true).exactOptional(),
    ...freshness,
  }),
);

const memoryQuery = schemaOf<MemoryQuery>()(
  z.object({
    query: text,
    namespace: text.exactOptional(),
    conversation: text.exactOptional(),
    day: text.exactOptional(),
    limit: number,
  }),
);

const found = schemaOf<Found>()(
  z.object({
    hits: list(memoryHit),
    confidence: number,
    certain: flag,
    degraded: flag,
    notice: text.exactOptional(),
  }),
);

const daySummary = schemaOf<DaySummary>()(z.object({ day: text, episodes: number, runs: number }));

const memoryStatsAnswer = z.object({
  facts: z.object({
    live: number,
    expired: number,
    superseded: number,
    candidates: number,
    quarantined: number,
  }),
  episodes: number,
  conversations: number,
  /** The newest whole messages of the last active conversation, within a token cap. */
  window: z
    .object({
      conversation: text,
      messages: number,
      tokens: number,
      cap: number,
      /** The number of older messages outside the window. */
      dropped: number,
    })
    .exactOptional(),
  namespaces: list(z.object({ namespace: text, facts: number, episodes: number })),
});
export type MemoryStatsAnswer = TypeOf<typeof memoryStatsAnswer>;

const importReport = schemaOf<ImportReport>()(z.object({ facts: number, episodes: number, known: number }));

const memoryReindexAnswer = z.object({
  texts: number,
  /** The embedder that made the vectors, or `none`. */
  embedder: text,
});
export type MemoryReindexAnswer = TypeOf<typeof memoryReindexAnswer>;

const listFactsFilter = z.object({
  namespace: text.exactOptional(),
  all: flag.exactOptional(),
  limit: number,
});

const factPageRequest = z.object({
  ...pageFields,
  namespace: text.exactOptional(),
  /** Includes expired and superseded facts. */
  all: flag.exactOptional(),
  /** Part of the text; letter case does not matter. */
  text: text.exactOptional(),
});
export type FactPageRequest = TypeOf<typeof factPageRequest>;
const factPage = pageOf(factView);
export type FactPage = TypeOf<typeof factPage>;

const factPlace = z.object({
  /** Names it when a person chooses what to erase. */
  id: text,
  what: text,
  /** A run that has not ended; it must end before it can be erased. */
  open: z.literal(true).exactOptional(),
  /** Why it cannot be erased. */
  fixed: text.exactOptional(),
});
export type FactPlace = TypeOf<typeof factPlace>;

const eraseFactRequest = z.object({
  id: text,
  /** The places to erase besides the fact, by id; `all` for every one. */
  erase: list(text),
  by: text,
});
export type EraseFactRequest = TypeOf<typeof eraseFactRequest>;

const factErasure = z.object({
  id: text,
  erased: list(factPlace),
  /** Places that were not chosen; they still state it. */
  kept: list(factPlace),
  /** The places that still hold the text although they were to be erased, and why. */
  remains: list(z.object({ where: text, why: text })),
  /** A search of the ledger, the mirror, the tables and the artifacts found the text nowhere. */
  everywhere: flag,
});
export type FactErasure = TypeOf<typeof factErasure>;

const pruneFactsRequest = z.object({
  namespace: text.exactOptional(),
  superseded: flag,
  dryRun: flag,
  by: text,
});

const exportLinesOptions = z.object({ namespace: text.exactOptional() });

/** Memory: facts and episodes. */
export interface MemoryApi {
  stats(): Promise<MemoryStatsAnswer>;
  addFact(request: AddFactRequest): Promise<AddedFactView>;
  getFact(id: string): Promise<FactView>;
  /** Most important first; `all` includes expired and superseded facts. */
  listFacts(filter: TypeOf<typeof listFactsFilter>): Promise<readonly FactView[]>;
  /** The newest first. */
  pageFacts(request: FactPageRequest): Promise<FactPage>;
  searchFacts(request: Omit<MemoryQuery, 'day' | 'conversation'>): Promise<Found>;
  /**
   * Facts that nobody confirmed, newest first: those of runs that had read untrusted content, which no run sees, and
   * candidates.
   */
  review(filter: TypeOf<typeof reviewFilter>): Promise<readonly ReviewedFactView[]>;
  /** Confirms a fact under review. It supersedes the facts that it contradicts. */
  confirmFact(id: string, by: string): Promise<AddedFactView>;
  /** All versions of a belief: what superseded what, by whom, from which run. */
  history(id: string): Promise<FactHistoryView>;
  /** Restores the facts that this one superseded; a superseded fact itself is restored. */
  undoFact(id: string, by: string): Promise<UndoneFactView>;
  /** Erases the text of a fact under review permanently. */
  rejectFact(id: string, by: string): Promise<void>;
  /** Erases the text of a fact in memory permanently. Goals, messages and runs that state it keep it. */
  deleteFact(id: string, by: string): Promise<void>;
  /** The goals, messages, runs and other places that state a fact. */
  factPlaces(id: string): Promise<readonly FactPlace[]>;
  /** Erases a fact and the chosen places that state it, then searches for its text. */
  eraseFact(request: EraseFactRequest): Promise<FactErasure>;
  /** Erases expired and, if requested, superseded facts; returns their ids. */
  pruneFacts(request: TypeOf<typeof pruneFactsRequest>): Promise<readonly string[]>;
  recordEpisodes(
    episodes: readonly NewEpisode[],
    by: string,
  ): Promise<readonly { readonly id?: string; readonly outcome: 'recorded' | 'known' }[]>;
  days(limit: number): Promise<readonly DaySummary[]>;
  searchDaily(request: MemoryQuery): Promise<Found>;
  retrieve(request: MemoryQuery): Promise<Found>;
  /** One invalid line rejects all lines. */
  importLines(
    lines: Iterable<string>,
    by: string,
    onProgress?: (done: number, total: number) => void,
  ): Promise<ImportReport>;
  /** Rebuilds the index and the vectors; changes no memory. Can be stopped and restarted at any time. */
  reindex(request: {
    readonly onProgress?: (done: number, total: number) => void;
  }): Promise<MemoryReindexAnswer>;
  exportLines(options: TypeOf<typeof exportLinesOptions>): Promise<AsyncIterable<string>>;
}

export const memorySchemas: SchemasOf<MemoryApi> = {
  stats: [[], memoryStatsAnswer],
  addFact: [[addFactRequest], addedFactView],
  getFact: [[{ id: text }], factView],
  listFacts: [[listFactsFilter], list(factView)],
  pageFacts: [[factPageRequest], factPage],
  searchFacts: [[memoryQuery.omit({ day: true, conversation: true })], found],
  review: [[reviewFilter], list(reviewedFactView)],
  history: [[{ id: text }], factHistoryView],
  undoFact: [[{ id: text }, { by: text }], undoneFactView],
  confirmFact: [[{ id: text }, { by: text }], addedFactView],
  rejectFact: [[{ id: text }, { by: text }], nothing],
  deleteFact: [[{ id: text }, { by: text }], nothing],
  factPlaces: [[{ id: text }], list(factPlace)],
  eraseFact: [[eraseFactRequest], factErasure],
  pruneFacts: [[pruneFactsRequest], list(text)],
  recordEpisodes: [
    [{ episodes: list(newEpisode) }, { by: text }],
    list(z.object({ id: text.exactOptional(), outcome: z.enum(['recorded', 'known']) })),
  ],
  days: [[{ limit: number }], list(daySummary)],
  searchDaily: [[memoryQuery], found],
  retrieve: [[memoryQuery], found],
  importLines: [[{ lines: list(text) }, { by: text }, live], importReport],
  reindex: [[z.object({})], memoryReindexAnswer],
  exportLines: [[exportLinesOptions], text],
};
