import type { Json } from '../../../kernel/index.ts';
import { groupBy } from '../markdown-text.ts';
import { findColumn } from './columns.ts';
import { matchRows, readConditions } from './conditions.ts';
import { compareDecimals, type Decimal, decimalText, meanOf, medianOf, sumOf } from './decimal.ts';
import type { Figure } from './figure-goal.ts';
import { readNumbers } from './number-column.ts';
import { cellsOf, type Table } from './table.ts';

/** How the rows of a table are grouped: one key for each row. */
export interface Grouping {
  readonly name: string;
  readonly keys: readonly string[];
}

export type Problem = { readonly problem: string };

const PERIODS: Readonly<Record<string, number>> = { year: 4, month: 7, day: 10 };
const DATE_CELL = /^\d{4}-\d{2}-\d{2}(?:$|[T ])/;

/** The rows that fit a condition, as a table of the same columns. */
export function filterTable(
  table: Table,
  where: string | undefined,
  negate = false,
): { readonly table: Table; readonly remarks: readonly string[] } | Problem {
  if (where === undefined) return { table, remarks: [] };
  const read = readConditions(table, where);
  if ('problem' in read) return read;
  const matched = matchRows(table, read.conditions);
  if ('problem' in matched) return matched;
  const rows = table.rows.filter((_, i) => matched.fits[i] !== negate);
  return { table: { ...table, rows }, remarks: matched.remarks };
}

/** Groups by a column, or by "month", "year" and "day" of the one column with dates. */
export function groupingOf(table: Table, phrase: string): Grouping | Problem {
  const found = findColumn(table.columns, phrase);
  if ('column' in found) {
    const keys = cellsOf(table, found.column).map((cell) => cell.trim());
    return { name: table.columns[found.column] ?? '', keys };
  }
  const period = phrase
    .toLowerCase()
    .replace(/^(?:the |each )/, '')
    .replace(/s$/, '');
  const length = PERIODS[period];
  const dated = table.columns.flatMap((_, i) => {
    const cells = cellsOf(table, i).filter((cell) => cell.trim() !== '');
    return cells.length > 0 && cells.every((cell) => DATE_CELL.test(cell.trim())) ? [i] : [];
  });
  const [column, ...others] = dated;
  if (length === undefined) return found;
  if (column === undefined || others.length > 0)
    return {
      problem: `${found.problem}, and ${others.length > 0 ? 'several columns have' : 'no column has only'} dates such as 2024-12-31`,
    };
  return {
    name: `${period} of ${table.columns[column]}`,
    keys: cellsOf(table, column).map((cell) => cell.trim().slice(0, length)),
  };
}

/** The numbers of a column, or the reason why it has none. */
export function numbersOf(table: Table, column: number): ReturnType<typeof readNumbers> | Problem {
  const read = readNumbers(cellsOf(table, column), table.separator === ',');
  if (read.numbers.some((number) => number !== undefined)) return read;
  const name = table.columns[column] ?? '';
  if (table.rows.length === 0) return { problem: 'no row is left to compute with' };
  const [example] = read.others;
  return {
    problem:
      example === undefined
        ? `the column "${name}" is empty`
        : `the values of the column "${name}" cannot be read as numbers of one kind, such as "${example}"`,
  };
}

export function figureOf(figure: Figure, numbers: readonly Decimal[]): Decimal {
  const first = numbers[0] as Decimal;
  switch (figure) {
    case 'sum':
      return sumOf(numbers);
    case 'mean':
      return meanOf(numbers);
    case 'median':
      return medianOf(numbers);
    case 'min':
      return numbers.reduce((a, b) => (compareDecimals(b, a) < 0 ? b : a), first);
    case 'max':
      return numbers.reduce((a, b) => (compareDecimals(b, a) > 0 ? b : a), first);
  }
}

/** The figures of each group, largest first figure first; a group without numbers has none. */
export function figuresByGroup(
  { name, keys }: Grouping,
  numbers: readonly (Decimal | undefined)[],
  figures: readonly Figure[],
  heading: (figure: Figure) => string,
): Pick<Table, 'columns' | 'rows'> {
  const groups = [...groupBy([...keys.keys()], (row) => keys[row] ?? '')].map(([key, rows]) => {
    const present = rows.flatMap((row) => numbers[row] ?? []);
    return {
      key,
      rows,
      values: present.length === 0 ? [] : figures.map((figure) => figureOf(figure, present)),
    };
  });
  const isPeriod = / of /.test(name);
  const order = (a: (typeof groups)[number], b: (typeof groups)[number]): number => {
    if (isPeriod) return a.key < b.key ? -1 : 1;
    const [left, right] = [a.values[0], b.values[0]];
    if (left === undefined || right === undefined) return left === right ? 0 : left ? -1 : 1;
    return compareDecimals(right, left);
  };
  return {
    columns: [name, ...figures.map(heading), 'rows'],
    rows: groups
      .sort(order)
      .map(({ key, rows, values }): Json[] => [
        key === '' ? '(empty)' : key,
        ...figures.map((_, i) => (values[i] ? decimalText(values[i] as Decimal) : '')),
        String(rows.length),
      ]),
  };
}

/** The values and how many rows have each, the most common first. */
export function countByKey({ name, keys }: Grouping): Pick<Table, 'columns' | 'rows'> {
  const counts = [...groupBy(keys, (key) => key)].map(([key, all]) => ({ key, amount: all.length }));
  counts.sort((a, b) => b.amount - a.amount || (a.key < b.key ? -1 : 1));
  return {
    columns: [name, 'rows'],
    rows: counts.map(({ key, amount }) => [key === '' ? '(empty)' : key, String(amount)]),
  };
}

export function withUnit(text: string, unit: string): string {
  if (unit === '') return text;
  return /^[$€£¥]$/.test(unit) ? text.replace(/^-?/, (sign) => `${sign}${unit}`) : `${text} ${unit}`;
}
