import { code } from '../markdown-text.ts';
import { findColumn } from './columns.ts';
import { compareDecimals, type Decimal } from './decimal.ts';
import type { FigureQuestion } from './figure-goal.ts';
import { countByKey, figuresByGroup, groupingOf, numbersOf, type Problem } from './figures.ts';
import { cellText, type Table } from './table.ts';
import { decimalIn, remarksOn, type TableAnswer, WORDS } from './table-answer.ts';
import { meansRows } from './table-source.ts';

/** The rows or groups with the most or the least of a column. */
export function rank(
  table: Table,
  question: FigureQuestion & { ask: 'rank' },
  file: string,
): TableAnswer | Problem {
  const { what, by, order, limit } = question;
  const isRows = meansRows(what, file);
  if (meansRows(by, file) && !isRows) {
    const grouping = groupingOf(table, what);
    if ('problem' in grouping) return grouping;
    const counts = countByKey(grouping);
    return ranked(
      { ...counts, rows: order === 'most' ? counts.rows : counts.rows.toReversed() },
      limit,
      'rows',
      order,
      [],
    );
  }
  const found = findColumn(table.columns, by);
  if ('problem' in found) return found;
  const name = table.columns[found.column] ?? '';
  const read = numbersOf(table, found.column);
  if ('problem' in read) return read;
  const sign = order === 'most' ? 1 : -1;
  const remarks = remarksOn(read, name);
  const grouping = isRows ? undefined : groupingOf(table, what);
  if (grouping !== undefined && 'problem' in grouping) return grouping;
  if (
    grouping === undefined ||
    (new Set(grouping.keys).size === grouping.keys.length && question.figure === undefined)
  ) {
    const rows = [...table.rows.keys()]
      .filter((i) => read.numbers[i] !== undefined)
      .sort((a, b) => sign * compareDecimals(read.numbers[b] as Decimal, read.numbers[a] as Decimal))
      .map((i) => table.rows[i] ?? []);
    return ranked({ columns: table.columns, rows }, limit, name, order, remarks);
  }
  const figure = question.figure ?? 'sum';
  const grouped = figuresByGroup(grouping, read.numbers, [figure], (one) => `${WORDS[one]} ${name}`);
  const rows = grouped.rows.filter((row) => row[1] !== '');
  const note =
    question.figure === undefined
      ? [`${code(grouping.name)} occurs several times, so ${code(name)} was added up for each`]
      : [];
  const sorted = [...rows].sort(
    (a, b) =>
      sign *
      compareDecimals(decimalIn(cellText(b[1]))[0] as Decimal, decimalIn(cellText(a[1]))[0] as Decimal),
  );
  return ranked({ ...grouped, rows: sorted }, limit, `${WORDS[figure]} ${name}`, order, [
    ...note,
    ...remarks,
  ]);
}

function ranked(
  all: Pick<Table, 'columns' | 'rows'>,
  limit: number,
  by: string,
  order: 'most' | 'least',
  remarks: readonly string[],
): TableAnswer {
  const rows = all.rows.slice(0, limit);
  const [first] = rows;
  const at = Math.max(0, all.columns.indexOf(by));
  const end = order === 'most' ? 'largest' : 'smallest';
  const tie =
    all.rows[limit] !== undefined && cellText(all.rows[limit]?.[at]) === cellText(rows.at(-1)?.[at]);
  return {
    answer:
      first === undefined
        ? 'No row has a number to rank by.'
        : rows.length === 1
          ? `${code(cellText(first[0]))} has the ${end} ${code(by)}: ${cellText(first[at])}.`
          : `The ${rows.length} ${end} by ${code(by)}; the first is ${code(cellText(first[0]))} with ${cellText(first[at])}.`,
    result: { columns: all.columns, rows },
    facts: { by, shown: rows.length, of: all.rows.length },
    remarks: [...(tie ? ['the next row has the same value as the last one shown'] : []), ...remarks],
    checks: [],
  };
}
