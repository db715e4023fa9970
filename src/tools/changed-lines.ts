import { type ArtifactStore, requireCapability, type ToolContext } from '../engine/index.ts';
import type { Digest } from '../kernel/index.ts';
import { decodeText } from './decode-text.ts';
import type { FileBefore } from './file-change.ts';

const MAX_LENGTH = 1_000_000;
const MAX_EDITS = 1_000;
/** Enough for a person to recognize the change; the content itself is recorded elsewhere. */
const MAX_LINES = 12;
const MAX_LINE_LENGTH = 200;

export type ChangedLines = {
  readonly added: number;
  readonly removed: number;
  /** The first changed lines, each with `+` or `-` in front. Empty for a new file. */
  readonly lines: readonly string[];
};

/** How a write changes the lines of a file. Undefined for what is too large to compare or not text. */
export async function changedLines(
  before: FileBefore,
  after: string,
  context: ToolContext,
): Promise<ChangedLines | undefined> {
  if (after.length > MAX_LENGTH) return undefined;
  if (!before.existed) return { added: linesOf(after), removed: 0, lines: [] };
  if (before.artifact === undefined) return undefined;
  const content = await requireCapability<ArtifactStore>(context, 'artifacts').get(before.artifact as Digest);
  if (content === undefined || content.length > MAX_LENGTH) return undefined;
  const text = decodeText(content, false);
  if (text === undefined) return undefined;
  return compareLines(context.redactor.tagged(text), context.redactor.tagged(after));
}

async function compareLines(before: string, after: string): Promise<ChangedLines | undefined> {
  // Loaded here, because most processes never compare files.
  const { diffLines } = await import('diff');
  const parts = diffLines(before, after, { maxEditLength: MAX_EDITS });
  if (parts === undefined) return undefined;
  const changed = parts.filter(({ added, removed }) => added || removed);
  const sum = (of: 'added' | 'removed'): number =>
    changed.reduce((total, part) => total + (part[of] ? part.count : 0), 0);
  const lines = changed.flatMap(({ added, value }) =>
    value
      .replace(/\n$/, '')
      .split('\n')
      .map((line) => `${added ? '+' : '-'}${line.slice(0, MAX_LINE_LENGTH).toWellFormed()}`),
  );
  return { added: sum('added'), removed: sum('removed'), lines: lines.slice(0, MAX_LINES) };
}

function linesOf(text: string): number {
  return text === '' ? 0 : text.replace(/\n$/, '').split('\n').length;
}
