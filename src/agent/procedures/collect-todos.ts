import type { PlanInput } from '../../engine/index.ts';
import { call, failWith, NO_LIMIT } from '../findings.ts';
import type { Procedure } from '../types.ts';
import {
  countTodoWords,
  linesByFile,
  linesOf,
  MARKERS,
  notSearched,
  searchFor,
  searchGaps,
  sortedTodos,
} from './found-lines.ts';
import { code, count, groupBy } from './markdown-text.ts';
import { onePlace, readTask, type Vocabulary } from './read-task.ts';
import { type ReportParameters, reportProcedure } from './report-procedure.ts';
import { bounded, notIncluded } from './survey-step.ts';

interface TodoParameters extends ReportParameters {
  readonly folder: string;
}

const MAX_FILES = 50;
const NOUNS = 'todo fixme to-do';
/** Words that ask for a report; doing a TODO is another goal. */
const REPORTING =
  'collect gather list show find search look locate scan extract compile write save put record note make create give tell report get see what which where any grep print display summarise summarize check prepare produce generate count many';
/** Verbs that also mean a plain text search. */
const SEARCHING = ['search', 'find', 'grep', 'look', 'locate'];
const VOCABULARY: Vocabulary = {
  needs: [NOUNS, REPORTING],
  also: 'comment open left remaining outstanding marker mark item code source line number group per by file',
};

/** Collects the lines that say TODO or FIXME, by file. */
export const collectTodos: Procedure = reportProcedure<TodoParameters>({
  name: 'collect-todos',
  description: 'Collects the TODO and FIXME comments of a folder, by file and with line numbers.',
  example: 'collect all TODOs in src into TODOS.md',
  triggers: ['collect todos', 'list todos', 'gather todos', 'collect fixmes'],
  vocabulary: VOCABULARY,
  tools: ['files.search'],
  understand(goal) {
    const task = readTask(goal, VOCABULARY);
    const folder = task && onePlace(task);
    if (!task || folder === undefined || task.rest.length > 0) return undefined;
    // A list of things to do is for the person to write.
    if (
      /^(?:make|create|write|prepare|generate)$/.test(goal.verb ?? '') &&
      /\bto-?do list\b/i.test(goal.text)
    )
      return undefined;
    const { note } = task;
    const onlyText = !/\b(?:todos|fixmes|to-dos)\b/i.test(goal.text) && SEARCHING.includes(goal.verb ?? '');
    if (note === undefined && onlyText && !task.has('comment')) return undefined;
    return { said: task.said, parameters: { folder, perhaps: task.perhaps, note } };
  },
  look(input, { folder }) {
    const failed = MARKERS.map((marker) => searchFor(input, marker)).find((search) => search?.failure);
    if (failed) return failWith(failed);
    const marker = MARKERS.find((text) => searchFor(input, text) === undefined);
    if (marker === undefined) return undefined;
    const search = { query: marker, path: folder, limit: NO_LIMIT };
    return call('files.search', search, `lines with ${marker} are open tasks`);
  },
  report: reportTodos,
});

function reportTodos(input: PlanInput, { folder, note }: TodoParameters) {
  const searches = MARKERS.map((marker) => searchFor(input, marker));
  const lines = searches.flatMap((search) => linesOf(search, note));
  const todos = sortedTodos(lines);
  const words = countTodoWords(lines);
  const sections = linesByFile(todos).map(({ title, lines: found }) => ({
    title: `${title} (${found.length})`,
    lines: found,
  }));
  const leftOut = searchGaps(searches);
  const where = folder === '.' ? 'this folder' : code(folder);
  return {
    title: `Open TODOs of ${folder === '.' ? 'this folder' : folder}`,
    answer: bounded(
      todos.length === 0
        ? `No TODO or FIXME comments were found in ${where}.`
        : `${count(todos.length, 'open line')} in ${count(sections.length, 'file')} of ${where}.`,
      leftOut,
    ),
    sections: [
      ...sections,
      notIncluded([
        ...notSearched(searches),
        ...(words > 0 ? [`${count(words, 'line')} with "todo" as an ordinary word in small letters`] : []),
      ]),
    ],
    facts: {
      folder,
      todos: todos.length,
      files: sections.length,
      byFile: Object.fromEntries(
        [...groupBy(todos, ({ path }) => path)].slice(0, MAX_FILES).map(([path, own]) => [path, own.length]),
      ),
    },
    leftOut,
    checks: [
      {
        check: 'both markers were searched for',
        holds: searches.every((search) => search?.output !== undefined),
      },
      {
        check: 'every line of the report holds a marker',
        holds: todos.every(({ text }) => /\b(?:TODO|FIXME)\b/i.test(text)),
      },
    ],
  };
}
