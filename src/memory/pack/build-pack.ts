import { isOkaError } from '../../kernel/index.ts';
import { estimateTokens } from './estimate-tokens.ts';
import { compareCandidates, fitPack } from './fit-pack.ts';
import type { PackRequest, PackSource, ReadPackText } from './ports.ts';
import { renderItem } from './render-pack.ts';
import type { ContextPack, PackCandidate, PackFault } from './types.ts';

/** The room for what is known before, unless a run says otherwise. */
const DEFAULT_PACK_TOKENS = 4_000;
const LARGEST_PACK_TOKENS = 200_000;
/** The shortest things that are shown take about so much; more candidates than could fit are of no use. */
const SMALL_ITEM_TOKENS = 8;
const MOST_CANDIDATES = 400;

/** The cap that a run's variable asks for; anything but a number of tokens is the default. */
export function packCap(wanted: unknown): number {
  if (typeof wanted !== 'number' || !Number.isFinite(wanted) || wanted < 0) return DEFAULT_PACK_TOKENS;
  return Math.min(Math.floor(wanted), LARGEST_PACK_TOKENS);
}

/** Asks every source, and keeps what fits. A source that cannot answer is named, and the others are used. */
export async function buildPack(
  sources: readonly PackSource[],
  request: Omit<PackRequest, 'limit'>,
  cap: number,
): Promise<ContextPack> {
  const limit = Math.min(MOST_CANDIDATES, Math.max(1, Math.ceil(cap / SMALL_ITEM_TOKENS)));
  const faults: PackFault[] = [];
  const ask = async (source: PackSource): Promise<readonly PackCandidate[]> => {
    try {
      return withinReach(await source.candidates({ ...request, limit }), cap);
    } catch (error) {
      if (!isOkaError(error)) throw error;
      faults.push({ source: source.name, what: error.message });
      return [];
    }
  };
  const candidates = cap === 0 ? [] : (await Promise.all(sources.map(ask))).flat();
  const ordered = faults.sort((a, b) => (a.source < b.source ? -1 : 1));
  return { ...fitPack(candidates, cap), faults: ordered };
}

/** The best of one source, down to the first that could not fit even if it were alone; the rest is not worth listing. */
function withinReach(candidates: readonly PackCandidate[], cap: number): readonly PackCandidate[] {
  let room = cap;
  return [...candidates].sort(compareCandidates).filter((candidate) => {
    const reached = room > 0;
    room -= estimateTokens(renderItem(candidate));
    return reached;
  });
}

/** Reads from whichever source knows the item. */
export function readFrom(sources: readonly PackSource[]): ReadPackText {
  return async (item) => {
    for (const source of sources) {
      const text = await source.read?.(item);
      if (text !== undefined) return text;
    }
    return undefined;
  };
}
