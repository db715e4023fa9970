import type { EpochMs } from '../kernel/index.ts';
import type { EventAddress } from '../ledger/index.ts';
import type { DayRun, Episode, EpisodePart, Fact } from './types.ts';

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

/** Finds facts and episodes in the tables that `memoryProjection` folds. */
export interface MemoryRecords {
  fact(id: string): Promise<Fact | undefined>;
  /** The most important first, then the newest. */
  facts(filter: FactFilter): Promise<readonly Fact[]>;
  /** The facts of a namespace that hold at `now` and have this text, or this key. */
  equalFacts(
    namespace: string,
    like: { readonly textDigest: string; readonly key?: string },
    now: EpochMs,
  ): Promise<readonly Fact[]>;
  /** The facts that do not hold at `now` any more: expired ones and, if wanted, superseded ones. */
  spentFacts(now: EpochMs, options: SpentOptions): Promise<readonly Fact[]>;
  episode(id: string): Promise<Episode | undefined>;
  /** Whether the very same was recorded before: namespace, conversation, time and text. */
  hasEpisode(
    episode: Pick<Episode, 'namespace' | 'conversation' | 'at' | 'text'> & { readonly conversation?: string },
  ): Promise<boolean>;
  /** How many turns a conversation has. */
  turns(namespace: string, conversation: string): Promise<number>;
  /** The episodes of a conversation in order, the last ones when there are more than `limit`. */
  conversation(namespace: string, conversation: string, limit: number): Promise<readonly Episode[]>;
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

/** Where to look. */
export interface SearchScope {
  readonly namespace?: string;
  /** From this moment on, and before that one. */
  readonly day?: { readonly from: EpochMs; readonly to: EpochMs };
  readonly now: EpochMs;
  readonly limit: number;
}

/** Something that holds words of a query. The score says how well it fits; larger is better, 0 is a neighbour only. */
export interface TextMatch<Item> {
  readonly item: Item;
  readonly score: number;
}

/** Finds by words. They are plain words, as `queryWords` gives them; no words find nothing. */
export interface TextSearch {
  /** Facts that hold at `now`. */
  facts(words: readonly string[], scope: SearchScope): Promise<readonly TextMatch<Fact>[]>;
  /** Parts of episodes, and beside them the turns before and after the best ones. */
  episodes(words: readonly string[], scope: SearchScope): Promise<readonly TextMatch<EpisodePart>[]>;
}

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
