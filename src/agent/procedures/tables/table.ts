import { type Json, memoize, parseJson } from '../../../kernel/index.ts';
import { readCsv } from '../csv-text.ts';
import { count } from '../markdown-text.ts';
import { markdownTables } from './markdown-table.ts';

export type TableFormat = 'csv' | 'tsv' | 'json' | 'jsonl' | 'md';

/** Rows of named columns. A cell of CSV and Markdown is a text, a cell of JSON any value; undefined means absent. */
export interface Table {
  readonly format: TableFormat;
  /** The separator of the cells in CSV. */
  readonly separator: string;
  readonly columns: readonly string[];
  readonly rows: readonly (readonly (Json | undefined)[])[];
  /** What is wrong with the file, in words. */
  readonly problems: readonly string[];
}

export type ReadTable = { readonly table: Table } | { readonly problem: string };

const MAX_CACHED = 6;
const MAX_LINES_SHOWN = 5;

export function formatOf(file: string): TableFormat | undefined {
  const extension = /\.([a-z]+)$/i.exec(file)?.[1]?.toLowerCase() ?? '';
  if (extension === 'csv' || extension === 'tsv' || extension === 'json' || extension === 'jsonl')
    return extension;
  if (extension === 'ndjson') return 'jsonl';
  return extension === 'md' || extension === 'markdown' ? 'md' : undefined;
}

/** Reads the table in a file. A planner reads it at every step, so the last ones are cached. */
export function readTableOf(file: string, content: string): ReadTable {
  return cached(`${formatOf(file) ?? 'csv'}\n${content}`);
}

const cached = memoize(MAX_CACHED, (text: string): ReadTable => {
  const end = text.indexOf('\n');
  const format = text.slice(0, end) as TableFormat;
  const content = text.slice(end + 1).replace(/^\ufeff/, '');
  if (content.trim() === '') return { problem: 'it is empty' };
  if (format === 'json') return fromJson(content);
  if (format === 'jsonl') return fromJsonLines(content);
  return format === 'md' ? fromMarkdown(content) : fromCsv(content, format);
});

function fromCsv(content: string, format: 'csv' | 'tsv'): ReadTable {
  const read = readCsv(content, format === 'tsv' ? { separator: '\t' } : {});
  if (read.problem !== undefined) return { problem: read.problem };
  const shown = read.uneven.slice(0, MAX_LINES_SHOWN).join(', ');
  const uneven =
    read.uneven.length === 0
      ? []
      : [
          `${count(read.uneven.length, 'row')} with another number of cells than the header (line ${shown}): absent cells are empty, cells without a name get a column of their own`,
        ];
  return {
    table: { ...fromCells(read.header, read.rows, uneven), format, separator: read.separator },
  };
}

function fromMarkdown(content: string): ReadTable {
  const tables = markdownTables(content);
  const [first] = tables;
  if (first === undefined) return { problem: 'it has no table' };
  if (tables.length > 1)
    return {
      problem: `it has ${tables.length} tables, and which one is meant is not known; put one into a file of its own`,
    };
  return { table: { ...fromCells(first.header, first.rows, []), format: 'md', separator: ',' } };
}

/** Names every column, each differently, and gives every row a cell for each. */
function fromCells(
  header: readonly string[],
  rows: readonly (readonly string[])[],
  problems: readonly string[],
): Pick<Table, 'columns' | 'rows' | 'problems'> {
  const width = rows.reduce((most, row) => Math.max(most, row.length), header.length);
  const names = Array.from({ length: width }, (_, i) => header[i]?.trim() || `column ${i + 1}`);
  const columns = differentNames(names);
  const renamed = columns.filter((name, i) => name !== names[i]);
  return {
    columns,
    rows: rows.map((row) => Array.from({ length: width }, (_, i) => row[i] ?? '')),
    problems: [
      ...problems,
      ...(renamed.length > 0
        ? [`several columns have the same name; they are called ${renamed.join(', ')} here`]
        : []),
    ],
  };
}

function differentNames(names: readonly string[]): string[] {
  const used = new Set<string>();
  return names.map((name) => {
    let different = name;
    for (let n = 2; used.has(different); n++) different = `${name} ${n}`;
    used.add(different);
    return different;
  });
}

function fromJson(content: string): ReadTable {
  let value: Json;
  try {
    value = parseJson(content);
  } catch (error) {
    return { problem: `it is not valid JSON (${reasonOf(error)})` };
  }
  return fromRecords(value, 'json', 'it is JSON, but not a list of objects', []);
}

function fromJsonLines(content: string): ReadTable {
  const lines = content
    .split(/\r?\n/)
    .map((text, i) => ({ text, line: i + 1 }))
    .filter(({ text }) => text.trim() !== '');
  const values: Json[] = [];
  for (const { text, line } of lines) {
    try {
      values.push(parseJson(text));
    } catch (error) {
      return { problem: `line ${line} is not valid JSON (${reasonOf(error)})` };
    }
  }
  return fromRecords(values, 'jsonl', 'not every line is a JSON object', []);
}

function fromRecords(value: Json, format: 'json' | 'jsonl', problem: string, problems: string[]): ReadTable {
  if (!Array.isArray(value) || value.length === 0 || !value.every(isRecord)) return { problem };
  const records = value as readonly Readonly<Record<string, Json>>[];
  const columns = [...new Set(records.flatMap((record) => Object.keys(record)))];
  const rows = records.map((record) =>
    columns.map((name) => (Object.hasOwn(record, name) ? record[name] : undefined)),
  );
  const isLong = (cell: Json | undefined): boolean =>
    typeof cell === 'number' && Math.abs(cell) > Number.MAX_SAFE_INTEGER;
  const long = rows.flat().some(isLong);
  if (long)
    return { problem: 'it has numbers of more than 15 digits, which would lose digits; write them as texts' };
  return { table: { format, separator: ',', columns, rows, problems } };
}

/** A cell as the text that CSV and Markdown have for it. */
export function cellText(cell: Json | undefined): string {
  if (cell === undefined || cell === null) return '';
  return typeof cell === 'object' ? JSON.stringify(cell) : String(cell);
}

export function cellsOf({ rows }: Table, column: number): string[] {
  return rows.map((row) => cellText(row[column]));
}

function isRecord(value: Json): boolean {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function reasonOf(error: unknown): string {
  return error instanceof Error ? (error.message.split('\n')[0] ?? '') : 'no reason given';
}
