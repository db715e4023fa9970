import type { NodeChange } from '../tree/types.ts';
import { compareTexts } from './basis.ts';
import type { ContextParts, HeadMove } from './ports.ts';
import type { FrameSummary } from './types.ts';

/** A head that differs between two scans. */
interface HeadChange {
  readonly path: string;
  readonly type: string;
  /** Its frame at the first scan; missing if there was none. */
  readonly before?: string;
  /** Its frame at the second scan; missing if there was none. */
  readonly after?: string;
  /** Its path has another version at the second scan than the one that it describes. */
  readonly stale?: true;
  /** It was marked as invalid in between, and no frame followed. */
  readonly invalid?: true;
}

export interface FrameDiff {
  readonly heads: readonly HeadChange[];
  /** Frames that were added in between, oldest first; for a diff that goes back in time, those that were not there yet. */
  readonly frames: readonly FrameSummary[];
}

/** The part of the ledger between two scans, and how the tree changed. */
export interface ScanRange {
  readonly after: number;
  readonly until: number;
  /** The first scan is the newer one. */
  readonly isReversed: boolean;
  readonly changes: readonly NodeChange[];
}

/** Compares heads and frames between two scans. */
export async function diffFrames(parts: Pick<ContextParts, 'records'>, range: ScanRange): Promise<FrameDiff> {
  const moves = await parts.records.movesBetween(range.after, range.until);
  const changed = new Map<string, HeadChange>();
  const frames: FrameSummary[] = [];
  for (const { path, type } of moves) {
    if (changed.has(keyOf(path, type))) continue;
    const before = await parts.records.headAt(path, type, range.after);
    const after = await parts.records.headAt(path, type, range.until);
    const invalid = after?.change === 'invalidated' && !range.isReversed ? { invalid: true as const } : {};
    changed.set(keyOf(path, type), { path, type, ...sides(range, before, after), ...invalid });
  }
  for (const { change, frame } of moves) {
    const found = change === 'appended' ? await parts.records.frame(frame) : undefined;
    if (found === undefined) continue;
    const { basis: _basis, metadata: _metadata, content: _content, blob: _blob, ...summary } = found;
    frames.push(summary);
  }
  for (const { path, after } of range.changes)
    for (const { type } of await parts.records.heads(path)) {
      const place = range.isReversed ? range.after : range.until;
      const head = await parts.records.headAt(path, type, place);
      // A synthesized head rests on the frames below, not on its folder.
      if (head === undefined || head.recipe === 'synthesis' || head.node === after) continue;
      const known = changed.get(keyOf(path, type)) ?? { path, type, before: head.frame, after: head.frame };
      changed.set(keyOf(path, type), { ...known, stale: true });
    }
  const heads = [...changed.values()].filter(
    ({ before, after, stale, invalid }) => before !== after || stale || invalid,
  );
  return {
    heads: heads.sort((a, b) => compareTexts(a.path, b.path) || compareTexts(a.type, b.type)),
    frames,
  };
}

function sides(
  { isReversed }: ScanRange,
  older: HeadMove | undefined,
  newer: HeadMove | undefined,
): Pick<HeadChange, 'before' | 'after'> {
  const [before, after] = isReversed ? [newer, older] : [older, newer];
  return { ...(before && { before: before.frame }), ...(after && { after: after.frame }) };
}

function keyOf(path: string, type: string): string {
  return `${type} ${path}`;
}
