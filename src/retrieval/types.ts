import type { EpochMs } from '../kernel/index.ts';

/** The ranking data of a text, which a store can keep. */
export interface TextReading {
  /** The roots of its words without stop words, in order, separated by spaces. */
  readonly terms: string;
  /** The words of the speaker's name, in lower case, with spaces between them. */
  readonly speaker: string;
  /** The share of questions in it. */
  readonly asking: number;
}

/** A text that a store found for a query. */
export interface Candidate {
  readonly id: string;
  /** Undefined if the text is loaded only when needed. */
  readonly text?: string;
  readonly at: EpochMs;
  readonly kind: 'fact' | 'episode';
  /** The id of its conversation. */
  readonly conversation?: string;
  /** Its turn in the conversation. */
  readonly order?: number;
  /** From 0 to 1. */
  readonly importance?: number;
}

export const SCORE_PARTS = [
  'keyword',
  'related',
  'embedding',
  'neighbours',
  'conversation',
  'speaker',
  'time',
  'answer',
  'question',
  'importance',
  'recency',
] as const;
export type ScorePart = (typeof SCORE_PARTS)[number];

/** The weight of each part; 0 disables it. */
export type RankWeights = Readonly<Record<ScorePart, number>>;

/** The contribution of one part to a score. */
export interface ScoreReason {
  readonly part: ScorePart;
  readonly score: number;
}

/** A ranked candidate; the parts add up to its score. */
export interface RankedHit {
  readonly id: string;
  /** Its index in the candidates. */
  readonly place: number;
  readonly score: number;
  readonly why: readonly ScoreReason[];
  /** The terms of the query, or related words, that it contains. */
  readonly terms: readonly string[];
}
