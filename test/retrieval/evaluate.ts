import { readFileSync } from 'node:fs';
import {
  passageOf,
  rankPassages,
  readQuery,
  readText,
  TextIndex,
  WordSense,
  WordVectors,
} from '../../src/retrieval/index.ts';
import type { RankWeights } from '../../src/retrieval/types.ts';
import { rankHits } from '../support/rank-hits.ts';
import { type Conversation, generateSet } from './generate-set.ts';

export type Part = 'train' | 'held-out';

/** What share of the evidence is found among the first hits, over all questions and by kind of question. */
export interface Recall {
  readonly questions: number;
  readonly at: Readonly<Record<number, number>>;
  readonly byKind: Readonly<Record<string, number>>;
}

const DEPTHS = [5, 10, 20] as const;
const KIND_DEPTH = 10;

const NOTHING: RankWeights = {
  keyword: 0,
  related: 0,
  embedding: 0,
  neighbours: 0,
  conversation: 0,
  speaker: 0,
  time: 0,
  answer: 0,
  question: 0,
  importance: 0,
  recency: 0,
};

type Search = (query: string) => string[];

/** The ways of searching that are compared. */
export const WAYS: Readonly<Record<string, (conversation: Conversation) => Search>> = {
  keyword: ({ turns }) => {
    const index = new TextIndex();
    for (const { id, text, speaker } of turns) index.add(id, { text: `${speaker}: ${text}` });
    return (query) => index.search(query, 20).map(({ id }) => id);
  },
  terms: (conversation) => searchWith(conversation, { ...NOTHING, keyword: 1 }),
  neighbours: (conversation) => searchWith(conversation, { ...NOTHING, keyword: 1, neighbours: 0.5 }),
  'no list': (conversation) => searchWith(conversation, { related: 0 }),
  fused: (conversation) => searchWith(conversation, {}),
  'fused, word vectors': (conversation) => searchWith(conversation, {}, likenessIn(conversation)),
};

let sense: WordSense | undefined;

/** The similarity by the word vectors of the package, centred by the mean of the conversation. */
function likenessIn({ turns }: Conversation) {
  sense ??= new WordSense(new WordVectors(readFileSync('data/word-vectors/words.bin')));
  const known = sense;
  const mean = known.mean(turns.map(({ text, speaker }) => readText(text ?? '', speaker).terms));
  return (terms: readonly string[]) => known.likeness(terms, mean);
}

/**
 * How well the confidence tells answerable from unanswerable questions (the area under the ROC curve; 0.5 is chance). A
 * question of another pair, with the names changed, is unanswerable unless both pairs played the scene, so the
 * questions come from the other part of the set.
 */
export function evaluateConfidence(part: Part): number {
  const [answerable, unanswerable]: [number[], number[]] = [[], []];
  const foreign = generateSet(part === 'train' ? 'held-out' : 'train');
  for (const [place, conversation] of generateSet(part).entries()) {
    const other = foreign[place % foreign.length] as Conversation;
    const confidence = confidenceIn(conversation);
    answerable.push(...conversation.questions.map(({ text }) => confidence(text)));
    const names = [namesIn(other), namesIn(conversation)] as const;
    unanswerable.push(...other.questions.map(({ text }) => confidence(renamed(text, ...names))));
  }
  let better = 0;
  for (const one of answerable)
    for (const none of unanswerable) better += one > none ? 1 : one === none ? 0.5 : 0;
  return better / (answerable.length * unanswerable.length);
}

function confidenceIn(conversation: Conversation): (query: string) => number {
  const { turns } = conversation;
  const passages = turns.map((turn) => passageOf(turn, readText(turn.text ?? '', turn.speaker)));
  const now = Math.max(...turns.map(({ at }) => at));
  const options = { now, wordLikeness: likenessIn(conversation) };
  const scores = passages.map(() => 0);
  return (query) => rankPassages(readQuery(query, { now }), passages, scores, options).confidence;
}

function namesIn({ turns }: Conversation): readonly string[] {
  return [...new Set(turns.map(({ speaker }) => speaker ?? ''))].sort();
}

function renamed(text: string, from: readonly string[], to: readonly string[]): string {
  return from.reduce((changed, name, place) => changed.replaceAll(name, to[place] ?? name), text);
}

/** Ranks all turns of a conversation with these weights. */
function searchWith(
  { turns }: Conversation,
  weights: Partial<RankWeights>,
  wordLikeness?: ReturnType<typeof likenessIn>,
): Search {
  const now = Math.max(...turns.map(({ at }) => at));
  return (query) =>
    rankHits(query, turns, { limit: 20, now, weights, ...(wordLikeness && { wordLikeness }) }).map(
      ({ id }) => id,
    );
}

/** Asks all questions of a part in one way. */
export function evaluate(part: Part, way: (conversation: Conversation) => Search): Recall {
  const shares = new Map<number, number[]>(DEPTHS.map((depth) => [depth, []]));
  const kinds = new Map<string, number[]>();
  for (const conversation of generateSet(part)) {
    const search = way(conversation);
    for (const { kind, text, evidence } of conversation.questions) {
      const found = search(text);
      for (const [depth, list] of shares) list.push(shareFound(evidence, found.slice(0, depth)));
      kinds.set(kind, [...(kinds.get(kind) ?? []), shareFound(evidence, found.slice(0, KIND_DEPTH))]);
    }
  }
  return {
    questions: shares.get(KIND_DEPTH)?.length ?? 0,
    at: Object.fromEntries([...shares].map(([depth, list]) => [depth, mean(list)])),
    byKind: Object.fromEntries([...kinds].map(([kind, list]) => [kind, mean(list)])),
  };
}

function shareFound(evidence: readonly string[], found: readonly string[]): number {
  return evidence.filter((id) => found.includes(id)).length / evidence.length;
}

function mean(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / values.length;
}
