import type { Passage } from './read-passage.ts';

/** What a turn lends to the turns one, two and three away. */
const SHARES = [0.5, 0.25, 0.12] as const;
/** How much more the answer to a question gets of what the question found. */
const ANSWER_GAIN = 1.6;

/** How far a turn lends. */
export const LENDING_REACH: number = SHARES.length;

/** What each passage gets from the turns before and after it in its conversation. */
export function lendToNeighbours(passages: readonly Passage[], scores: readonly number[]): number[] {
  const places = placesByTurn(passages);
  return passages.map(({ candidate, speaker }) => {
    const { conversation, order } = candidate;
    if (conversation === undefined || order === undefined) return 0;
    const turns = places.get(conversation);
    let lent = 0;
    SHARES.forEach((share, step) => {
      for (const turn of [order - step - 1, order + step + 1]) {
        const place = turns?.get(turn);
        const neighbour = place === undefined ? undefined : passages[place];
        if (place === undefined || !neighbour) continue;
        const answers =
          turn === order - 1 && neighbour.asking > 0 && !sameSpeaker(neighbour.speaker, speaker);
        lent += share * (scores[place] ?? 0) * (answers ? ANSWER_GAIN : 1);
      }
    });
    return lent;
  });
}

/** What each passage gets from its whole conversation: the mean of the best that its turns found. */
export function lendFromConversation(passages: readonly Passage[], scores: readonly number[]): number[] {
  const best = new Map<string, number[]>();
  passages.forEach(({ candidate: { conversation } }, place) => {
    if (conversation === undefined) return;
    best.set(
      conversation,
      [...(best.get(conversation) ?? []), scores[place] ?? 0].sort((a, b) => b - a).slice(0, 3),
    );
  });
  return passages.map(({ candidate: { conversation } }) => {
    const top = conversation === undefined ? [] : (best.get(conversation) ?? []);
    return top.reduce((sum, score) => sum + score, 0) / 3;
  });
}

function placesByTurn(passages: readonly Passage[]): Map<string, Map<number, number>> {
  const places = new Map<string, Map<number, number>>();
  passages.forEach(({ candidate: { conversation, order } }, place) => {
    if (conversation === undefined || order === undefined) return;
    const turns = places.get(conversation) ?? new Map<number, number>();
    turns.set(order, place);
    places.set(conversation, turns);
  });
  return places;
}

function sameSpeaker(one: readonly string[], other: readonly string[]): boolean {
  return one.join(' ') === other.join(' ');
}
