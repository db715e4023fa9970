import type { JsonObject } from '../../kernel/index.ts';
import { readCsv } from './csv-text.ts';
import { type ColumnSummary, describeColumn, describeField } from './describe-column.ts';
import { fieldsOf, jsonShape, kindOf, rowsOf } from './describe-json.ts';
import { count } from './markdown-text.ts';

/** What a file of data holds. */
export interface TableData {
  /** In words. */
  readonly what: string;
  readonly rows?: number;
  readonly columns: readonly ColumnSummary[];
  /** The shape of what is no table. */
  readonly shape: readonly string[];
  readonly problems: readonly string[];
  readonly facts: JsonObject;
}

const MOST_COLUMNS = 1_000;
const SEPARATOR_NAMES: Readonly<Record<string, string>> = {
  ',': 'comma',
  ';': 'semicolon',
  '\t': 'tab',
  '|': 'bar',
};

/** Reads a file of data by its name; `cut` says that its end is missing. */
export function readTable(
  file: string,
  content: string,
  cut: boolean,
): { readonly table: TableData } | { readonly problem: string } {
  if (content.replace(/^\ufeff/, '').trim() === '')
    return {
      table: { what: 'an empty file', columns: [], shape: [], problems: [], facts: { format: 'empty' } },
    };
  if (/\.(?:csv|tsv)$/i.test(file)) return { table: fromCsv(content, cut, /\.tsv$/i.test(file)) };
  return /\.json$/i.test(file) ? fromJson(content) : fromLines(content, cut);
}

function fromCsv(content: string, cut: boolean, tabs: boolean): TableData {
  const { header, rows, separator, uneven, problem } = readCsv(content, {
    cut,
    ...(tabs ? { separator: '\t' } : {}),
  });
  const columns = header.slice(0, MOST_COLUMNS).map((name, i) =>
    describeColumn(
      name.trim() === '' ? `column ${i + 1}` : name,
      rows.map((row) => row[i] ?? ''),
    ),
  );
  const twice = header.filter((name, i) => header.indexOf(name) !== i);
  const shown = uneven.slice(0, 5).join(', ');
  return {
    what: `a table of ${count(rows.length, 'row')} and ${count(header.length, 'column')}, separated by ${SEPARATOR_NAMES[separator] ?? separator}`,
    rows: rows.length,
    columns,
    shape: [],
    problems: [
      ...(problem === undefined ? [] : [problem]),
      ...(uneven.length > 0
        ? [`${count(uneven.length, 'row')} with another number of cells than the header, on line ${shown}`]
        : []),
      ...(twice.length > 0 ? ['several columns have the same name'] : []),
    ],
    facts: { format: 'csv', separator, uneven: uneven.length },
  };
}

function fromJson(content: string): { table: TableData } | { problem: string } {
  let value: unknown;
  try {
    value = JSON.parse(content.replace(/^\ufeff/, ''));
  } catch (error) {
    return {
      problem: `it is not valid JSON (${error instanceof Error ? error.message.split('\n')[0] : 'no reason given'})`,
    };
  }
  const rows = rowsOf(value);
  if (rows) return { table: fromRows(rows, 'a list', 'json', []) };
  const what = Array.isArray(value) ? `a list of ${count(value.length, 'item')}` : `JSON, ${kindOf(value)}`;
  return {
    table: {
      what,
      columns: [],
      shape: jsonShape(value),
      problems: [],
      facts: { format: 'json', kind: kindOf(value) },
    },
  };
}

/** One JSON value on each line. */
function fromLines(content: string, cut: boolean): { table: TableData } | { problem: string } {
  const lines = content.replace(/^\ufeff/, '').split(/\r?\n/);
  const whole = (cut ? lines.slice(0, -1) : lines)
    .map((text, i) => ({ text, line: i + 1 }))
    .filter(({ text }) => text.trim() !== '');
  const values: unknown[] = [];
  const broken: number[] = [];
  for (const { text, line } of whole) {
    try {
      values.push(JSON.parse(text));
    } catch {
      broken.push(line);
    }
  }
  if (values.length === 0) return { problem: 'none of its lines is JSON' };
  const problems =
    broken.length > 0 ? [`${count(broken.length, 'line')} that are not JSON, such as line ${broken[0]}`] : [];
  const rows = rowsOf(values);
  if (rows) return { table: fromRows(rows, 'lines', 'jsonl', problems) };
  const what = `${count(values.length, 'line')} of JSON`;
  return { table: { what, columns: [], shape: jsonShape(values), problems, facts: { format: 'jsonl' } } };
}

function fromRows(
  rows: readonly Record<string, unknown>[],
  what: string,
  format: string,
  problems: readonly string[],
): TableData {
  const fields = fieldsOf(rows);
  const own = (row: Record<string, unknown>, field: string): unknown =>
    Object.hasOwn(row, field) ? row[field] : undefined;
  return {
    what: `${what} of ${count(rows.length, 'object')} with ${count(fields.length, 'field')}`,
    rows: rows.length,
    columns: fields.slice(0, MOST_COLUMNS).map((field) =>
      describeField(
        field,
        rows.map((row) => own(row, field)),
      ),
    ),
    shape: [],
    problems,
    facts: { format },
  };
}
