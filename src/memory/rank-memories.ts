import type { EpochMs } from '../kernel/index.ts';
import type { ScoreParts } from './types.ts';

/** Something that may be an answer. */
export interface RankCandidate {
  readonly kind: 'fact' | 'episode' | 'run';
  readonly id: string;
  /** How well its words fit; candidates of one kind can be compared. */
  readonly score: number;
  readonly at: EpochMs;
  readonly importance?: number;
  readonly confidence?: number;
  readonly conversation?: string;
  readonly turn?: number;
}

export interface Ranked<Candidate> {
  readonly candidate: Candidate;
  readonly score: number;
  readonly why: ScoreParts;
}

const HALF_LIFE_MS = 30 * 86_400_000;
const RECENCY_SHARE = 0.1;
const IMPORTANCE_SHARE = 0.12;
/** What a turn lends to the ones next to it, and to those beyond them. */
const LENT = [0.4, 0.2] as const;

/** Scores candidates by their words, what their neighbours in the conversation lend, importance and age; best first. */
export function rankMemories<Candidate extends RankCandidate>(
  candidates: readonly Candidate[],
  now: EpochMs,
): readonly Ranked<Candidate>[] {
  const keyword = keywordScores(candidates);
  return candidates
    .map((candidate, i) => {
      const why: ScoreParts = {
        keyword: round(keyword[i] ?? 0),
        vector: 0,
        importance: round((candidate.importance ?? 0) * (candidate.confidence ?? 1) * IMPORTANCE_SHARE),
        recency: round(RECENCY_SHARE * 0.5 ** (Math.max(0, now - candidate.at) / HALF_LIFE_MS)),
      };
      const score = round(why.keyword + why.vector + why.importance + why.recency);
      return { candidate, score, why };
    })
    .filter(({ why }) => why.keyword > 0)
    .sort(compareRanked);
}

function compareRanked(a: Ranked<RankCandidate>, b: Ranked<RankCandidate>): number {
  return b.score - a.score || b.candidate.at - a.candidate.at || (a.candidate.id < b.candidate.id ? -1 : 1);
}

/** Between 0 and 1 for each kind, so that kinds found in different ways can be compared. */
function keywordScores(candidates: readonly RankCandidate[]): number[] {
  const own = new Map<string, number>();
  for (const candidate of candidates) {
    const place = placeOf(candidate);
    if (place !== undefined) own.set(place, Math.max(own.get(place) ?? 0, candidate.score));
  }
  const raw = candidates.map((candidate) => candidate.score + lentTo(candidate, own));
  const best = new Map<string, number>();
  for (const [i, { kind }] of candidates.entries())
    best.set(kind, Math.max(best.get(kind) ?? 0, raw[i] ?? 0));
  return candidates.map(({ kind }, i) => (raw[i] ?? 0) / (best.get(kind) || 1));
}

function lentTo(candidate: RankCandidate, own: ReadonlyMap<string, number>): number {
  const { conversation, turn } = candidate;
  if (conversation === undefined || turn === undefined) return 0;
  return LENT.reduce((sum, share, i) => {
    const before = own.get(`${turn - i - 1} ${conversation}`) ?? 0;
    const after = own.get(`${turn + i + 1} ${conversation}`) ?? 0;
    return sum + share * Math.max(before, after);
  }, 0);
}

function placeOf({ conversation, turn }: RankCandidate): string | undefined {
  return conversation === undefined || turn === undefined ? undefined : `${turn} ${conversation}`;
}

function round(value: number): number {
  return Math.round(value * 1e6) / 1e6;
}
