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
  /** The file it is based on has changed. */
  stale: z.literal(true).exactOptional(),
  at: epochMs,
});
export type FactView = TypeOf<typeof factView>;

const quarantinedFactView = z.object({
  id: text,
  namespace: text,
  text,
  importance: number,
  confidence: number,
  expiresAt: epochMs.exactOptional(),
  /** The run that stated it, and the untrusted content that the run had read. */
  run: text,
  origin: text.exactOptional(),
  at: epochMs,
});
export type QuarantinedFactView = TypeOf<typeof quarantinedFactView>;

const reviewFilter = z.object({ namespace: text.exactOptional(), limit: number });

const addFactRequest = z.object({
  text,
  namespace: text.exactOptional(),
  importance: number.exactOptional(),
  confidence: number.exactOptional(),
  key: text.exactOptional(),
  source: text.exactOptional(),
  restsOn: z.object({ path: text, version: text }).exactOptional(),
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
    stale: z.literal(true).exactOptional(),
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
  facts: z.object({ live: number, expired: number, superseded: number, quarantined: number }),
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
  /** Facts of runs that had read untrusted content, newest first. No run sees them until a person confirms them. */
  review(filter: TypeOf<typeof reviewFilter>): Promise<readonly QuarantinedFactView[]>;
  /** Adds a quarantined fact to the known ones. */
  confirmFact(id: string, by: string): Promise<AddedFactView>;
  /** Erases the text of a quarantined fact permanently. */
  rejectFact(id: string, by: string): Promise<void>;
  /** Erases the text of a fact permanently. */
  deleteFact(id: string, by: string): Promise<void>;
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
  review: [[reviewFilter], list(quarantinedFactView)],
  confirmFact: [[{ id: text }, { by: text }], addedFactView],
  rejectFact: [[{ id: text }, { by: text }], nothing],
  deleteFact: [[{ id: text }, { by: text }], nothing],
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
