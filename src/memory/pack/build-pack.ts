import { isOkaError } from '../../kernel/index.ts';
import { estimateTokens } from './estimate-tokens.ts';
import { compareCandidates, fitPack, shareOf } from './fit-pack.ts';
import { renderItem } from './render-pack.ts';
import type {
  ContextPack,
  DroppedItem,
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
  const left: DroppedItem[] = [];
  const ask = async (source: PackSource): Promise<readonly PackCandidate[]> => {
    try {
      const offered = await source.candidates({ ...request, limit, maxItemTokens: shareOf(cap) });
      return withinReach(offered, cap, left);
    } catch (error) {
      if (!isOkaError(error)) throw error;
      faults.push({ source: source.name, what: error.message });
      return [];
    }
  };
  const candidates = cap === 0 ? [] : (await Promise.all(sources.map(ask))).flat();
  const ordered = faults.sort((a, b) => (a.source < b.source ? -1 : 1));
  const { dropped, ...fitted } = fitPack(candidates, cap);
  const listed = [...dropped, ...left.sort(compareDropped)];
  return { ...fitted, dropped: listed, faults: ordered };
}

/** The best candidates of one source, up to the size of the whole pack; the others are added to `left`. */
function withinReach(
  candidates: readonly PackCandidate[],
  cap: number,
  left: DroppedItem[],
): readonly PackCandidate[] {
  let room = cap;
  return [...candidates].sort(compareCandidates).filter((candidate) => {
    const tokens = estimateTokens(renderItem(candidate));
    const reached = room > 0;
    room -= Math.min(tokens, shareOf(cap));
    const { kind, id, score } = candidate;
    if (!reached) left.push({ kind, id, score, tokens, why: 'cap' });
    return reached;
  });
}

function compareDropped(a: DroppedItem, b: DroppedItem): number {
  return b.score - a.score || (`${a.kind} ${a.id}` < `${b.kind} ${b.id}` ? -1 : 1);
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
