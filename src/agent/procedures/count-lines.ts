import type { PlanInput } from '../../engine/index.ts';
import type { Goal } from '../../language/index.ts';
import type { Procedure } from '../types.ts';
import { CODE_EXTENSIONS, extensionIn } from './file-kinds.ts';
import type { FileSelection, SurveyedFile } from './file-selection.ts';
import { GoalText } from './goal-text.ts';
import { code, count, groupBy, more } from './markdown-text.ts';
import { takeNote } from './read-note.ts';
import { takeSelection } from './read-selection.ts';
import { takeSources } from './read-sources.ts';
import { type Report, type ReportParameters, reportProcedure } from './report-procedure.ts';
import { lookAt, selected, surveyOf } from './survey-step.ts';

interface LineParameters extends ReportParameters {
  readonly selection: FileSelection;
  /** Counts source code, by language. */
  readonly isCode: boolean;
}

const MAX_FILES = 20;

export const countLines: Procedure = reportProcedure<LineParameters>({
  name: 'count-lines',
  description: 'Counts lines of code by language, or the lines of text files.',
  example: 'count the lines of code by language',
  triggers: ['count lines of code', 'count lines'],
  vocabulary: { needs: [], also: 'lines code language count loc' },
  tools: ['files.survey', 'files.list'],
  understand,
  look: (input, { selection }) => lookAt(input, selection, { lines: true }),
  report,
});

function understand(goal: Goal): { said: string; parameters: LineParameters } | undefined {
  const text = new GoalText(goal);
  const note = takeNote(text);
  const code = text.take(
    '(?:(?:how many|count(?: up)?(?: the| all)?|number of|total|show(?: me)?(?: the)?) )?(?:the )?(?:(?:source )?code lines|lines of (?:source )?code|loc|sloc)',
  );
  const lines =
    code ?? text.take('(?:how many|count(?: up)?(?: the| all)?|number of|total)(?: the)? lines(?: of text)?');
  if (!lines) return undefined;
  text.take('(?:by|per|for each|grouped by|in each|of each) (?:programming )?language');
  text.take('(?:of|in|for) (?:each|every) file|(?:by|per) file');
  const sources = takeSources(text);
  const drawn = takeSelection(text);
  if (
    !text.isRead(
      'many do does have has contain contains project total altogether show tell give me list count',
    )
  )
    return undefined;
  if (sources.length > 0 && drawn.hasNoun) return undefined;
  if (drawn.what !== 'files') return undefined;
  const selection = { ...drawn, places: [...drawn.places, ...sources] };
  const isNamed = selection.hasNoun || selection.places.length > 0;
  if (!code && !isNamed) return undefined;
  return { said: lines.text.trim(), parameters: { selection, isCode: code !== undefined, note } };
}

function report(input: PlanInput, { selection, isCode, note }: LineParameters): Report {
  const files = selected(input, selection, note).filter(
    ({ path }) => !isCode || selection.extensions.length > 0 || CODE_EXTENSIONS.has(extensionIn(path)),
  );
  const read = files.filter(({ lines }) => lines !== undefined);
  const unread = files.length - read.length;
  const { leftOut } = surveyOf(input, selection, note);
  const lines = sumOf(read, 'lines');
  const blank = sumOf(read, 'blank');
  const groups = [
    ...groupBy(read, ({ path }) => CODE_EXTENSIONS.get(extensionIn(path)) ?? (extensionIn(path) || 'other')),
  ]
    .map(([language, own]) => ({
      language,
      files: own.length,
      lines: sumOf(own, 'lines'),
      blank: sumOf(own, 'blank'),
    }))
    .sort((a, b) => b.lines - a.lines || (a.language < b.language ? -1 : 1));
  const place = selection.places.length === 0 ? 'this folder' : selection.places.map(code).join(' and ');
  const [only] = read;
  const noun = isCode
    ? 'line of code'.replace('line', lines === 1 ? 'line' : 'lines')
    : lines === 1
      ? 'line'
      : 'lines';
  const shown = read.toSorted((a, b) => (b.lines ?? 0) - (a.lines ?? 0)).slice(0, MAX_FILES);
  return {
    title: isCode ? 'Lines of code' : 'Lines',
    answer:
      only === undefined
        ? `No ${isCode ? 'source file' : 'text file'} was found in ${place}.`
        : read.length === 1
          ? `${code(only.path)} has ${lines} ${noun}, ${blank} of them blank.`
          : `${lines} ${noun} in ${count(read.length, 'file')} of ${place}, ${blank} of them blank.`,
    sections: [
      {
        title: isCode ? 'By language' : 'By type',
        lines:
          read.length < 2
            ? []
            : [
                '| language | files | lines | blank |',
                '|---|---:|---:|---:|',
                ...groups.map((one) => `| ${one.language} | ${one.files} | ${one.lines} | ${one.blank} |`),
              ],
      },
      {
        title: 'Files',
        lines:
          isCode || read.length < 2
            ? []
            : [
                ...shown.map((file) => `- ${file.lines}: ${code(file.path)}`),
                ...more(read.length - shown.length, 'file'),
              ],
      },
    ],
    facts: {
      lines,
      blank,
      files: read.length,
      languages: Object.fromEntries(groups.map((one) => [one.language, one.lines])),
    },
    leftOut: [...leftOut, ...(unread > 0 ? [`${count(unread, 'file')} that could not be read as text`] : [])],
    checks: [
      {
        check: 'the languages add up to the total',
        holds: groups.reduce((sum, one) => sum + one.lines, 0) === lines,
      },
    ],
  };
}

function sumOf(files: readonly SurveyedFile[], key: 'lines' | 'blank'): number {
  return files.reduce((sum, file) => sum + (file[key] ?? 0), 0);
}
