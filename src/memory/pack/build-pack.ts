import { isOkaError } from '../../kernel/index.ts';
import { estimateTokens } from './estimate-tokens.ts';
import { compareCandidates, fitPack } from './fit-pack.ts';
import { renderItem } from './render-pack.ts';
import type {
  ContextPack,
  PackCandidate,
  PackFault,
  PackRequest,
  PackSource,
  ReadPackText,
} from './types.ts';

/** The token limit of a pack, unless the run sets another one. */
const DEFAULT_PACK_TOKENS = 4_000;
const MAX_PACK_TOKENS = 200_000;
/** The approximate size of the shortest item; more candidates than could fit are useless. */
const MIN_ITEM_TOKENS = 8;
const MAX_CANDIDATES = 400;

/** The limit from a run's variable; anything but a number of tokens means the default. */
export function packCap(wanted: unknown): number {
  if (typeof wanted !== 'number' || !Number.isFinite(wanted) || wanted < 0) return DEFAULT_PACK_TOKENS;
  return Math.min(Math.floor(wanted), MAX_PACK_TOKENS);
}

/** Collects candidates from every source and fits them into a pack. The pack lists sources that fail. */
export async function buildPack(
  sources: readonly PackSource[],
  request: Omit<PackRequest, 'limit'>,
  cap: number,
): Promise<ContextPack> {
  const limit = Math.min(MAX_CANDIDATES, Math.max(1, Math.ceil(cap / MIN_ITEM_TOKENS)));
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

/** The best candidates of one source, up to the size of the whole pack. */
function withinReach(candidates: readonly PackCandidate[], cap: number): readonly PackCandidate[] {
  let room = cap;
  return [...candidates].sort(compareCandidates).filter((candidate) => {
    const reached = room > 0;
    room -= estimateTokens(renderItem(candidate));
    return reached;
  });
}

/** Reads from the first source that has the item. */
export function readFrom(sources: readonly PackSource[]): ReadPackText {
  return async (item) => {
    for (const source of sources) {
      const text = await source.read?.(item);
      if (text !== undefined) return text;
    }
    return undefined;
  };
}
