import type { EpochMs } from '../kernel/index.ts';
import type { EventAddress } from '../ledger/index.ts';
import type { Passage } from '../retrieval/index.ts';
import type { DayRun, Episode, Fact } from './types.ts';

/** Which facts are wanted; without `all` only those that hold at `now`. */
export interface FactFilter {
  readonly namespace?: string;
  readonly all?: boolean;
  readonly now: EpochMs;
  readonly limit: number;
}

/** How much is remembered. */
export interface MemoryCounts {
  readonly facts: { readonly live: number; readonly expired: number; readonly superseded: number };
  readonly episodes: number;
  readonly conversations: number;
  readonly namespaces: readonly {
    readonly namespace: string;
    readonly facts: number;
    readonly episodes: number;
  }[];
}

/** A day, in UTC, and what it holds. */
export interface DaySummary {
  readonly day: string;
  readonly episodes: number;
  readonly runs: number;
}

/** A conversation, and how many messages it has. */
export interface NewestConversation {
  readonly namespace: string;
  readonly conversation: string;
  readonly messages: number;
}

/** Finds facts and episodes in the tables that `memoryProjection` folds. */
export interface MemoryRecords {
  fact(id: string): Promise<Fact | undefined>;
  /** The most important first, then the newest. */
  facts(filter: FactFilter): Promise<readonly Fact[]>;
  /** The facts of a namespace that hold at `now` and have one of these texts, or one of these keys. */
  standingFacts(
    namespace: string,
    like: { readonly textDigests: readonly string[]; readonly keys: readonly string[] },
    now: EpochMs,
  ): Promise<readonly Fact[]>;
  /** The facts that do not hold at `now` any more: expired ones and, if wanted, superseded ones. */
  spentFacts(now: EpochMs, options: SpentOptions): Promise<readonly Fact[]>;
  episode(id: string): Promise<Episode | undefined>;
  /** The episodes of a namespace at these moments. */
  episodesAt(namespace: string, times: readonly EpochMs[]): Promise<readonly Episode[]>;
  /** How many turns a conversation has. */
  turns(namespace: string, conversation: string): Promise<number>;
  /** The episodes of a conversation in order, the last ones when there are more than `limit`. */
  conversation(namespace: string, conversation: string, limit: number): Promise<readonly Episode[]>;
  /** The conversation in which something was said last. */
  newestConversation(): Promise<NewestConversation | undefined>;
  /** Every episode, by namespace and in the order of their recording, `limit` after this place. */
  episodesAfter(
    place: { readonly namespace: string; readonly index: number },
    limit: number,
  ): Promise<readonly Episode[]>;
  days(limit: number): Promise<readonly DaySummary[]>;
  counts(now: EpochMs): Promise<MemoryCounts>;
}

export interface SpentOptions {
  readonly namespace?: string;
  readonly superseded: boolean;
}

/** The roots to look for, as `searchTerms` gives them. */
export interface SearchTerms {
  /** Those of the query's own words; none find nothing. */
  readonly own: readonly string[];
  /** Those of other words that may stand for them. */
  readonly related: readonly string[];
}

/** Where to look, and what else may be found there. */
export interface SearchScope {
  readonly namespace?: string;
  /** Only episodes of this conversation. */
  readonly conversation?: string;
  /** From this moment on, and before that one. */
  readonly day?: { readonly from: EpochMs; readonly to: EpochMs };
  readonly now: EpochMs;
  readonly limit: number;
  /** The turns around so many of the best episodes are found too; around all of them unless told. */
  readonly around?: number;
  /** Episodes of these times are found too. */
  readonly spans?: readonly { readonly from: EpochMs; readonly to: EpochMs }[];
  /** Rows that are found too, by the places that a `VectorReading` gave. */
  readonly near?: readonly number[];
}

/** A fact or a part of an episode, as it is ranked; its text is asked for where it is wanted. */
export interface KeptPassage {
  readonly id: string;
  readonly namespace: string;
  readonly passage: Passage;
}

/** Something that was found. The score says how well its words fit; larger is better, 0 is only near. */
export interface TextMatch {
  /** Its place in its table. */
  readonly place: number;
  readonly score: number;
  readonly kept: KeptPassage;
}

/** An episode as a hit shows it: whole, or only the part that was found of one that is very long. */
export type FoundEpisode = Episode & { readonly partial?: true };

/** Finds by words. */
export interface TextSearch {
  /** About how many texts there are. */
  texts(): number;
  /** Facts that hold at `now`. */
  facts(terms: SearchTerms, scope: SearchScope): Promise<readonly TextMatch[]>;
  /** Parts of episodes, and beside them the turns around the best ones. */
  episodes(terms: SearchTerms, scope: SearchScope): Promise<readonly TextMatch[]>;
  /** When the newest episode happened that may be found there. */
  newestAt(scope: Pick<SearchScope, 'namespace' | 'conversation'>): Promise<EpochMs | undefined>;
  /** The texts at these places, as far as they are still there. */
  textsAt(kind: 'facts' | 'episodes', places: readonly number[]): ReadonlyMap<number, string>;
  /** The facts at these places, as far as they are still there. */
  factsAt(places: readonly number[]): Promise<ReadonlyMap<number, Fact>>;
  /** The episodes that have a part at these places: whole where they are not longer than so many characters. */
  episodesAt(places: readonly number[], longest: number): Promise<ReadonlyMap<number, FoundEpisode>>;
}

/** What vectors say about one query. */
export interface VectorReading {
  /** Why they could not be asked about everything, and what to do about it; missing when they were. */
  readonly degraded?: string;
  /** The places of the texts whose direction is nearest to the query's. */
  nearest(kind: 'facts' | 'episodes', scope: Pick<SearchScope, 'namespace' | 'limit'>): readonly number[];
  /** How near an embedder finds the text at a place, from 0 to 1; undefined where it has not seen it. */
  readonly likeness?: (kind: 'facts' | 'episodes', place: number) => number | undefined;
}

/** Finds by meaning. Must not throw: what fails is told as `degraded`. */
export interface VectorSearch {
  read(text: string): Promise<VectorReading>;
}

/** Has no vectors, and says so. */
export const NO_VECTORS: VectorSearch = {
  read: async () => ({ degraded: 'no vectors are kept here.', nearest: () => [] }),
};

/** The runs of the ledger, for the archive of a day. */
export interface DayRuns {
  /** The newest runs that nobody else's run started, newest first. */
  newest(scope: Pick<SearchScope, 'day'> & { readonly limit: number }): Promise<readonly DayRun[]>;
}

/** Knows which version of a workspace node is there now. */
export interface NodeVersions {
  /** Undefined where nothing is known of the node. */
  versionOf(path: string): Promise<string | undefined>;
}

/** Knows nothing of any node, so that no fact is called stale. */
export const NO_NODE_VERSIONS: NodeVersions = { versionOf: async () => undefined };

/** Takes content out of the ledger for good: table, index, mirror. */
export interface Erasure {
  /** Refuses before anything is changed, or erases all of it. Erasing what is erased already changes nothing. */
  erase(events: readonly EventAddress[], by: string, reason: string): Promise<void>;
}
