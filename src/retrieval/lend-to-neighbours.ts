import type { Passage } from './read-passage.ts';

/** What a turn lends to the turns one, two and three away. */
const SHARES = [0.5, 0.25, 0.12] as const;
/** How much more the answer to a question gets of what the question found. */
const ANSWER_GAIN = 1.6;

/** How far a turn lends. */
export const LENDING_REACH: number = SHARES.length;

/** What each passage gets from the turns before and after it in its conversation. */
export function lendToNeighbours(passages: readonly Passage[], scores: Float64Array): Float64Array {
  const places = placesByTurn(passages);
  const lent = new Float64Array(passages.length);
  for (const [place, { candidate, speaker }] of passages.entries()) {
    const { conversation, order } = candidate;
    if (conversation === undefined || order === undefined) continue;
    const turns = places.get(conversation);
    let sum = 0;
    for (let away = -LENDING_REACH; away <= LENDING_REACH; away += 1) {
      const from = away === 0 ? undefined : turns?.get(order + away);
      if (from === undefined || scores[from] === 0) continue;
      const neighbour = passages[from] as Passage;
      const answers = away === -1 && neighbour.asking > 0 && neighbour.speaker !== speaker;
      const share = SHARES[Math.abs(away) - 1] as number;
      sum += share * (scores[from] as number) * (answers ? ANSWER_GAIN : 1);
    }
    lent[place] = sum;
  }
  return lent;
}

/** What each passage gets from its whole conversation: the mean of the best that its turns found. */
export function lendFromConversation(passages: readonly Passage[], scores: Float64Array): Float64Array {
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

function placesByTurn(passages: readonly Passage[]): Map<string, Map<number, number>> {
  const places = new Map<string, Map<number, number>>();
  for (const [place, { candidate }] of passages.entries()) {
    const { conversation, order } = candidate;
    if (conversation === undefined || order === undefined) continue;
    const turns = places.get(conversation);
    if (turns) turns.set(order, place);
    else places.set(conversation, new Map([[order, place]]));
  }
  return places;
}
