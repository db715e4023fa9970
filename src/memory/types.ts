import type { EpochMs } from '../kernel/index.ts';

/** A workspace node, as it was when a fact was learned from it. */
export interface RestsOn {
  readonly path: string;
  readonly version: string;
}

/** Something that is held to be true, in one namespace. */
export interface Fact {
  readonly id: string;
  readonly namespace: string;
  readonly text: string;
  /** From 1, hardly matters, to 5, must not be forgotten. */
  readonly importance: number;
  /** How sure it is, from 0 to 1. */
  readonly confidence: number;
  /** What the fact is about; a new fact with the same key takes its place. */
  readonly key?: string;
  readonly source?: string;
  readonly restsOn?: RestsOn;
  /** From then on it never surfaces. */
  readonly expiresAt?: EpochMs;
  /** The fact that took its place. */
  readonly supersededBy?: string;
  readonly at: EpochMs;
  /** Where its text stands in the stream of its namespace. */
  readonly index: number;
}

/** Something that happened or was said. */
export interface Episode {
  readonly id: string;
  readonly namespace: string;
  readonly conversation?: string;
  /** Its place in the conversation, from 0. */
  readonly turn?: number;
  readonly text: string;
  readonly source?: string;
  readonly at: EpochMs;
  readonly index: number;
}

/** A piece of an episode that is found on its own; short episodes have one. */
export interface EpisodePart extends Episode {
  readonly part: number;
  /** Where its text begins in the text of the episode. */
  readonly start: number;
}

/** A run of the ledger, as the archive of its day shows it. */
export interface DayRun {
  readonly id: string;
  readonly goal: string;
  readonly outcome: string;
  readonly at: EpochMs;
}

/** What a hit's score is made of; the parts add up to it. */
export interface ScoreParts {
  /** It holds words of the query, or other words for them. */
  readonly keyword: number;
  /** It means something alike. */
  readonly vector: number;
  /** The turns around it, or its whole conversation, fit the query. */
  readonly neighbours: number;
  /** The right person said it, at the right time, or it has the kind of thing that is asked for. */
  readonly fit: number;
  readonly importance: number;
  readonly recency: number;
}

/** What was found, how well it fits, and why. */
export interface MemoryHit {
  readonly kind: 'fact' | 'episode' | 'run';
  /** Of an episode that was brought in with an id, that id. */
  readonly id: string;
  /** The id that stands once in the workspace, where that is another. */
  readonly keptId?: string;
  readonly text: string;
  readonly score: number;
  readonly why: ScoreParts;
  readonly at: EpochMs;
  readonly namespace?: string;
  readonly conversation?: string;
  readonly source?: string;
  readonly importance?: number;
  /** The episode is very long, and the text only the part of it that was found. */
  readonly partial?: true;
  /** The workspace node that the fact rests on has changed since. */
  readonly stale?: true;
}

/** The hits of a query; degraded where vectors could not be asked about everything. */
export interface Found {
  readonly hits: readonly MemoryHit[];
  readonly degraded: boolean;
  /** Why it is degraded, and what to do about it. */
  readonly notice?: string;
}

export type MemoryErrorCode =
  | 'memory.invalid'
  | 'memory.unknown'
  | 'memory.superseded'
  | 'memory.vectors_failed';
