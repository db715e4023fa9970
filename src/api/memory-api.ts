import type { EpochMs } from '../kernel/index.ts';

/** A fact as it is kept. */
export interface FactView {
  readonly id: string;
  readonly namespace: string;
  readonly text: string;
  readonly importance: number;
  readonly confidence: number;
  readonly key?: string;
  readonly source?: string;
  readonly restsOn?: { readonly path: string; readonly version: string };
  readonly expiresAt?: EpochMs;
  readonly supersededBy?: string;
  /** What it rests on has changed since. */
  readonly stale?: true;
  readonly at: EpochMs;
}

export interface AddFactRequest {
  readonly text: string;
  readonly namespace?: string;
  readonly importance?: number;
  readonly confidence?: number;
  readonly key?: string;
  readonly source?: string;
  readonly restsOn?: { readonly path: string; readonly version: string };
  /** How long it holds from now on. */
  readonly ttlMs?: number;
  readonly supersedes?: string;
  readonly by: string;
}

export interface AddedFactView {
  readonly fact: FactView;
  /** `affirmed` and `known`: the same text stood there already. */
  readonly outcome: 'added' | 'affirmed' | 'known';
  readonly superseded: readonly string[];
}

export interface EpisodeRequest {
  readonly text: string;
  readonly namespace?: string;
  readonly conversation?: string;
  readonly source?: string;
  readonly at?: EpochMs;
  /** As whoever brings it in knows it; one that its namespace has already is not recorded again. */
  readonly id?: string;
  /** Who said it. */
  readonly speaker?: string;
}

/** Something that was found, how well it fits, and why. */
export interface MemoryHitView {
  readonly kind: 'fact' | 'episode' | 'run';
  /** Of an episode that was brought in with an id, that id. */
  readonly id: string;
  /** The id that stands once in the workspace, where that is another. */
  readonly keptId?: string;
  readonly text: string;
  readonly score: number;
  /** What the score is made of. */
  readonly why: {
    readonly keyword: number;
    readonly vector: number;
    readonly neighbours: number;
    readonly fit: number;
    readonly importance: number;
    readonly recency: number;
  };
  readonly at: EpochMs;
  readonly namespace?: string;
  readonly conversation?: string;
  readonly source?: string;
  readonly importance?: number;
  /** The episode is very long, and the text only the part of it that was found. */
  readonly partial?: true;
  readonly stale?: true;
}

export interface RetrieveRequest {
  readonly query: string;
  readonly namespace?: string;
  /** Only what was said in this conversation; facts and runs are in none. */
  readonly conversation?: string;
  /** A day in UTC, as in 2026-01-31. */
  readonly day?: string;
  readonly limit: number;
}

export interface RetrieveAnswer {
  readonly hits: readonly MemoryHitView[];
  /** Vectors could not be asked about everything. */
  readonly degraded: boolean;
  /** Why not, and what to do about it. */
  readonly notice?: string;
}

export interface MemoryDayView {
  readonly day: string;
  readonly episodes: number;
  readonly runs: number;
}

export interface MemoryStatsAnswer {
  readonly facts: { readonly live: number; readonly expired: number; readonly superseded: number };
  readonly episodes: number;
  readonly conversations: number;
  /** What is at hand of the conversation in which something was said last: whole messages, the newest, within a cap. */
  readonly window?: {
    readonly conversation: string;
    readonly messages: number;
    readonly tokens: number;
    readonly cap: number;
    /** How many older messages are not at hand any more. */
    readonly dropped: number;
  };
  readonly namespaces: readonly {
    readonly namespace: string;
    readonly facts: number;
    readonly episodes: number;
  }[];
}

export interface MemoryImportAnswer {
  readonly facts: number;
  readonly episodes: number;
  /** Lines that said what was known already. */
  readonly known: number;
}

export interface MemoryReindexAnswer {
  readonly texts: number;
  /** What made the vectors, or `none`. */
  readonly embedder: string;
}

/** What can be asked of memory. */
export interface MemoryApi {
  stats(): Promise<MemoryStatsAnswer>;
  addFact(request: AddFactRequest): Promise<AddedFactView>;
  getFact(id: string): Promise<FactView>;
  /** The most important first; with `all` also what is expired or superseded. */
  listFacts(filter: {
    readonly namespace?: string;
    readonly all?: boolean;
    readonly limit: number;
  }): Promise<readonly FactView[]>;
  searchFacts(request: Omit<RetrieveRequest, 'day' | 'conversation'>): Promise<RetrieveAnswer>;
  /** Erases the fact's text for good. */
  deleteFact(id: string, by: string): Promise<void>;
  /** Erases what is expired and, if wanted, what was superseded; answers with the ids. */
  pruneFacts(request: {
    readonly namespace?: string;
    readonly superseded: boolean;
    readonly dryRun: boolean;
    readonly by: string;
  }): Promise<readonly string[]>;
  recordEpisodes(
    episodes: readonly EpisodeRequest[],
    by: string,
  ): Promise<readonly { readonly id?: string; readonly outcome: 'recorded' | 'known' }[]>;
  days(limit: number): Promise<readonly MemoryDayView[]>;
  searchDaily(request: RetrieveRequest): Promise<RetrieveAnswer>;
  retrieve(request: RetrieveRequest): Promise<RetrieveAnswer>;
  /** One line that does not fit refuses all of them. */
  importLines(lines: Iterable<string>, by: string): Promise<MemoryImportAnswer>;
  /** Makes the index and the vectors anew; nothing that is remembered changes. Can be stopped and begun again at any time. */
  reindex(request: {
    readonly onProgress?: (done: number, total: number) => void;
  }): Promise<MemoryReindexAnswer>;
  exportLines(options: { readonly namespace?: string }): Promise<AsyncIterable<string>>;
}
