import { type JsonObject, parseJson } from '../../kernel/index.ts';
import { readCsv } from './csv-text.ts';
import { type ColumnSummary, describeColumn, describeField } from './describe-column.ts';
import { code, count } from './markdown-text.ts';

export interface TableData {
  readonly what: string;
  readonly rows?: number;
  readonly columns: readonly ColumnSummary[];
  /** The shape of a value that is not a table. */
  readonly shape: readonly string[];
  readonly problems: readonly string[];
  readonly facts: JsonObject;
}

const MAX_COLUMNS = 1_000;
const MAX_LEVELS = 4;
const MAX_KEYS = 30;
const MAX_ITEMS = 1_000;
const SEPARATOR_NAMES: Readonly<Record<string, string>> = {
  ',': 'comma',
  ';': 'semicolon',
  '\t': 'tab',
  '|': 'bar',
};

/** Reads a data file by its extension; `cut` says that its end is missing. */
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
  const columns = header.slice(0, MAX_COLUMNS).map((name, i) =>
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
    value = parseJson(content.replace(/^\ufeff/, ''));
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
      shape: shapeOf([value]),
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
      values.push(parseJson(text));
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
  return { table: { what, columns: [], shape: shapeOf([values]), problems, facts: { format: 'jsonl' } } };
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
    columns: fields.slice(0, MAX_COLUMNS).map((field) =>
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

/** The rows of a list of objects; undefined for anything else. */
function rowsOf(value: unknown): Record<string, unknown>[] | undefined {
  if (!Array.isArray(value) || value.length === 0) return undefined;
  return value.every(isObject) ? (value as Record<string, unknown>[]) : undefined;
}

/** The names of the fields in the order of their first occurrence. */
function fieldsOf(rows: readonly Record<string, unknown>[]): string[] {
  return [...new Set(rows.flatMap((row) => Object.keys(row)))];
}

/** The shape of the values of one place as a nested list: the keys, their types and how often they occur. */
function shapeOf(values: readonly unknown[], level = 0): string[] {
  const indent = '  '.repeat(level);
  const objects = values.filter(isObject);
  const lists = values.filter(Array.isArray) as unknown[][];
  const lines: string[] = [];
  if (level >= MAX_LEVELS)
    return objects.length + lists.length > 0 ? [`${indent}- deeper levels are not shown`] : [];
  if (lists.length > 0) {
    const items = lists.flatMap((list) => list.slice(0, MAX_ITEMS));
    const lengths = lists.map((list) => list.length);
    const smallest = lengths.reduce((a, b) => Math.min(a, b));
    const largest = lengths.reduce((a, b) => Math.max(a, b));
    const range = smallest === largest ? count(largest, 'item') : `${smallest} to ${count(largest, 'item')}`;
    lines.push(`${indent}- list of ${range}: ${kindsOf(items) || 'empty'}`, ...shapeOf(items, level + 1));
  }
  const keys = fieldsOf(objects);
  for (const key of keys.slice(0, MAX_KEYS)) {
    const there = objects.filter((object) => Object.hasOwn(object, key)).map((object) => object[key]);
    const share = there.length < objects.length ? `, in ${there.length} of ${objects.length}` : '';
    const nested = there.filter((inner) => typeof inner === 'object' && inner !== null);
    lines.push(`${indent}- ${code(key)}: ${kindsOf(there)}${share}`, ...shapeOf(nested, level + 1));
  }
  if (keys.length > MAX_KEYS) lines.push(`${indent}- and ${count(keys.length - MAX_KEYS, 'more key')}`);
  return lines;
}

function kindsOf(values: readonly unknown[]): string {
  return [...new Set(values.map(kindOf))].sort().join(' or ');
}

function kindOf(value: unknown): string {
  if (value === null) return 'null';
  if (Array.isArray(value)) return 'list';
  if (typeof value === 'string') return 'text';
  return typeof value;
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
