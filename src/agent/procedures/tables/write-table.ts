import type { Json } from '../../../kernel/index.ts';
import { cellsOf, cellText, type Table, type TableFormat } from './table.ts';

const JSON_NUMBER = /^-?(?:0|[1-9]\d{0,14})(?:\.\d{1,10})?$/;
const MAX_DIGITS = 15;

/** A table as the content of a file. */
export function writeTable(table: Table, format: TableFormat): string {
  if (format === 'json') return `${JSON.stringify(recordsOf(table), undefined, 2)}\n`;
  if (format === 'jsonl')
    return recordsOf(table)
      .map((record) => `${JSON.stringify(record)}\n`)
      .join('');
  if (format === 'md') return `${markdownLines(table).join('\n')}\n`;
  const separator = format === 'tsv' ? '\t' : table.format === 'csv' ? table.separator : ',';
  const lines = [table.columns, ...table.rows.map((row) => row.map(cellText))];
  return lines.map((cells) => `${csvLine(cells, separator)}\n`).join('');
}

/** The rows of a Markdown table, its header first. */
export function markdownLines({ columns, rows }: Pick<Table, 'columns' | 'rows'>): string[] {
  const line = (cells: readonly string[]): string => `| ${cells.map(markdownCell).join(' | ')} |`;
  return [
    line(columns),
    `|${columns.map(() => '---|').join('')}`,
    ...rows.map((row) => line(row.map(cellText))),
  ];
}

function markdownCell(text: string): string {
  return text
    .trim()
    .replaceAll(/[\\|`*_<[\]]/g, (sign) => `\\${sign}`)
    .replaceAll(/\r\n?|\n/g, '<br>');
}

function csvLine(cells: readonly string[], separator: string): string {
  // A single empty cell would be an empty line, which readers skip.
  if (cells.length === 1 && cells[0] === '') return '""';
  return cells
    .map((cell) => {
      const needsQuotes = cell.includes(separator) || /["\r\n]|^\s|\s$/.test(cell);
      return needsQuotes ? `"${cell.replaceAll('"', '""')}"` : cell;
    })
    .join(separator);
}

/** The rows as JSON objects. Texts of a column become numbers or truth values only if all of them are. */
function recordsOf(table: Table): Record<string, Json>[] {
  const isTyped = table.format === 'json' || table.format === 'jsonl';
  const convert = isTyped
    ? table.columns.map(() => (cell: Json | undefined) => cell)
    : table.columns.map((_, column) => converterFor(cellsOf(table, column)));
  return table.rows.map((row) =>
    Object.fromEntries(
      table.columns.flatMap((name, i) => {
        const value = convert[i]?.(row[i]);
        return value === undefined ? [] : [[name, value]];
      }),
    ),
  );
}

function converterFor(cells: readonly string[]): (cell: Json | undefined) => Json | undefined {
  const filled = cells.filter((cell) => cell !== '');
  if (filled.length > 0 && filled.every(isJsonNumber)) return (cell) => (cell === '' ? null : Number(cell));
  if (filled.length > 0 && filled.every((cell) => cell === 'true' || cell === 'false'))
    return (cell) => (cell === '' ? null : cell === 'true');
  return (cell) => cell;
}

/** Numbers such as 007 or with very many digits stay texts, because JSON would change them. */
function isJsonNumber(cell: string): boolean {
  return JSON_NUMBER.test(cell) && cell.replaceAll(/\D/g, '').length <= MAX_DIGITS;
}
