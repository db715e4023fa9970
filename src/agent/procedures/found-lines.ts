import type { Evidence, PlanInput } from '../../engine/index.ts';
import { asObject } from '../../kernel/index.ts';
import { plainLine } from '../describe-text.ts';
import { callsOf } from '../findings.ts';
import { names } from './folder-listing.ts';
import { code, count, groupBy } from './markdown-text.ts';

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

/** What searches could not see, in words. */
export function searchGaps(searches: readonly (Evidence | undefined)[]): string[] {
  const outputs = searches.map((search) => asObject(search?.output));
  const unreadable = outputs.flatMap(({ unreadable: paths }) =>
    Array.isArray(paths) ? paths.map(String) : [],
  );
  return unreadable.length > 0 ? [`closed to reading: ${names([...new Set(unreadable)])}`] : [];
}

/** The files of searches that have no lines, in words. */
export function notSearched(searches: readonly (Evidence | undefined)[]): string[] {
  const skipped = Math.max(0, ...searches.map((search) => Number(asObject(search?.output)['skipped'] ?? 0)));
  return skipped > 0 ? [`${count(skipped, 'file')} that ${skipped === 1 ? 'is' : 'are'} not text`] : [];
}

/** Lines by file, each with its number. */
export function linesByFile(lines: readonly FoundLine[]): { title: string; lines: string[] }[] {
  return [...groupBy(lines, ({ path }) => path)].map(([path, found]) => ({
    title: code(path),
    lines: found.map(({ line, text }) => `- line ${line}: ${code(plainLine(text, 160))}`),
  }));
}

/** The lines that are open tasks, each once, sorted by place. Lines of Oka's own reports are not. */
export function sortedTodos(found: readonly FoundLine[]): FoundLine[] {
  const byPlace = new Map(
    withoutReports(found)
      .filter(({ path, text }) => isTodo(text, isProse(path)))
      .map((todo) => [`${todo.path}:${todo.line}`, todo]),
  );
  return [...byPlace.values()].sort((a, b) =>
    a.path === b.path ? a.line - b.line : a.path < b.path ? -1 : 1,
  );
}

/** The number of lines with "todo" as an ordinary word, such as "my todo list". */
export function countTodoWords(found: readonly FoundLine[]): number {
  const words = withoutReports(found).filter(
    ({ path, text }) => /\b(?:todo|fixme)\b/.test(text) && !isTodo(text, isProse(path)),
  );
  return new Set(words.map(({ path, line }) => `${path}:${line}`)).size;
}

/** Files that maintenance writes. */
const DERIVED = /^(?:\.oka\/)?(?:brain\/(?:TODOS|LEARNINGS-[a-z0-9-]+)|memory\/\d{4}-\d{2}-\d{2})\.md$/;
/** A line of a report: "- line 3: `…`" or "- `src/a.ts:3` …". */
const REPORT_LINE = /^- (?:line \d+: `|`[^`]+:\d+` )/;

function withoutReports(found: readonly FoundLine[]): readonly FoundLine[] {
  const reports = new Set([...groupBy(found, ({ path }) => path)].filter(isReport).map(([path]) => path));
  return found.filter(({ path }) => !reports.has(path));
}

/** Whether Oka wrote the file: a list of TODOs, a brief with its TODOs, other found lines, or a file of maintenance. */
function isReport([path, lines]: [string, readonly FoundLine[]]): boolean {
  const titles = lines.filter(({ text }) => /^(?:# Open TODOs of |## Open TODOs$)/.test(text));
  const listed = lines.filter(({ text }) => REPORT_LINE.test(text));
  return (
    DERIVED.test(path) ||
    (titles.length > 0 && listed.length > 0) ||
    titles.some(({ line }) => line === 1) ||
    listed.length === lines.length
  );
}

/** Documents, in which quotation marks do not make a string. */
function isProse(path: string): boolean {
  return /\.(?:md|markdown|mdx|txt|text|rst|adoc|org|tex|html?)$/i.test(path) || !/\.[^./]+$/.test(path);
}

/** The marker in capitals, but not in a name such as TODO.md or TODO_LIST. */
const MARKER = /(?<![\p{L}\p{N}_$./-])(?:TODO|FIXME)(?![\p{L}\p{N}_$]|[./-][\p{L}\p{N}])/gu;
/** In small letters it is a marker only with a colon or a name, at the beginning of a line, a list item or a comment. */
const SMALL_MARKER =
  /^(?:.*(?:\/\/|\/\*+|#|<!--|--|;|%)\s*|[\s>*+-]*(?:\[ \]\s*)?)(?:[Tt]odo|[Ff]ixme)(?:\([^)]*\))?:(?!\S)/;
const QUOTES = /(?<!\p{L})'|'(?!\p{L})|["`]/gu;

/** Whether a line is an open task. A quoted marker, or one inside a string of a program, is not. */
function isTodo(text: string, prose: boolean): boolean {
  if (SMALL_MARKER.test(text)) return true;
  return [...text.matchAll(MARKER)].some(({ 0: marker, index }) => {
    const before = text.slice(0, index);
    const after = text[index + marker.length] ?? '';
    if (/["'`“‘«]$/.test(before) && /["'`”’»]/.test(after)) return false;
    return prose || (before.match(QUOTES) ?? []).length % 2 === 0;
  });
}

/** True for the target itself and for its parent folders. An absolute target is compared by its end. */
export function leadsTo(path: string, target: string): boolean {
  return (
    target === path ||
    target.startsWith(`${path}/`) ||
    (target.startsWith('/') && target.endsWith(`/${path}`))
  );
}
