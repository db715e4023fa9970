// Owns: selecting the items of a pack. A pure function of the candidates, independent of their order.
// I1 The pack never exceeds its cap, including titles and fences.
// I2 Every candidate is either included or dropped with a reason, once.
// I3 No candidate is dropped for lack of room while a less important one is included. Pinned candidates come first.
// I4 No item takes more than its share, except the policy and the instructions of the workspace.
import { estimateTokens } from './estimate-tokens.ts';
import { PACK_FRAME_TOKENS, renderItem } from './render-pack.ts';
import type { ContextPack, DroppedItem, DropReason, PackCandidate, PackItem, PackKind } from './types.ts';

/** The maximum number of items of a kind, even if more fit. */
const MAX_ITEMS: Partial<Record<PackKind, number>> = { procedure: 3 };
/** A cut item must have at least this share of the cap. */
const MIN_CUT_SHARE = 0.015;
const MIN_CUT_TOKENS = 16;
/** The part of a pack that one item may take. */
const MAX_SHARE = 0.25;
const MIN_SHARE_TOKENS = 120;
const CUT_MARK = ' [… cut here; the rest was too long …]';

/** The number of tokens that one item of a pack may take. */
export function shareOf(cap: number): number {
  return Math.max(Math.floor(cap * MAX_SHARE), MIN_SHARE_TOKENS);
}

/** Includes the candidates that fit, cuts the last one to the remaining room, and drops the others with a reason. */
export function fitPack(candidates: readonly PackCandidate[], cap: number): Omit<ContextPack, 'faults'> {
  const items: PackItem[] = [];
  const dropped: DroppedItem[] = [];
  const seen = new Set<string>();
  const counts = new Map<PackKind, number>();
  let room = cap - PACK_FRAME_TOKENS;
  let full = room <= 0;
  for (const candidate of [...candidates].sort(compareCandidates)) {
    const { kind, id, score } = candidate;
    const tokens = estimateTokens(renderItem(candidate));
    const reason = dropReason(candidate, seen, counts);
    const share = isWholly(candidate) ? cap : shareOf(cap);
    const item =
      full || reason !== undefined ? undefined : fitItem(candidate, tokens, Math.min(room, share), cap);
    if (reason === undefined) full = item === undefined || (item.cut !== undefined && room < share);
    if (item === undefined) {
      dropped.push({ kind, id, score, tokens, why: reason ?? 'cap' });
      continue;
    }
    room -= item.tokens;
    items.push(item);
  }
  const tokens = items.reduce((sum, item) => sum + item.tokens, items.length === 0 ? 0 : PACK_FRAME_TOKENS);
  return { items, dropped, tokens, cap };
}

/** What a person demands of every run is cut only when nothing else is left. */
function isWholly({ pinned, copied }: PackCandidate): boolean {
  return pinned === true && copied === true;
}

/** Pinned first, then by score. Ties are broken by everything else, so that the order is total. */
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

function dropReason(
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
  return count > (MAX_ITEMS[kind] ?? Number.POSITIVE_INFINITY) ? 'limit' : undefined;
}

/** The whole candidate, or its beginning with a mark; undefined if the room is too small for a useful piece. */
function fitItem(candidate: PackCandidate, tokens: number, room: number, cap: number): PackItem | undefined {
  if (tokens <= room) return { ...candidate, tokens };
  if (room < Math.max(MIN_CUT_TOKENS, Math.floor(cap * MIN_CUT_SHARE))) return undefined;
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
