import type { Decision, PlanInput } from '../../../engine/index.ts';
import { asObject } from '../../../kernel/index.ts';
import type { Goal } from '../../../language/index.ts';
import type { Procedure } from '../../types.ts';
import { readsByPath } from '../folder-listing.ts';
import { readPhrase } from '../goal-phrase.ts';
import { code, count } from '../markdown-text.ts';
import { type Report, type ReportParameters, reportProcedure } from '../report-procedure.ts';
import { type ChangedTable, changeRows } from './change-rows.ts';
import { readQuestion } from './figure-goal.ts';
import { type RowsTask, readRowsTask } from './rows-goal.ts';
import { formatOf, readTableOf } from './table.ts';
import { isTableFile, lookAtTable, refuse, tableIn } from './table-source.ts';
import { markdownLines, writeTable } from './write-table.ts';

interface RowsParameters extends ReportParameters {
  readonly file: string;
  readonly task: RowsTask;
}

const MAX_SHOWN = 50;

/** Filters, sorts and cuts the rows of a table; shows them, or writes them to the file that the goal names. */
export const tableRows: Procedure = reportProcedure<RowsParameters>({
  name: 'table-rows',
  description:
    'Filters, sorts, selects columns and removes duplicate rows of a table, and shows the rows or writes them to a file.',
  example: 'rows of sales.csv where amount > 100 into big.csv',
  triggers: ['filter rows csv', 'sort csv', 'select columns csv', 'remove duplicate rows csv'],
  vocabulary: {
    needs: [],
    also: 'rows row records where whose without having contains duplicate duplicates sort sorted order descending ascending filter select columns remove unique between above below greater',
  },
  tools: ['files.read'],
  understand,
  look(input, parameters): Decision | undefined {
    const { file } = parameters;
    const reading = lookAtTable(input, file);
    if (reading) return reading;
    const changed = changeRows(tableIn(input, file), parameters.task);
    return 'problem' in changed ? refuse(`${file}: ${changed.problem}.`) : undefined;
  },
  report: reportRows,
  content,
});

function understand(goal: Goal): { said: string; parameters: RowsParameters } | undefined {
  const phrase = readPhrase(goal);
  const [file, ...others] = phrase?.sources ?? [];
  if (phrase === undefined || others.length > 0 || !isTableFile(file)) return undefined;
  const task = readQuestion(phrase) === undefined ? readRowsTask(phrase, file) : undefined;
  const { target } = phrase;
  if (task === undefined || (target !== undefined && formatOf(target) === undefined)) return undefined;
  // A change of a Markdown file would lose the text around its table.
  if (task.inPlace && target === undefined && formatOf(file) === 'md') return undefined;
  if (task.repeated !== undefined && target !== undefined && target === file) return undefined;
  return { said: phrase.line, parameters: { file, task, note: target ?? (task.inPlace ? file : undefined) } };
}

function changedIn(input: PlanInput, { file, task }: RowsParameters): ChangedTable {
  const whole = tableIn(input, file);
  const changed = changeRows(whole, task);
  return 'problem' in changed ? { table: whole, done: [changed.problem], remarks: [] } : changed;
}

/** Undefined when no row is left, and when the file would not change. */
function content(input: PlanInput, parameters: RowsParameters): string | undefined {
  const { file, note } = parameters;
  const { table } = changedIn(input, parameters);
  const whole = tableIn(input, file);
  const isSame = table.rows.length === whole.rows.length && table.columns.length === whole.columns.length;
  if (
    note === undefined ||
    table.rows.length === 0 ||
    (note === file && isSame && parameters.task.sort === undefined)
  )
    return undefined;
  const text = writeTable(table, formatOf(note) ?? 'csv');
  const before = asObject(readsByPath(input).get(file)?.output)['content'];
  const isCrlf = note === file && typeof before === 'string' && before.includes('\r\n');
  return isCrlf ? text.replaceAll('\n', '\r\n') : text;
}

function reportRows(input: PlanInput, parameters: RowsParameters): Report {
  const { file, note } = parameters;
  const { table, done, remarks } = changedIn(input, parameters);
  const whole = tableIn(input, file);
  const written = content(input, parameters);
  const shown = table.rows.slice(0, MAX_SHOWN);
  const rest = table.rows.length - shown.length;
  const back = written === undefined || note === undefined ? undefined : readTableOf(note, written);
  return {
    title: `Rows of ${file}`,
    answer: answerOf(parameters, table.rows.length, done, written !== undefined),
    sections: [
      {
        title: 'Rows',
        lines:
          shown.length === 0 || written !== undefined
            ? []
            : [
                ...markdownLines({ ...table, rows: shown }),
                ...(rest > 0
                  ? ['', `and ${count(rest, 'more row')}; name a file for all, as in "… into rows.csv"`]
                  : []),
              ],
      },
      { title: 'Remarks', lines: [...remarks, ...whole.problems].map((one) => `- ${one}`) },
    ],
    facts: { file, rows: table.rows.length, of: whole.rows.length, columns: table.columns.slice(0, 100) },
    leftOut: [],
    checks: [
      { check: 'no row was added', holds: table.rows.length <= whole.rows.length },
      ...(back === undefined
        ? []
        : [
            {
              check: `the written table has ${count(table.rows.length, 'row')} and ${count(table.columns.length, 'column')}`,
              holds:
                'table' in back &&
                back.table.rows.length === table.rows.length &&
                back.table.columns.length === table.columns.length,
            },
          ]),
    ],
  };
}

function answerOf(
  { file, note }: RowsParameters,
  rows: number,
  done: readonly string[],
  isWritten: boolean,
): string {
  const how = done.join('; ');
  if (isWritten && note === file) return `${code(file)} has ${count(rows, 'row')} now: ${how}.`;
  if (isWritten) return `${code(note ?? '')} has ${count(rows, 'row')}: ${how}.`;
  if (rows === 0) return `No row: ${how}${note === undefined ? '' : `. ${code(note)} was not written`}.`;
  if (note === file) return `${code(file)} was not changed: ${how}.`;
  return `${count(rows, 'row')}${how === '' ? '' : `: ${how}`}.`;
}
