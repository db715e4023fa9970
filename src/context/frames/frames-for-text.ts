import { parentOf } from '../paths.ts';
import { type FrameMark, FrameMarks } from './frame-marks.ts';
import { normalPath } from './node-names.ts';
import type { ContextParts } from './ports.ts';
import { findFrame } from './read-content.ts';

import type { Frame, Head } from './types.ts';

const MAX_WORDS = 200;
const WORDS = /[^\s"'`()<>[\]{},;]+/gu;
const PUNCTUATION = /[.:!?]+$/u;

/** A head with its content, for the caller to judge its relevance. */
export interface FrameForText extends Pick<FrameMark, 'stale' | 'state' | 'uncheckedSince' | 'restsOnStale'> {
  readonly frame: Frame;
  /** The text names its path; `above`: it names a path in that folder. */
  readonly named?: 'itself' | 'above';
}

/**
 * The heads that may be relevant to a text: of the paths it names, of their parent folders, and the newest ones. Skips
 * damaged and erased frames. Read-only.
 */
export async function framesForText(
  parts: ContextParts,
  text: string,
  limit: number,
): Promise<readonly FrameForText[]> {
  const newest = await parts.records.newestHeads(limit);
  if (newest.length === 0) return [];
  const { paths, names } = namesIn(text);
  const found = new Map<string, Head>();
  const above = new Set<string>();
  await parts.tree.compare(paths);
  for (const path of paths) {
    for (const head of await parts.records.heads(path)) found.set(keyOf(head), head);
    const parent = parentOf(path);
    if (parent === null || (await parts.tree.node(path)) === undefined) continue;
    above.add(parent);
    for (const head of await parts.records.heads(parent)) found.set(keyOf(head), head);
  }
  for (const head of newest) if (!found.has(keyOf(head))) found.set(keyOf(head), head);
  await parts.tree.compare([...found.values()].map((head) => head.path));
  const answers: FrameForText[] = [];
  const marks = new FrameMarks(parts);
  for (const head of found.values()) {
    const isNamed = paths.has(head.path) || names.has(head.path.slice(head.path.lastIndexOf('/') + 1));
    const named = isNamed ? 'itself' : above.has(head.path) ? 'above' : undefined;
    const frame = head.usable ? await findFrame(parts, head.frame) : undefined;
    if (frame) answers.push({ frame, ...(await marks.ofHead(head)), ...(named && { named }) });
  }
  return answers;
}

/** The words that look like paths or file names. A plain word is not a path, even if a folder has that name. */
function namesIn(text: string): { readonly paths: ReadonlySet<string>; readonly names: ReadonlySet<string> } {
  const [paths, names] = [new Set<string>(), new Set<string>()];
  for (const word of (text.match(WORDS) ?? []).slice(0, MAX_WORDS)) {
    const bare = word.replace(PUNCTUATION, '');
    const path = /[./]/u.test(bare) ? normalPath(bare) : undefined;
    if (path === undefined || path === '') continue;
    paths.add(path);
    if (!path.includes('/') && path.includes('.')) names.add(path);
  }
  return { paths, names };
}

function keyOf({ path, type }: Head): string {
  return `${type} ${path}`;
}
