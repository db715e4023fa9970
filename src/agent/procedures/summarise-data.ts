import type { Decision, PlanInput } from '../../engine/index.ts';
import { asObject } from '../../kernel/index.ts';
import type { Goal } from '../../language/index.ts';
import { call, callFor, fail, failWith } from '../findings.ts';
import type { Procedure } from '../types.ts';
import type { ColumnSummary } from './describe-column.ts';
import { readsByPath } from './folder-listing.ts';
import { cell, code, more, sizeText } from './markdown-text.ts';
import { readTable, type TableData } from './read-table.ts';
import { onePlace, readTask, type Vocabulary } from './read-task.ts';
import { type Report, type ReportParameters, reportProcedure } from './report-procedure.ts';

interface DataParameters extends ReportParameters {
  readonly file: string;
}

const MAX_BYTES = 4 * 1_024 * 1_024;
const MAX_COLUMNS = 60;
const DATA_FILE = /\.(?:csv|tsv|json|jsonl|ndjson)$/i;
const VOCABULARY: Vocabulary = {
  needs: [
    `summarise summarize summary describe profile overview analyse analyze column shape structure
    statistic stats schema field`,
  ],
  also: `data csv json tsv table dataset row type value content contain range about count explain me key
    missing jsonl`,
};

export const summariseData: Procedure = reportProcedure<DataParameters>({
  name: 'summarise-data',
  description:
    'Summarises a CSV or JSON file: columns, types, counts, ranges and missing values, or its shape.',
  example: 'summarise data.csv into data-summary.md',
  triggers: ['summarise csv', 'describe json', 'profile data', 'show columns csv'],
  vocabulary: VOCABULARY,
  tools: ['files.read'],
  understand,
  look,
  report: reportData,
});

function understand(goal: Goal): { said: string; parameters: DataParameters } | undefined {
  const task = readTask(goal, VOCABULARY);
  if (!task) return undefined;
  const quoted = task.rest.filter(({ kind }) => kind === 'quoted').map(({ text }) => text);
  const file = onePlace({ ...task, places: [...task.places, ...quoted] });
  const said = task.rest.length === quoted.length ? task.said : undefined;
  if (said === undefined || file === undefined || !DATA_FILE.test(file) || file === task.note)
    return undefined;
  return { said, parameters: { file, note: task.note } };
}

function look(input: PlanInput, { file }: DataParameters): Decision | undefined {
  const made = callFor(input, 'files.read', file);
  if (made === undefined)
    return call('files.read', { path: file, max_bytes: MAX_BYTES }, `${file} is the file to summarise`);
  if (made.failure) return failWith(made);
  const data = dataOf(input, file);
  if ('table' in data) return undefined;
  return fail(
    'agent.answer_not_usable',
    `${file} cannot be summarised: ${data.problem}.`,
    'the file does not hold what its name says',
  );
}

function dataOf(input: PlanInput, file: string): { table: TableData } | { problem: string } {
  const { content, truncated, bytes } = asObject(readsByPath(input).get(file)?.output);
  if (typeof content !== 'string') return { problem: 'its content is not on record' };
  const cut = truncated === true;
  if (cut && /\.json$/i.test(file))
    return {
      problem: `it has ${sizeText(Number(bytes))}, and JSON can only be read whole, up to ${sizeText(MAX_BYTES)}`,
    };
  return readTable(file, content, cut);
}

function reportData(input: PlanInput, { file }: DataParameters): Report {
  const data = dataOf(input, file);
  const { bytes, truncated } = asObject(readsByPath(input).get(file)?.output);
  const none: TableData = { what: 'nothing', columns: [], shape: [], problems: [], facts: {} };
  const table = 'table' in data ? data.table : none;
  const { columns, rows } = table;
  const shown = columns.slice(0, MAX_COLUMNS);
  return {
    title: `Summary of ${file}`,
    answer: `${code(file)}: ${table.what}, ${sizeText(Number(bytes ?? 0))}.`,
    sections: [
      {
        title: 'Columns',
        lines:
          shown.length === 0
            ? []
            : [
                '| column | type | filled | missing | different | smallest | largest | mean |',
                '|---|---|---|---|---|---|---|---|',
                ...shown.map(columnLine),
                ...(columns.length > shown.length
                  ? ['', ...more(columns.length - shown.length, 'column')]
                  : []),
              ],
      },
      { title: 'Shape', lines: table.shape },
      { title: 'Problems', lines: table.problems.map((problem) => `- ${problem}`) },
    ],
    facts: {
      file,
      ...table.facts,
      ...(rows === undefined ? {} : { rows }),
      columns: shown.map(({ name, type, missing }) => ({ name, type, missing })),
    },
    leftOut: truncated === true ? [`what comes after the first ${sizeText(MAX_BYTES)}`] : [],
    checks: [
      { check: `${file} was read and understood`, holds: 'table' in data },
      {
        check: 'filled and missing cells of each column add up to the rows',
        holds: columns.every(({ filled, missing }) => filled + missing === (rows ?? 0)),
      },
    ],
  };
}

function columnLine(column: ColumnSummary): string {
  const { type, distinct, smallest = '', largest = '', mean = '' } = column;
  const counted = column.manyDistinct ? `${distinct} or more` : distinct;
  const different = type === 'nested' || type === 'mixed' ? '' : counted;
  const ends = [cell(smallest, 30), cell(largest, 30)];
  return `| ${[cell(column.name), type, column.filled, column.missing, different, ...ends, mean].join(' | ')} |`;
}
