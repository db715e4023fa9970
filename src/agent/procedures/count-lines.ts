import type { PlanInput } from '../../engine/index.ts';
import type { FileSelection, Goal } from '../../language/index.ts';
import type { Procedure } from '../types.ts';
import { CODE_EXTENSIONS } from './file-kinds.ts';
import { GoalText } from './goal-text.ts';
import { code, count, groupBy } from './markdown-text.ts';
import { takeNote } from './read-note.ts';
import { takeSelection } from './read-selection.ts';
import { takeSources } from './read-sources.ts';
import { type Report, type ReportParameters, reportProcedure } from './report-procedure.ts';
import { bounded, lookAt, notIncluded, surveyOf } from './survey-step.ts';

interface LineParameters extends ReportParameters {
  readonly selection: FileSelection;
  /** Counts source code, by language. */
  readonly isCode: boolean;
}

export const countLines: Procedure = reportProcedure<LineParameters>({
  name: 'count-lines',
  description: 'Counts lines of code by language, or the lines of text files.',
  example: 'count the lines of code by language',
  triggers: ['count lines of code', 'count lines'],
  vocabulary: { needs: [], also: 'lines code language count loc' },
  tools: ['files.survey', 'files.list'],
  understand,
  look: (input, { selection, isCode, note }) =>
    lookAt(
      input,
      {
        ...selection,
        order: 'longest',
        ...(isCode && selection.extensions.length === 0 && { extensions: [...CODE_EXTENSIONS.keys()] }),
      },
      { lines: true, select: true, without: note, limit: isCode ? 1 : selection.most },
    ),
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
  const { leftOut, outside, totals, byExtension, entries } = surveyOf(input, selection, note);
  const { texts, lines, blank } = totals;
  const read = entries.filter((entry) => entry.lines !== undefined);
  const byLanguage = groupBy(
    byExtension.filter((one) => one.texts > 0),
    ({ extension }) => CODE_EXTENSIONS.get(extension) ?? (extension || 'other'),
  );
  const groups = [...byLanguage]
    .map(([language, own]) => ({
      language,
      files: sumOf(own, 'texts'),
      lines: sumOf(own, 'lines'),
      blank: sumOf(own, 'blank'),
    }))
    .sort((a, b) => b.lines - a.lines || (a.language < b.language ? -1 : 1));
  const place = selection.places.length === 0 ? 'this folder' : selection.places.map(code).join(' and ');
  const [only] = read;
  const noun = `${lines === 1 ? 'line' : 'lines'}${isCode ? ' of code' : ''}`;
  const notText = totals.files - texts;
  return {
    title: isCode ? 'Lines of code' : 'Lines',
    answer: bounded(
      only === undefined
        ? `No ${isCode ? 'source file' : 'text file'} was found in ${place}.`
        : texts === 1
          ? `${code(only.path)} has ${lines} ${noun}, ${blank} of them blank.`
          : `${lines} ${noun} in ${count(texts, 'file')} of ${place}, ${blank} of them blank.`,
      leftOut,
    ),
    sections: [
      {
        title: isCode ? 'By language' : 'By type',
        lines:
          texts < 2
            ? []
            : [
                '| language | files | lines | blank |',
                '|---|---:|---:|---:|',
                ...groups.map((one) => `| ${one.language} | ${one.files} | ${one.lines} | ${one.blank} |`),
              ],
      },
      {
        title: 'Files',
        lines: isCode || texts < 2 ? [] : read.map((file) => `- ${file.lines}: ${code(file.path)}`),
      },
      notIncluded([...outside, ...(notText > 0 ? [`${count(notText, 'file')} without text to count`] : [])]),
    ],
    facts: {
      lines,
      blank,
      files: texts,
      languages: Object.fromEntries(groups.map((one) => [one.language, one.lines])),
    },
    leftOut,
    checks: [
      {
        check: 'the languages add up to the total',
        holds: groups.reduce((sum, one) => sum + one.lines, 0) === lines,
      },
    ],
  };
}

function sumOf<Key extends string>(groups: readonly Readonly<Record<Key, number>>[], key: Key): number {
  return groups.reduce((sum, one) => sum + one[key], 0);
}
