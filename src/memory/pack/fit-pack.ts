// Owns: what goes into a pack and what is left out. A pure function of the candidates, whatever their order.
// I1 The pack never takes more than its cap, titles and fences included.
// I2 Every candidate is either kept or dropped with a reason, once.
// I3 Nothing is dropped for want of room while something that matters less is kept; pinned things matter most.
import { estimateTokens } from './estimate-tokens.ts';
import { PACK_FRAME_TOKENS, renderItem } from './render-pack.ts';
import type { ContextPack, DroppedItem, DropReason, PackCandidate, PackItem, PackKind } from './types.ts';

/** So many of a kind are shown at the most, whatever room there is. */
const MOST: Partial<Record<PackKind, number>> = { procedure: 3 };
/** A piece smaller than this share of the cap is not worth showing. */
const LEAST_SHARE = 0.015;
const LEAST_TOKENS = 16;
const CUT_MARK = ' [… cut here; the rest was too long …]';

/** The candidates that fit, the one at the edge cut to the room that is left, and all others with the reason. */
export function fitPack(candidates: readonly PackCandidate[], cap: number): Omit<ContextPack, 'faults'> {
  const items: PackItem[] = [];
  const dropped: DroppedItem[] = [];
  const seen = new Set<string>();
  const counts = new Map<PackKind, number>();
  let room = cap - PACK_FRAME_TOKENS;
  let full = room <= 0;
  for (const candidate of [...candidates].sort(compareCandidates)) {
    const tokens = estimateTokens(renderItem(candidate));
    const why = refusal(candidate, seen, counts);
    if (why !== undefined) {
      dropped.push(drop(candidate, tokens, why));
      continue;
    }
    const item = full ? undefined : fitItem(candidate, tokens, room, cap);
    full = item === undefined || item.cut !== undefined;
    if (item === undefined) {
      dropped.push(drop(candidate, tokens, 'cap'));
      continue;
    }
    room -= item.tokens;
    items.push(item);
  }
  const tokens = items.reduce((sum, item) => sum + item.tokens, items.length === 0 ? 0 : PACK_FRAME_TOKENS);
  return { items, dropped, tokens, cap };
}

/** Pinned first, then by score; ties by id, then by all that is left, so that the order is total. */
export function compareCandidates(a: PackCandidate, b: PackCandidate): number {
  return (
    Number(b.pinned ?? false) - Number(a.pinned ?? false) ||
    b.score - a.score ||
    compareText(a.id, b.id) ||
    compareText(a.kind, b.kind) ||
    compareText(JSON.stringify(a), JSON.stringify(b))
  );
}

function compareText(a: string, b: string): number {
  return a === b ? 0 : a < b ? -1 : 1;
}

function refusal(
  { kind, id, text }: PackCandidate,
  seen: Set<string>,
  counts: Map<PackKind, number>,
): DropReason | undefined {
  const name = `${kind} ${id}`;
  if (seen.has(name)) return 'duplicate';
  seen.add(name);
  if (text.trim() === '') return 'empty';
  const count = (counts.get(kind) ?? 0) + 1;
  counts.set(kind, count);
  return count > (MOST[kind] ?? Number.POSITIVE_INFINITY) ? 'limit' : undefined;
}

function drop({ kind, id, score }: PackCandidate, tokens: number, why: DropReason): DroppedItem {
  return { kind, id, score, tokens, why };
}

/** The candidate whole, or its beginning with a mark; undefined when not even a piece of it is worth showing. */
function fitItem(candidate: PackCandidate, tokens: number, room: number, cap: number): PackItem | undefined {
  if (tokens <= room) return { ...candidate, tokens };
  if (room < Math.max(LEAST_TOKENS, Math.floor(cap * LEAST_SHARE))) return undefined;
  const { text } = candidate;
  const cutAt = (length: number): string => `${text.slice(0, length).toWellFormed().trimEnd()}${CUT_MARK}`;
  const size = (length: number): number => estimateTokens(renderItem({ ...candidate, text: cutAt(length) }));
  let fits = 0;
  for (let over = text.length; over - fits > 1; ) {
    const middle = (fits + over) >> 1;
    if (size(middle) <= room) fits = middle;
    else over = middle;
  }
  if (fits === 0 || size(fits) > room) return undefined;
  return { ...candidate, text: cutAt(fits), tokens: size(fits), cut: text.length - fits };
}
