import type { EpochMs, Freshness } from '../kernel/index.ts';

/** The version of a workspace node that a fact was learned from. */
export interface RestsOn {
  readonly path: string;
  readonly version: string;
}

/** A statement that is held to be true, in one namespace. */
export interface Fact {
  readonly id: string;
  readonly namespace: string;
  readonly text: string;
  /** From 1 (trivial) to 5 (must not be forgotten). */
  readonly importance: number;
  /** From 0 to 1. */
  readonly confidence: number;
  /** The subject of the fact. A new fact with the same key replaces it. */
  readonly key?: string;
  readonly source?: string;
  readonly restsOn?: RestsOn;
  /** Not found from this time on. */
  readonly expiresAt?: EpochMs;
  /** The id of the fact that replaced it. */
  readonly supersededBy?: string;
  /** Learned, and neither confirmed nor stated by a person. */
  readonly candidate?: true;
  /** Who added it: a person, `run:<id>` or maintenance. */
  readonly by: string;
  readonly at: EpochMs;
  /** The index of its event in the stream of the namespace. */
  readonly index: number;
}

/** A separately searchable piece of a fact. Short facts have one. */
export interface FactPart extends Fact {
  readonly part: number;
  /** The offset of its text in the fact. */
  readonly start: number;
}

/** How often runs got a fact, from their packs or from `memory.recall`. Archived runs are not counted. */
export interface FactUses {
  readonly uses: number;
  /** The runs among them that completed and were neither corrected nor undone. */
  readonly successes: number;
  readonly lastUsedAt?: EpochMs;
}

/** One change of a fact. It has no text, so that it outlives the deletion of the fact. */
export interface FactChange {
  readonly fact: string;
  readonly change: 'added' | 'affirmed' | 'confirmed' | 'superseded' | 'restored' | 'rejected' | 'deleted';
  /** The fact that replaced it, or that it was restored from. */
  readonly other?: string;
  readonly by: string;
  readonly at: EpochMs;
}

/** A statement of a run that had read untrusted content. No run sees it until a person confirms it. */
export interface QuarantinedFact
  extends Pick<
    Fact,
    'id' | 'namespace' | 'text' | 'importance' | 'confidence' | 'expiresAt' | 'at' | 'index'
  > {
  /** The run that stated it. */
  readonly run: string;
  /** What the run had read. */
  readonly origin?: string;
}

/** Something that happened or was said. */
export interface Episode {
  readonly id: string;
  readonly namespace: string;
  readonly conversation?: string;
  /** Its position in the conversation, from 0. */
  readonly turn?: number;
  readonly text: string;
  readonly source?: string;
  readonly at: EpochMs;
  readonly index: number;
  /** The run that wrote it had read untrusted content. */
  readonly tainted?: true;
}

/** A separately searchable piece of an episode. Short episodes have one. */
export interface EpisodePart extends Episode {
  readonly part: number;
  /** The offset of its text in the episode. */
  readonly start: number;
}

export interface DayRun {
  readonly id: string;
  readonly goal: string;
  readonly outcome: string;
  readonly at: EpochMs;
}

/** The parts of a hit's score; they add up to it. */
export interface ScoreParts {
  /** It contains words of the query, or related words. */
  readonly keyword: number;
  /** Similarity of vectors. */
  readonly vector: number;
  /** The neighbouring turns, or the whole conversation, match the query. */
  readonly neighbours: number;
  /** It matches the named speaker or time, or has the kind of answer that the query asks for. */
  readonly fit: number;
  readonly importance: number;
  readonly recency: number;
}

export interface MemoryHit extends Freshness {
  readonly kind: 'fact' | 'episode' | 'run';
  /** The imported id of an episode that has one. */
  readonly id: string;
  /** The stored id, unique in the workspace, if it differs from `id`. */
  readonly keptId?: string;
  readonly text: string;
  readonly score: number;
  readonly why: ScoreParts;
  readonly at: EpochMs;
  readonly namespace?: string;
  readonly conversation?: string;
  readonly source?: string;
  readonly importance?: number;
  /** The fact or episode is too long to show; the text is the matching part. */
  readonly partial?: true;
  /** A learned fact that nobody confirmed and no run used with success. */
  readonly candidate?: true;
}

/** The hits of a query; degraded if the vector search was incomplete. */
export interface Found {
  readonly hits: readonly MemoryHit[];
  /** How likely the hits contain evidence for the query, from 0 to 1. */
  readonly confidence: number;
  /** False if the confidence is so low that nothing certain was found. */
  readonly certain: boolean;
  readonly degraded: boolean;
  /** Why it is degraded, and what to do about it. */
  readonly notice?: string;
}

export type MemoryErrorCode =
  | 'memory.invalid'
  | 'memory.unknown'
  | 'memory.superseded'
  | 'memory.in_use'
  | 'memory.nothing_to_undo'
  | 'memory.vectors_failed';
