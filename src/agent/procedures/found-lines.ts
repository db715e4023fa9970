import type { Evidence, PlanInput } from '../../engine/index.ts';
import { asObject } from '../../kernel/index.ts';
import { plainLine } from '../describe-text.ts';
import { callsOf } from '../findings.ts';
import { code, count, groupBy } from './markdown-text.ts';

/** The maximum lines of one search. */
export const MAX_LINES = 1_000;

/** What marks an open task. */
export const MARKERS = ['TODO', 'FIXME'] as const;

export interface FoundLine {
  readonly path: string;
  readonly line: number;
  readonly text: string;
}

/** The newest search for a text. */
export function searchFor(input: PlanInput, query: string): Evidence | undefined {
  return callsOf(input, 'files.search').findLast((made) => asObject(made.input)['query'] === query);
}

/** The lines that a search found, without those of an earlier note. */
export function linesOf(search: Evidence | undefined, note?: string): FoundLine[] {
  const { matches } = asObject(search?.output);
  const lines = Array.isArray(matches) ? (matches as unknown as FoundLine[]) : [];
  return lines.filter(({ path }) => note === undefined || !leadsTo(path, note));
}

/** The parts that searches skipped, in words. */
export function searchGaps(searches: readonly (Evidence | undefined)[]): string[] {
  const outputs = searches.map((search) => asObject(search?.output));
  const skipped = Math.max(0, ...outputs.map((output) => Number(output['skipped'] ?? 0)));
  const truncated = outputs.some((output) => output['truncated'] === true);
  return [
    ...(truncated ? [`lines after the first ${MAX_LINES}; name a smaller folder for the others`] : []),
    ...(skipped > 0
      ? [`${count(skipped, 'file')} that could not be searched: not text, too large, or closed to reading`]
      : []),
  ];
}

/** Lines by file, each with its number. */
export function linesByFile(lines: readonly FoundLine[]): { title: string; lines: string[] }[] {
  return [...groupBy(lines, ({ path }) => path)].map(([path, found]) => ({
    title: code(path),
    lines: found.map(({ line, text }) => `- line ${line}: ${code(plainLine(text, 160))}`),
  }));
}

/** The lines that are open tasks, each once, sorted by place. */
export function sortedTodos(found: readonly FoundLine[]): FoundLine[] {
  const byPlace = new Map(
    found.filter(({ text }) => isTodo(text)).map((todo) => [`${todo.path}:${todo.line}`, todo]),
  );
  return [...byPlace.values()].sort((a, b) =>
    a.path === b.path ? a.line - b.line : a.path < b.path ? -1 : 1,
  );
}

/** Whether the marker begins a comment or a line, and is not part of a string. */
function isTodo(text: string): boolean {
  const before = /^(.*?)\b(?:TODO|FIXME)\b/.exec(text)?.[1];
  if (before === undefined || !/(?:^|\/\/|\/\*+|#|<!--|--|;|%|\*|-|>|\[ \])\s*$/.test(before)) return false;
  const quotes = before.match(/(?<!\p{L})'|'(?!\p{L})|["`]/gu) ?? [];
  return quotes.length % 2 === 0;
}

/** True for the target itself and for its parent folders. An absolute target is compared by its end. */
export function leadsTo(path: string, target: string): boolean {
  return (
    target === path ||
    target.startsWith(`${path}/`) ||
    (target.startsWith('/') && target.endsWith(`/${path}`))
  );
}
