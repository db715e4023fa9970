import type { Clock, EpochMs, Freshness, Ids } from '../kernel/index.ts';
import type { EventAddress, EventStore } from '../ledger/index.ts';
import type { Passage, WordVectors } from '../retrieval/index.ts';
import type { DayRun, Episode, Fact, FactChange, FactUses, QuarantinedFact } from './types.ts';

/** Selects facts; without `all` only those that are live at `now`. */
export interface FactFilter {
  readonly namespace?: string;
  readonly all?: boolean;
  readonly now: EpochMs;
  readonly limit: number;
  /** The newest first; otherwise the most important first. */
  readonly newestFirst?: boolean;
  /** Part of the text; the case of ASCII letters does not matter. */
  readonly text?: string;
  /** Only facts after this place in the list of the newest first. */
  readonly after?: { readonly at: EpochMs; readonly id: string };
}

export interface MemoryCounts {
  readonly facts: {
    readonly live: number;
    readonly expired: number;
    readonly superseded: number;
    /** The live ones that nobody confirmed; those that were used with success included. */
    readonly candidates: number;
    readonly quarantined: number;
  };
  readonly episodes: number;
  readonly conversations: number;
  readonly namespaces: readonly {
    readonly namespace: string;
    readonly facts: number;
    readonly episodes: number;
  }[];
}

/** The number of episodes and runs of a UTC day. */
export interface DaySummary {
  readonly day: string;
  readonly episodes: number;
  readonly runs: number;
}

export interface NewestConversation {
  readonly namespace: string;
  readonly conversation: string;
  readonly messages: number;
}

/** Reads facts and episodes from the tables of `memoryProjection`. */
export interface MemoryRecords {
  fact(id: string): Promise<Fact | undefined>;
  /** By importance, then newest first. */
  facts(filter: FactFilter): Promise<readonly Fact[]>;
  /** The facts of a namespace that are live at `now` and have one of these texts, keys or subjects. */
  liveFacts(namespace: string, like: FactLikeness, now: EpochMs): Promise<readonly Fact[]>;
  /** Candidates that are live at `now`, newest first. */
  candidates(filter: {
    readonly namespace?: string;
    readonly now: EpochMs;
    readonly limit: number;
  }): Promise<readonly Fact[]>;
  /** The facts that this one superseded, directly and until now. */
  supersededBy(id: string): Promise<readonly Fact[]>;
  /** The changes of facts, and of those they replaced or were replaced by, oldest first. */
  changes(id: string): Promise<readonly FactChange[]>;
  /** How often runs got these facts. */
  uses(ids: readonly string[]): Promise<ReadonlyMap<string, FactUses>>;
  /** The facts that are expired at `now` and, with `superseded`, the superseded ones. */
  prunableFacts(now: EpochMs, options: PruneFilter): Promise<readonly Fact[]>;
  /** Facts in quarantine, newest first. */
  quarantined(filter: QuarantineFilter): Promise<readonly QuarantinedFact[]>;
  episode(id: string): Promise<Episode | undefined>;
  /** The episodes of a namespace at these times. */
  episodesAt(namespace: string, times: readonly EpochMs[]): Promise<readonly Episode[]>;
  /** The number of turns in a conversation. */
  turns(namespace: string, conversation: string): Promise<number>;
  /** The last `limit` episodes of a conversation, in order. */
  conversation(namespace: string, conversation: string, limit: number): Promise<readonly Episode[]>;
  /** The conversation with the newest episode. */
  newestConversation(): Promise<NewestConversation | undefined>;
  /** The next `limit` episodes after a position, ordered by namespace and index. */
  episodesAfter(
    place: { readonly namespace: string; readonly index: number },
    limit: number,
  ): Promise<readonly Episode[]>;
  days(limit: number): Promise<readonly DaySummary[]>;
  counts(now: EpochMs): Promise<MemoryCounts>;
}

/** What identifies facts that may be the same or contradict each other. */
export interface FactLikeness {
  readonly textDigests: readonly string[];
  readonly keys: readonly string[];
  /** From `subjectOf`. */
  readonly subjects: readonly string[];
}

export interface QuarantineFilter {
  readonly id?: string;
  readonly namespace?: string;
  readonly textDigest?: string;
  readonly limit: number;
}

export interface PruneFilter {
  readonly namespace?: string;
  readonly superseded: boolean;
}

/** The word roots to search for, from `searchTerms`. */
export interface SearchTerms {
  /** Roots of the query's own words. Without any, nothing is found. */
  readonly own: readonly string[];
  /** Roots of related words. */
  readonly related: readonly string[];
}

