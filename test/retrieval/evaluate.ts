import { TextIndex } from '../../src/retrieval/index.ts';
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
};

/** Ranks all turns of a conversation with these weights. */
function searchWith({ turns }: Conversation, weights: Partial<RankWeights>): Search {
  const now = Math.max(...turns.map(({ at }) => at));
  return (query) => rankHits(query, turns, { limit: 20, now, weights }).map(({ id }) => id);
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
