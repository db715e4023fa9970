import type { PlanInput } from '../../engine/index.ts';
import { type Goal, type GoalPart, isFiller, tidyPath } from '../../language/index.ts';
import { call, failWith, NO_LIMIT } from '../findings.ts';
import type { Procedure } from '../types.ts';
import { linesByFile, linesOf, notSearched, searchFor, searchGaps } from './found-lines.ts';
import { code, count } from './markdown-text.ts';
import { onePlace, readTask, type Vocabulary } from './read-task.ts';
import { type ReportParameters, reportProcedure } from './report-procedure.ts';
import { bounded, notIncluded } from './survey-step.ts';

interface MatchParameters extends ReportParameters {
  readonly query: string;
  readonly folder: string;
}

/** Words that ask for a search; writing a text is not one. */
const SEARCHING =
  'search find grep look locate scan collect gather extract match mention occurrence line hit reference usage';
const VOCABULARY: Vocabulary = {
  needs: [SEARCHING],
  also: 'mentioning containing contain hold say use instance appear word phrase code string with',
};
/** Words right before the query. */
const BEFORE_QUERY: ReadonlySet<string> = new Set(
  'for of containing contain contains mentioning mention mentions mentioned holding hold saying say says with'.split(
    ' ',
  ),
);
/** Words that end the query. */
const ENDS_QUERY: ReadonlySet<string> = new Set(
  'in inside within under from and then to into as across through throughout appears appear here'.split(' '),
);
const MIN_QUERY_LENGTH = 2;

export const collectMatches: Procedure = reportProcedure<MatchParameters>({
  name: 'collect-matches',
  description: 'Searches a folder for a text and collects the matching lines into a note, by file.',
  example: 'search for "deprecated" in src and collect the matches into matches.md',
  triggers: ['search collect matches', 'collect mentions', 'find write matches', 'collect lines'],
  vocabulary: VOCABULARY,
  tools: ['files.search'],
  understand,
  look(input, { query, folder }) {
    const made = searchFor(input, query);
    if (made?.failure) return failWith(made);
    if (made !== undefined) return undefined;
    return call(
      'files.search',
      { query, path: folder, limit: NO_LIMIT },
      `the goal asks for lines with ${query}`,
    );
  },
  report: reportMatches,
});

/** Only with a note: the search tool alone does the rest. */
function understand(goal: Goal): { said: string; parameters: MatchParameters } | undefined {
  const query = queryIn(goal);
  if (query === undefined) return undefined;
  const others = goal.parts.filter((part) => !query.parts.includes(part));
  const task = readTask({ ...goal, parts: others }, VOCABULARY);
  const folder = task && onePlace(task);
  if (!task || task.note === undefined || folder === undefined || task.rest.length > 0) return undefined;
  return {
    said: task.said,
    parameters: { query: query.text, folder, perhaps: task.perhaps, note: tidyPath(task.note) },
  };
}

/** The query: a quoted text that is neither place nor target, else the words after "for" and similar words. */
function queryIn({ parts }: Goal): { text: string; parts: readonly GoalPart[] } | undefined {
  const quoted = parts.find(({ kind, after }) => kind === 'quoted' && !ENDS_QUERY.has(after ?? ''));
  if (quoted) return usable(quoted.text, [quoted]);
  const at = parts.findIndex(
    (part, i) =>
      part.kind === 'word' &&
      BEFORE_QUERY.has(part.text.toLowerCase()) &&
      parts.slice(i + 1).some((next, k) => k === 0 && next.kind === 'word'),
  );
  if (at < 0) return undefined;
  const words: GoalPart[] = [];
  for (const part of parts.slice(at + 1)) {
    if (part.kind !== 'word' || ENDS_QUERY.has(part.text.toLowerCase())) break;
    if (words.length > 0 || !isFiller(part)) words.push(part);
  }
  return usable(words.map(({ text }) => text).join(' '), words);
}

function usable(
  text: string,
  parts: readonly GoalPart[],
): { text: string; parts: readonly GoalPart[] } | undefined {
  const query = text.trim();
  return query.length >= MIN_QUERY_LENGTH && query.length <= 500 ? { text: query, parts } : undefined;
}

function reportMatches(input: PlanInput, { query, folder, note }: MatchParameters) {
  const search = searchFor(input, query);
  const lines = linesOf(search, note);
  const sections = linesByFile(lines);
  const leftOut = searchGaps([search]);
  const where = folder === '.' ? 'this folder' : code(folder);
  return {
    title: 'Matches',
    answer: bounded(
      lines.length === 0
        ? `No line in ${where} holds ${code(query)}.`
        : `${count(lines.length, 'line')} in ${count(sections.length, 'file')} of ${where} hold ${code(query)}, without regard to case.`,
      leftOut,
    ),
    sections: [...sections, notIncluded(notSearched([search]))],
    facts: { query, folder, matches: lines.length, files: sections.length },
    leftOut,
    checks: [
      { check: 'the search was made', holds: search?.output !== undefined },
      {
        check: 'the report tells each line that was found',
        holds: sections.reduce((sum, section) => sum + section.lines.length, 0) === lines.length,
      },
    ],
  };
}
