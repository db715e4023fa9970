import type { Evidence, PlanInput } from '../../engine/index.ts';
import { asObject } from '../../kernel/index.ts';
import { leadsTo, type TodoLine } from '../brief-survey.ts';
import { plainLine } from '../describe-text.ts';
import { callsOf } from '../findings.ts';
import { code, count, groupBy } from './markdown-text.ts';

/** How many lines one search brings at most. */
export const MOST_LINES = 1_000;

/** The search for a text, if it was made. */
export function searchFor(input: PlanInput, query: string): Evidence | undefined {
  return callsOf(input, 'files.search').findLast((made) => asObject(made.input)['query'] === query);
}

/** The lines that a search has found, without those of the note that a run like this wrote before. */
export function linesOf(search: Evidence | undefined, note: string | undefined): TodoLine[] {
  const { matches } = asObject(search?.output);
  const lines = Array.isArray(matches) ? (matches as unknown as TodoLine[]) : [];
  return lines.filter(({ path }) => note === undefined || !leadsTo(path, note));
}

/** What searches did not look at, in words. */
export function searchGaps(searches: readonly (Evidence | undefined)[]): string[] {
  const outputs = searches.map((search) => asObject(search?.output));
  const skipped = Math.max(0, ...outputs.map((output) => Number(output['skipped'] ?? 0)));
  const truncated = outputs.some((output) => output['truncated'] === true);
  return [
    ...(truncated ? [`lines after the first ${MOST_LINES}; name a smaller folder for the others`] : []),
    ...(skipped > 0
      ? [`${count(skipped, 'file')} that could not be searched: not text, too large, or closed to reading`]
      : []),
  ];
}

/** Lines by file, each with its number. */
export function linesByFile(lines: readonly TodoLine[]): { title: string; lines: string[] }[] {
  return [...groupBy(lines, ({ path }) => path)].map(([path, found]) => ({
    title: code(path),
    lines: found.map(({ line, text }) => `- line ${line}: ${code(plainLine(text, 160))}`),
  }));
}
