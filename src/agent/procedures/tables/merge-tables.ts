import type { Decision, PlanInput } from '../../../engine/index.ts';
import type { Json } from '../../../kernel/index.ts';
import type { Goal } from '../../../language/index.ts';
import type { Procedure } from '../../types.ts';
import { readPhrase } from '../goal-phrase.ts';
import { code, count } from '../markdown-text.ts';
import { type Report, type ReportParameters, reportProcedure } from '../report-procedure.ts';
import { columnNames, findColumn } from './columns.ts';
import type { Problem } from './figures.ts';
import { cellText, formatOf, readTableOf, type Table } from './table.ts';
import { isTableFile, lookAtTable, refuse, tableIn } from './table-source.ts';
import { markdownLines, writeTable } from './write-table.ts';

interface MergeParameters extends ReportParameters {
  readonly files: readonly string[];
  /** The column by which the rows of two tables belong together. */
  readonly key?: string;
}

interface Merged {
  readonly table: Table;
  readonly remarks: readonly string[];
}

const MAX_FILES = 20;
const MAX_SHOWN = 20;
const MERGE =
  /^(?:merge|combine|concatenate|concat|append|stack|union|unite|join|put together)(?: (?:together|up|the|all|both|rows|rows of|tables?|files?|csv|contents?|of|data))*(?: (?:on|by|using|over|through|via)(?: the)?(?: same| common| shared)? (?<key>.+?))?$/i;

/** Puts the rows of tables with the same columns below each other, or joins two tables by a column. */
export const mergeTables: Procedure = reportProcedure<MergeParameters>({
  name: 'merge-tables',
  description: 'Merges tables with the same columns into one, or joins two tables by a common column.',
  example: 'merge a.csv and b.csv into all.csv',
  triggers: ['merge csv tables', 'combine csv files', 'join tables'],
  vocabulary: { needs: [], also: 'merge combine concatenate append together tables column common' },
  tools: ['files.read'],
  understand,
  look(input, parameters): Decision | undefined {
    for (const file of parameters.files) {
      const reading = lookAtTable(input, file);
      if (reading) return reading;
    }
    const merged = merge(input, parameters);
    return 'problem' in merged ? refuse(`${merged.problem}.`) : undefined;
  },
  report,
  content(input, parameters) {
    const merged = merge(input, parameters);
    if (parameters.note === undefined || 'problem' in merged) return undefined;
    return writeTable(merged.table, formatOf(parameters.note) ?? 'csv');
  },
});

function understand(goal: Goal): { said: string; parameters: MergeParameters } | undefined {
  const phrase = readPhrase(goal);
  if (phrase === undefined) return undefined;
  const { line, sources, target } = phrase;
  const match = MERGE.exec(line);
  if (!match || !sources.every(isTableFile) || (target !== undefined && !isTableFile(target)))
    return undefined;
  const key = match.groups?.['key'];
  // "append a.csv to b.csv" adds to b.csv.
  const isAppend = /^append/i.test(line) && sources.length === 1 && target !== undefined;
  const files = isAppend ? [target, ...sources] : sources;
  if (files.length < 2 || files.length > MAX_FILES || (key !== undefined && files.length !== 2))
    return undefined;
  if (!isAppend && target !== undefined && sources.includes(target)) return undefined;
  return {
    said: line,
    parameters: { files, note: target, ...(key === undefined ? {} : { key: phrase.plain(key, 'quotes') }) },
  };
}

function merge(input: PlanInput, { files, key }: MergeParameters): Merged | Problem {
  const tables = files.map((file) => tableIn(input, file));
  return key === undefined ? below(files, tables) : join(files, tables, key);
}

function below(files: readonly string[], tables: readonly Table[]): Merged | Problem {
  const [first] = tables as [Table];
  const rows: (readonly (Json | undefined)[])[] = [];
  for (const [i, table] of tables.entries()) {
    const places = first.columns.map((name) => table.columns.findIndex((other) => sameName(other, name)));
    if (places.includes(-1) || table.columns.length !== first.columns.length)
      return {
        problem: `${files[0]} and ${files[i]} have different columns (${columnNames(first.columns)} and ${columnNames(table.columns)}). To join them by a common column write: join ${files[0]} and ${files[i]} by NAME`,
      };
    rows.push(...table.rows.map((row) => places.map((place) => row[place])));
  }
  return { table: { ...first, rows }, remarks: tables.flatMap(({ problems }) => problems) };
}