export interface SearchScope {
  readonly namespace?: string;
  /** Searches only this conversation. */
  readonly conversation?: string;
  /** `from` is inclusive, `to` is exclusive. */
  readonly day?: { readonly from: EpochMs; readonly to: EpochMs };
  readonly now: EpochMs;
  readonly limit: number;
  /** How many of the best episodes add their neighbouring turns; all by default. */
  readonly around?: number;
  /** Also finds episodes of these times. */
  readonly spans?: readonly { readonly from: EpochMs; readonly to: EpochMs }[];
  /** Also finds these rows, by the places from a `VectorReading`. */
  readonly near?: readonly number[];
}

/** A fact or a part of an episode, with its ranking data but without its text. */
export interface SearchPassage {
  readonly id: string;
  readonly namespace: string;
  readonly passage: Passage;
}

/** A match. The score rates its words; higher is better, 0 means that only its position matches. */
export interface TextMatch {
  /** The rowid. */
  readonly place: number;
  readonly score: number;
  readonly found: SearchPassage;
}

/** An episode of a hit; `partial` if its text is only the matching part. */
export type FoundEpisode = Episode & { readonly partial?: true };

/** A fact of a hit; `partial` if its text is only the matching part. */
export type FoundFact = Fact & { readonly partial?: true };

/** Full-text search. */
export interface TextSearch {
  /** The approximate number of texts. */
  texts(): number;
  /** The terms of up to `limit` texts of each kind, separated by spaces: those of a namespace, or from the whole memory. */
  sample(limit: number, namespace?: string): readonly string[];
  /** Finds facts that are live at `now`. */
  facts(terms: SearchTerms, scope: SearchScope): Promise<readonly TextMatch[]>;
  /** Finds parts of episodes, and the turns around the best ones. */
  episodes(terms: SearchTerms, scope: SearchScope): Promise<readonly TextMatch[]>;
  /** The time of the newest episode in the scope. */
  newestAt(scope: Pick<SearchScope, 'namespace' | 'conversation'>): Promise<EpochMs | undefined>;
  /** The existing texts at these places. */
  textsAt(kind: 'facts' | 'episodes', places: readonly number[]): ReadonlyMap<number, string>;
  /** The facts with a part at these places; whole if they are not longer than `maxLength` characters. */
  factsAt(places: readonly number[], maxLength: number): Promise<ReadonlyMap<number, FoundFact>>;
  /** The episodes with a part at these places; whole if they are not longer than `maxLength` characters. */
  episodesAt(places: readonly number[], maxLength: number): Promise<ReadonlyMap<number, FoundEpisode>>;
}

/** The vector search for one query. */
export interface VectorReading {
  /** Why vectors are missing or could not be searched, and what to do about it. */
  readonly degraded?: string;
  /** The places of the texts with the nearest vectors. */
  nearest(kind: 'facts' | 'episodes', scope: Pick<SearchScope, 'namespace' | 'limit'>): readonly number[];
  /** The similarity of the text at a place, from 0 to 1; undefined if it has no vector. */
  readonly likeness?: (kind: 'facts' | 'episodes', place: number) => number | undefined;
  /** The weight of the similarity, from the measured quality of the embedder. */
  readonly weight?: number;
}

/** Vector search. Must not throw: failures are reported as `degraded`. */
export interface VectorSearch {
  /** `namespace` limits the texts whose mean is subtracted. */
  read(text: string, namespace?: string): Promise<VectorReading>;
}

export interface DayRuns {
  /** The newest runs without a parent, newest first. */
  newest(scope: Pick<SearchScope, 'day'> & { readonly limit: number }): Promise<readonly DayRun[]>;
}

/** The version that a path has now, or that it could not be compared with the disk. */
export interface NodeVersion extends Pick<Freshness, 'unchecked'> {
  readonly version?: string;
}

/** Looks up the current versions of workspace nodes. */
export interface NodeVersions {
  /** By path; without those that are not known. */
  versionsOf(paths: readonly string[]): Promise<ReadonlyMap<string, NodeVersion>>;
}

/** Knows no node, so that no fact counts as stale. */
export const NO_NODE_VERSIONS: NodeVersions = { versionsOf: async () => new Map() };

/** Erases content permanently: table, index and mirror. */
export interface Erasure {
  /** Erases all of the events or throws before any change. Erasing again changes nothing. */
  erase(events: readonly EventAddress[], by: string, reason: string): Promise<void>;
}

export interface MemoryParts {
  readonly events: EventStore;
  readonly records: MemoryRecords;
  readonly search: TextSearch;
  readonly vectors: VectorSearch;
  /** Reads the static word vectors; without it, texts are compared by words only. */
  readonly wordVectors?: () => WordVectors;
  readonly runs: DayRuns;
  readonly nodes: NodeVersions;
  readonly erasure: Erasure;
  readonly clock: Clock;
  readonly ids: Ids;
}
