import type { Passage } from './read-passage.ts';

/** The share of a turn's score that the turns one, two and three away get. */
const SHARES = [0.5, 0.35, 0.12] as const;
/** The factor for the answer to a question. */
const ANSWER_GAIN = 2;

/** How far a turn's score reaches. */
export const NEIGHBOUR_REACH: number = SHARES.length;

/** The score of each passage from the turns around it. */
export function scoresFromNeighbours(passages: readonly Passage[], scores: Float64Array): Float64Array {
  const turns = new TurnPlaces(passages);
  const shares = new Float64Array(passages.length);
  for (const [place, { candidate, speaker }] of passages.entries()) {
    if (candidate.conversation === undefined || candidate.order === undefined) continue;
    let sum = 0;
    for (let away = -NEIGHBOUR_REACH; away <= NEIGHBOUR_REACH; away += 1) {
      const from = away === 0 ? undefined : turns.at(place, away);
      if (from === undefined || scores[from] === 0) continue;
      const neighbour = passages[from] as Passage;
      const answers = away === -1 && neighbour.asking > 0 && neighbour.speaker !== speaker;
      const share = SHARES[Math.abs(away) - 1] as number;
      sum += share * (scores[from] as number) * (answers ? ANSWER_GAIN : 1);
    }
    shares[place] = sum;
  }
  return shares;
}

/** The score of each passage from its conversation: the mean of the three best turns. */
export function scoresFromConversation(passages: readonly Passage[], scores: Float64Array): Float64Array {
  const best = new Map<string, [number, number, number]>();
  for (const [place, { candidate }] of passages.entries()) {
    const { conversation } = candidate;
    const score = scores[place] as number;
    if (conversation === undefined || score <= 0) continue;
    const [first, second, third] = best.get(conversation) ?? [0, 0, 0];
    if (score > first) best.set(conversation, [score, first, second]);
    else if (score > second) best.set(conversation, [first, score, second]);
    else if (score > third) best.set(conversation, [first, second, score]);
  }
  return Float64Array.from(passages, ({ candidate: { conversation } }) => {
    const [first, second, third] = (conversation !== undefined && best.get(conversation)) || [0, 0, 0];
    return (first + second + third) / 3;
  });
}

const MAX_TURNS = 1_000_000;

/** Finds turns by their position in a conversation. */
class TurnPlaces {
  readonly #turns: Float64Array;
  readonly #places = new Map<number, number>();

  constructor(passages: readonly Passage[]) {
    this.#turns = new Float64Array(passages.length);
    const starts = new Map<string, number>();
    for (const [place, { candidate }] of passages.entries()) {
      const { conversation, order } = candidate;
      if (conversation === undefined || order === undefined) continue;
      const start = starts.get(conversation) ?? starts.size * MAX_TURNS;
      starts.set(conversation, start);
      this.#turns[place] = start + order;
      this.#places.set(start + order, place);
    }
  }

  /** The turn `away` turns after this one; before it if negative. */
  at(place: number, away: number): number | undefined {
    return this.#places.get((this.#turns[place] as number) + away);
  }
}