function sameName(a: string, b: string): boolean {
  return a.trim().toLowerCase() === b.trim().toLowerCase();
}

/** Every row of the first table with the columns of the row of the second that has the same key. */
function join(files: readonly string[], [left, right]: readonly Table[], key: string): Merged | Problem {
  if (left === undefined || right === undefined) return { problem: 'two tables are needed' };
  const [inLeft, inRight] = [findColumn(left.columns, key), findColumn(right.columns, key)];
  if ('problem' in inLeft) return { problem: `${files[0]}: ${inLeft.problem}` };
  if ('problem' in inRight) return { problem: `${files[1]}: ${inRight.problem}` };
  const byKey = new Map<string, readonly (Json | undefined)[]>();
  for (const row of right.rows) {
    const value = cellText(row[inRight.column]).trim();
    if (byKey.has(value))
      return {
        problem: `${files[1]} has several rows with ${key} ${value}, so it is not certain which one belongs to a row of ${files[0]}`,
      };
    byKey.set(value, row);
  }
  const others = [...right.columns.keys()].filter((i) => i !== inRight.column);
  const names = others.map((i) => right.columns[i] as string);
  const columns = [
    ...left.columns,
    ...names.map((name) => (left.columns.includes(name) ? `${name} (${files[1]})` : name)),
  ];
  let alone = 0;
  const rows = left.rows.map((row) => {
    const found = byKey.get(cellText(row[inLeft.column]).trim());
    if (found === undefined) alone += 1;
    return [...row, ...others.map((i) => found?.[i] ?? '')];
  });
  const used = new Set(left.rows.map((row) => cellText(row[inLeft.column]).trim()));
  const unused = [...byKey.keys()].filter((value) => !used.has(value)).length;
  return {
    table: { ...left, columns, rows },
    remarks: [
      ...(alone > 0
        ? [`${count(alone, 'row')} of ${files[0]} without a row in ${files[1]}; their new cells are empty`]
        : []),
      ...(unused > 0
        ? [`${count(unused, 'row')} of ${files[1]} left out, because ${files[0]} has no such ${key}`]
        : []),
      ...left.problems,
      ...right.problems,
    ],
  };
}

function report(input: PlanInput, parameters: MergeParameters): Report {
  const { files, note, key } = parameters;
  const merged = merge(input, parameters);
  const { table, remarks } =
    'problem' in merged ? { table: tableIn(input, ''), remarks: [merged.problem] } : merged;
  const amounts = files.map((file) => tableIn(input, file).rows.length);
  const expected = key === undefined ? amounts.reduce((a, b) => a + b, 0) : (amounts[0] ?? 0);
  const back = note === undefined ? undefined : readTableOf(note, writeTable(table, formatOf(note) ?? 'csv'));
  const size = `${count(table.rows.length, 'row')} and ${count(table.columns.length, 'column')}`;
  const rest = table.rows.length - MAX_SHOWN;
  return {
    title: 'Merged tables',
    answer: `${note === undefined ? '' : `${code(note)} has `}${size} from ${files.map((file, i) => `${code(file)} (${amounts[i]})`).join(', ')}${note === undefined ? '; name a file to write them, as in "… into all.csv"' : ''}.`,
    sections: [
      {
        title: 'Rows',
        lines:
          note === undefined
            ? [
                ...markdownLines({ ...table, rows: table.rows.slice(0, MAX_SHOWN) }),
                ...(rest > 0 ? ['', `and ${count(rest, 'more row')}`] : []),
              ]
            : [],
      },
      { title: 'Remarks', lines: remarks.map((one) => `- ${one}`) },
    ],
    facts: { files: [...files], rows: table.rows.length, columns: table.columns.length },
    leftOut: [],
    checks: [
      {
        check: `the result has the ${count(expected, 'row')} of the tables`,
        holds: table.rows.length === expected,
      },
      ...(back === undefined
        ? []
        : [
            {
              check: `reading it back gives ${size}`,
              holds:
                'table' in back &&
                back.table.rows.length === expected &&
                back.table.columns.length === table.columns.length,
            },
          ]),
    ],
  };
}
