import type { EpochMs } from '../kernel/index.ts';

/** What is read from a text, as a store can keep it. */
export interface TextReading {
  /** The roots of its telling words, in order, with spaces between them. */
  readonly terms: string;
  /** The words of the speaker's name, in lower case, with spaces between them. */
  readonly speaker: string;
  /** What share of it asks instead of telling. */
  readonly asking: number;
}

/** A text that may answer a query, as a store found it. */
export interface Candidate {
  readonly id: string;
  /** May be left out where there is a `reading`, and texts can be had when they are wanted. */
  readonly text?: string;
  readonly at: EpochMs;
  readonly kind: 'fact' | 'episode';
  /** The store's own score, higher is better; it decides between equals. */
  readonly score?: number;
  /** Who said it; a text that starts with `Name:` says so itself. */
  readonly speaker?: string;
  /** The sitting in which it was said. */
  readonly conversation?: string;
  /** Its turn in that sitting, counted by ones. */
  readonly order?: number;
  /** From 0 to 1. */
  readonly importance?: number;
  /** What `readText` has read from the text before. */
  readonly reading?: TextReading;
}

/** A part of a hit's score. */
export type ScorePart =
  | 'keyword'
  | 'related'
  | 'embedding'
  | 'neighbours'
  | 'conversation'
  | 'speaker'
  | 'time'
  | 'answer'
  | 'question'
  | 'importance'
  | 'recency';

/** How much each part counts; 0 leaves it out. */
export type RankWeights = Readonly<Record<ScorePart, number>>;

/** What a part adds to a hit's score. */
export interface ScoreReason {
  readonly part: ScorePart;
  readonly score: number;
}

/** A candidate in its place, with the parts whose sum is its score. */
export interface RankedHit {
  readonly id: string;
  /** Which of the candidates it is. */
  readonly place: number;
  readonly score: number;
  readonly why: readonly ScoreReason[];
  /** The terms of the query, or words for them, that it holds itself. */
  readonly terms: readonly string[];
}
