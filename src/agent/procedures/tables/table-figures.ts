import type { Decision, PlanInput } from '../../../engine/index.ts';
import type { JsonObject } from '../../../kernel/index.ts';
import type { Goal } from '../../../language/index.ts';
import type { Procedure } from '../../types.ts';
import { readPhrase } from '../goal-phrase.ts';
import { code, count } from '../markdown-text.ts';
import { type Report, type ReportParameters, reportProcedure, writeReport } from '../report-procedure.ts';
import { answerQuestion } from './answer-question.ts';
import { type FigureQuestion, readQuestion } from './figure-goal.ts';
import { formatOf } from './table.ts';
import type { TableAnswer } from './table-answer.ts';
import { isPlainTable, isTableFile, lookAtTable, refuse, tableIn } from './table-source.ts';
import { markdownLines, writeTable } from './write-table.ts';

interface FigureParameters extends ReportParameters {
  readonly file: string;
  readonly question: FigureQuestion;
}

const MAX_SHOWN = 50;

/** Answers a question about a table: totals, averages, counts, different values, the top ones. */
export const tableFigures: Procedure = reportProcedure<FigureParameters>({
  name: 'table-figures',
  description:
    'Computes figures of a table (CSV, JSON, JSON Lines, Markdown): sum, average, median, smallest, largest, count, different values, top; also by group.',
  example: 'total amount by customer in sales.csv',
  triggers: ['total amount csv', 'average column csv', 'count rows csv', 'top values csv'],
  vocabulary: {
    needs: [],
    also: 'total average median minimum maximum smallest largest highest lowest distinct unique different common number count rows records calculate compute group where',
  },
  tools: ['files.read'],
  understand,
  look(input, parameters): Decision | undefined {
    const reading = lookAtTable(input, parameters.file);
    if (reading) return reading;
    const answer = answerTo(input, parameters);
    return 'problem' in answer ? refuse(`${parameters.file}: ${answer.problem}.`) : undefined;
  },
  report: reportFigures,
  content,
});

function understand(goal: Goal): { said: string; parameters: FigureParameters } | undefined {
  const phrase = readPhrase(goal);
  const [file, ...others] = phrase?.sources ?? [];
  if (phrase === undefined || others.length > 0 || !isTableFile(file)) return undefined;
  const question = readQuestion(phrase);
  if (question === undefined || isAboutText(question, file) || isKeyOfJson(question, phrase.line, file))
    return undefined;
  const { target } = phrase;
  if (target === file || (target !== undefined && !/\.[a-z]+$/i.test(target))) return undefined;
  return { said: phrase.line, parameters: { file, question, note: target } };
}

/** "Which scripts are in package.json" asks for the value of a key. */
export function isKeyOfJson({ ask }: FigureQuestion, line: string, file: string): boolean {
  return formatOf(file) === 'json' && ask === 'distinct' && !/\b(?:distinct|unique|different)\b/i.test(line);
}

const OF_TEXT =
  /^(?:the )?(?:words?|characters?|letters|bytes|keys?|columns?|headings?|links?|urls?|paragraphs?|lines?|fields?|tables?|times|e-?mails?|e-?mail addresses|errors?|warnings?|unique lines|different lines)\b/i;

/** Words, lines and the like of a file are no figures of a table. */
function isAboutText(question: FigureQuestion, file: string): boolean {
  const about =
    question.ask === 'summary'
      ? ''
      : question.ask === 'count' || question.ask === 'rank'
        ? question.what
        : question.column;
  if (OF_TEXT.test(about) && !(question.ask === 'rank' && isPlainTable(file))) return true;
  return (
    formatOf(file) === 'md' &&
    (question.ask === 'distinct' || (question.ask === 'count' && !/^rows?\b/i.test(about)))
  );
}

function answerTo(input: PlanInput, { file, question }: FigureParameters): TableAnswer | { problem: string } {
  return answerQuestion(tableIn(input, file), question, file);
}

function settled(input: PlanInput, parameters: FigureParameters): TableAnswer {
  const answer = answerTo(input, parameters);
  return 'problem' in answer ? { answer: answer.problem, facts: {}, remarks: [], checks: [] } : answer;
}

function reportFigures(input: PlanInput, parameters: FigureParameters): Report {
  const { file } = parameters;
  const { answer, result, facts, remarks, checks } = settled(input, parameters);
  const { problems, columns, rows } = tableIn(input, file);
  const shown = result && { ...result, rows: result.rows.slice(0, MAX_SHOWN) };
  const rest = (result?.rows.length ?? 0) - (shown?.rows.length ?? 0);
  const isOneLine = result === undefined || result.rows.length === 0;
  return {
    title: `Figures of ${file}`,
    answer,
    sections: [
      {
        title: 'Result',
        lines:
          isOneLine || !shown
            ? []
            : [...markdownLines(shown), ...(rest > 0 ? ['', `and ${count(rest, 'more row')}`] : [])],
      },
      { title: 'Remarks', lines: [...remarks, ...problems].map((one) => `- ${one}`) },
    ],
    facts: {
      file,
      rows: rows.length,
      ...facts,
      ...(shown && !isOneLine ? { result: recordsIn(shown) } : {}),
    },
    leftOut: [],
    checks: [
      { check: `${code(file)} was read and understood as a table`, holds: columns.length + rows.length > 0 },
      ...checks,
    ],
  };
}

function recordsIn({ columns, rows }: NonNullable<TableAnswer['result']>): JsonObject[] {
  return rows.map((row) => Object.fromEntries(columns.map((name, i) => [name, row[i] ?? ''])));
}

/** A result goes into a data file as a table, into any other file as a report. */
function content(input: PlanInput, parameters: FigureParameters): string | undefined {
  const { note } = parameters;
  const { result } = settled(input, parameters);
  const format = note === undefined ? undefined : formatOf(note);
  if (format === undefined || format === 'md' || result === undefined)
    return writeReport(reportFigures(input, parameters));
  return writeTable({ ...result, format: 'csv', separator: ',', problems: [] }, format);
}
