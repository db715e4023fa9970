import type { Json } from '../../../kernel/index.ts';
import { count } from '../markdown-text.ts';
import { findColumns } from './columns.ts';
import { compareDecimals, type Decimal } from './decimal.ts';
import { filterTable, type Problem } from './figures.ts';
import { readNumbers } from './number-column.ts';
import type { RowsTask } from './rows-goal.ts';
import { cellsOf, cellText, type Table } from './table.ts';

/** The table after a change, and what was done in words. */
export interface ChangedTable {
  readonly table: Table;
  readonly done: readonly string[];
  readonly remarks: readonly string[];
}

/** Filters, removes duplicates, sorts, limits and selects columns, in this order. */
export function changeRows(whole: Table, task: RowsTask): ChangedTable | Problem {
  const filtered = filterTable(whole, task.where, task.negate === true);
  if ('problem' in filtered) return filtered;
  let { table } = filtered;
  const done: string[] = [];
  if (task.where !== undefined)
    done.push(
      `${table.rows.length} of ${count(whole.rows.length, 'row')} ${task.negate ? 'without' : 'with'} ${task.where}`,
    );
  const steps = [uniqueRows, repeatedRows, sortRows, limitRows, selectColumns];
  for (const step of steps) {
    const next = step(table, task);
    if ('problem' in next) return next;
    table = next.table;
    if (next.done !== undefined) done.push(next.done);
  }
  return { table, done, remarks: filtered.remarks };
}

type Step = { readonly table: Table; readonly done?: string } | Problem;

function uniqueRows(table: Table, { unique }: RowsTask): Step {
  if (unique === undefined) return { table };
  const keys = keysOf(table, unique);
  if ('problem' in keys) return keys;
  const seen = new Set<string>();
  const rows = table.rows.filter((_, i) => {
    const key = keys.keys[i] as string;
    const isNew = !seen.has(key);
    seen.add(key);
    return isNew;
  });
  const removed = table.rows.length - rows.length;
  const same = unique === 'rows' ? '' : ` with the same ${unique.by}`;
  return {
    table: { ...table, rows },
    done:
      removed === 0
        ? `no duplicate rows${same}`
        : `${count(removed, 'duplicate row')}${same} left out, the first of each is kept`,
  };
}

function repeatedRows(table: Table, { repeated }: RowsTask): Step {
  if (repeated === undefined) return { table };
  const keys = keysOf(table, repeated);
  if ('problem' in keys) return keys;
  const amounts = new Map<string, number>();
  for (const key of keys.keys) amounts.set(key, (amounts.get(key) ?? 0) + 1);
  const isRepeated = (i: number): boolean =>
    keys.keys[i] !== keys.empty && (amounts.get(keys.keys[i] ?? '') ?? 0) > 1;
  const order = [...table.rows.keys()].filter(isRepeated);
  const first = new Map(keys.keys.map((key, i) => [key, keys.keys.indexOf(key) ?? i]));
  order.sort((a, b) => (first.get(keys.keys[a] ?? '') ?? 0) - (first.get(keys.keys[b] ?? '') ?? 0) || a - b);
  const groups = new Set(order.map((i) => keys.keys[i])).size;
  const what = repeated === 'rows' ? 'in every column' : `in ${repeated.by}`;
  return {
    table: { ...table, rows: order.map((i) => table.rows[i] ?? []) },
    done:
      groups === 0
        ? `no rows are equal ${what}`
        : `${count(order.length, 'row')} equal to another ${what}, in ${count(groups, 'group')}`,
  };
}

/** A key for each row; rows with the same key are duplicates. */
function keysOf(
  table: Table,
  by: 'rows' | { readonly by: string },
): { readonly keys: readonly string[]; readonly empty: string } | Problem {
  const found = by === 'rows' ? { columns: [...table.columns.keys()] } : findColumns(table.columns, by.by);
  if ('problem' in found) return found;
  const keys = table.rows.map((row) => JSON.stringify(found.columns.map((i) => cellText(row[i]).trim())));
  return { keys, empty: JSON.stringify(found.columns.map(() => '')) };
}

function sortRows(table: Table, { sort, descending }: RowsTask): Step {
  if (sort === undefined) return { table };
  const found = findColumns(table.columns, sort.replace(/,? (?:and )?then (?:by )?/i, ', '));
  if ('problem' in found) return found;
  const sign = descending ? -1 : 1;
  const orders = found.columns.map((column) => orderOf(table, column, sign));
  const order = [...table.rows.keys()].sort((a, b) => {
    for (const compare of orders) {
      const result = compare(a, b);
      if (result !== 0) return result;
    }
    return a - b;
  });
  const names = found.columns.map((i) => table.columns[i]).join(', ');
  return {
    table: { ...table, rows: order.map((i) => table.rows[i] as readonly (Json | undefined)[]) },
    done: `sorted by ${names}${descending ? ', descending' : ''}`,
  };
}

/** Compares numbers as numbers if all filled cells are; empty cells come last. */
function orderOf(table: Table, column: number, sign: number): (a: number, b: number) => number {
  const cells = cellsOf(table, column).map((cell) => cell.trim());
  const { numbers, others } = readNumbers(cells, table.separator === ',');
  const isNumeric = others.length === 0 && numbers.some((number) => number !== undefined);
  return (a, b) => {
    if (isNumeric) {
      const [left, right] = [numbers[a], numbers[b]];
      if (left === undefined || right === undefined)
        return emptyLast(left === undefined, right === undefined);
      return sign * compareDecimals(left as Decimal, right as Decimal);
    }
    const [left = '', right = ''] = [cells[a], cells[b]];
    if (left === '' || right === '') return emptyLast(left === '', right === '');
    return sign * collator.compare(left, right);
  };
}

const collator = new Intl.Collator('en', { sensitivity: 'base' });

function emptyLast(left: boolean, right: boolean): number {
  return left === right ? 0 : left ? 1 : -1;
}

function limitRows(table: Table, { limit, last }: RowsTask): Step {
  if (limit === undefined || limit >= table.rows.length) return { table };
  const rows = last ? table.rows.slice(-limit) : table.rows.slice(0, limit);
  return { table: { ...table, rows }, done: `the ${last ? 'last' : 'first'} ${count(limit, 'row')}` };
}

function selectColumns(table: Table, { columns, without }: RowsTask): Step {
  const phrase = columns ?? without;
  if (phrase === undefined) return { table };
  const found = findColumns(table.columns, phrase);
  if ('problem' in found) return found;
  const kept =
    columns !== undefined
      ? found.columns
      : [...table.columns.keys()].filter((i) => !found.columns.includes(i));
  if (kept.length === 0) return { problem: 'no column would be left' };
  const names = found.columns.map((i) => table.columns[i]).join(', ');
  return {
    table: {
      ...table,
      columns: kept.map((i) => table.columns[i] as string),
      rows: table.rows.map((row) => kept.map((i) => row[i])),
    },
    done: columns === undefined ? `without ${names}` : `the columns ${names}`,
  };
}
