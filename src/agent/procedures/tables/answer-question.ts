import type { JsonObject } from '../../../kernel/index.ts';
import { code, count } from '../markdown-text.ts';
import { findColumn } from './columns.ts';
import { compareDecimals, type Decimal, decimalText, sumOf } from './decimal.ts';
import type { Figure, FigureQuestion } from './figure-goal.ts';
import {
  countByKey,
  figureOf,
  figuresByGroup,
  filterTable,
  groupingOf,
  numbersOf,
  type Problem,
  withUnit,
} from './figures.ts';
import { rank } from './rank-rows.ts';
import { cellsOf, cellText, type Table } from './table.ts';
import { decimalIn, remarksOn, type TableAnswer, WORDS } from './table-answer.ts';
import { meansRows } from './table-source.ts';

export function answerQuestion(whole: Table, question: FigureQuestion, file: string): TableAnswer | Problem {
  const where = 'where' in question ? question.where : undefined;
  const filtered = filterTable(whole, where);
  if ('problem' in filtered) return filtered;
  const { table } = filtered;
  const answer = answerFor(table, question, file, where);
  if ('problem' in answer) return answer;
  const remarks = [
    ...(where === undefined
      ? []
      : [`${table.rows.length} of ${count(whole.rows.length, 'row')} fit: ${where}`]),
    ...filtered.remarks,
    ...answer.remarks,
  ];
  return { ...answer, remarks };
}

function answerFor(
  table: Table,
  question: FigureQuestion,
  file: string,
  where: string | undefined,
): TableAnswer | Problem {
  switch (question.ask) {
    case 'count':
      return countRows(table, question, file, where);
    case 'summary':
      return summary(table, question.group);
    case 'distinct':
      return distinctValues(table, question.column);
    case 'common':
      return mostCommon(table, question);
    case 'rank':
      return rank(table, question, file);
    case 'figures':
      return figures(table, question);
  }
}

function countRows(
  table: Table,
  { what, group }: FigureQuestion & { ask: 'count' },
  file: string,
  where: string | undefined,
): TableAnswer | Problem {
  const rows = table.rows.length;
  const isRows = meansRows(what, file);
  const found = findColumn(table.columns, what);
  if (group !== undefined) {
    if (!isRows)
      return 'problem' in found
        ? found
        : { problem: `to count by "${group}" write: count the rows by ${group}` };
    const grouping = groupingOf(table, group);
    if ('problem' in grouping) return grouping;
    const result = countByKey(grouping);
    const total = result.rows.reduce((sum, row) => sum + Number(row[1]), 0);
    return {
      answer: `${count(rows, 'row')} in ${count(result.rows.length, 'group')} by ${code(grouping.name)}.`,
      result,
      facts: { count: rows, groups: result.rows.length },
      remarks: [],
      checks: [{ check: 'the groups add up to all rows', holds: total === rows }],
    };
  }
  if ('column' in found && !/^(?:rows?|records?|entries)$/i.test(what)) {
    const distinct = distinctValues(table, what);
    if ('problem' in distinct) return distinct;
    const { distinct: different = 0 } = distinct.facts;
    const name = table.columns[found.column] ?? '';
    return {
      ...distinct,
      answer: `${String(different)} different values of ${code(name)} in ${count(rows, 'row')}.`,
      facts: { ...distinct.facts, count: rows },
    };
  }
  if (!isRows) return found as Problem;
  return {
    answer:
      where === undefined
        ? `${code(file)} has ${count(rows, 'row')} and ${count(table.columns.length, 'column')}.`
        : `${count(rows, 'row')} of ${code(file)} fit.`,
    facts: { count: rows, columns: table.columns.length },
    remarks: [],
    checks: [],
  };
}

/** The rows of each group, with total and average of every column that has only numbers. */
function summary(table: Table, phrase: string): TableAnswer | Problem {
  const grouping = groupingOf(table, phrase);
  if ('problem' in grouping) return grouping;
  const counts = countByKey(grouping);
  const order = counts.rows.map((row) => cellText(row[0]));
  const columns: string[] = [...counts.columns];
  const rows = counts.rows.map((row) => [...row]);
  for (const [column, name] of table.columns.entries()) {
    const read = numbersOf(table, column);
    if (name === grouping.name || 'problem' in read || read.others.length > 0) continue;
    const figured = figuresByGroup(
      grouping,
      read.numbers,
      ['sum', 'mean'],
      (figure) => `${WORDS[figure]} ${name}`,
    );
    const byKey = new Map(figured.rows.map((row) => [cellText(row[0]), row]));
    columns.push(...figured.columns.slice(1, 3));
    for (const [i, key] of order.entries()) rows[i]?.push(...(byKey.get(key)?.slice(1, 3) ?? ['', '']));
  }
  const total = counts.rows.reduce((sum, row) => sum + Number(row[1]), 0);
  return {
    answer: `${count(table.rows.length, 'row')} in ${count(rows.length, 'group')} by ${code(grouping.name)}.`,
    result: { columns, rows },
    facts: { groups: rows.length },
    remarks: [],
    checks: [{ check: 'the groups add up to all rows', holds: total === table.rows.length }],
  };
}

function distinctValues(table: Table, phrase: string): TableAnswer | Problem {
  const grouping = groupingOf(table, phrase);
  if ('problem' in grouping) return grouping;
  const filled = { ...grouping, keys: grouping.keys.filter((key) => key !== '') };
  const result = countByKey(filled);
  const empty = grouping.keys.length - filled.keys.length;
  return {
    answer: `${code(grouping.name)} has ${count(result.rows.length, 'different value')} in ${count(table.rows.length, 'row')}.`,
    result,
    facts: { column: grouping.name, distinct: result.rows.length },
    remarks: empty > 0 ? [`${count(empty, 'row')} without a value`] : [],
    checks: [{ check: 'each value is listed once', holds: new Set(filled.keys).size === result.rows.length }],
  };
}

function mostCommon(
  table: Table,
  { column, limit }: FigureQuestion & { ask: 'common' },
): TableAnswer | Problem {
  const all = distinctValues(table, column);
  if ('problem' in all || all.result === undefined) return all;
  const { rows } = all.result;
  const last = Number(rows[limit - 1]?.[1] ?? 0);
  // Values that are as common as the last one belong to the answer too.
  const shown = rows.filter((row, i) => i < limit || (Number(row[1]) === last && limit === 1));
  const [first] = shown;
  const name = String(all.facts['column']);
  if (first === undefined) return { ...all, answer: `${code(name)} has no values.` };
  const names = shown.map((row) => code(cellText(row[0]))).join(' and ');
  return {
    ...all,
    result: { ...all.result, rows: shown },
    answer:
      limit === 1
        ? `The most common ${code(name)} is ${names}, in ${count(Number(first[1]), 'row')}${shown.length > 1 ? ' each' : ''}.`
        : `The ${shown.length} most common values of ${code(name)}; the first is ${code(cellText(first[0]))}, in ${count(Number(first[1]), 'row')}.`,
  };
}

function figures(table: Table, question: FigureQuestion & { ask: 'figures' }): TableAnswer | Problem {
  const found = findColumn(table.columns, question.column);
  if ('problem' in found) return found;
  const name = table.columns[found.column] ?? '';
  const read = numbersOf(table, found.column);
  if ('problem' in read) return firstOrLast(table, found.column, question) ?? read;
  const numbers = read.numbers.filter((number) => number !== undefined);
  const values = question.figures.map((figure) => ({ figure, value: figureOf(figure, numbers) }));
  const facts: JsonObject = Object.fromEntries(
    values.map(({ figure, value }) => [figure, decimalText(value)]),
  );
  const base = { facts: { column: name, ...facts, counted: numbers.length }, remarks: remarksOn(read, name) };
  const added = numbers.length + read.empty + read.others.length;
  const checks = [
    { check: 'numbers, empty cells and other cells add up to the rows', holds: added === table.rows.length },
  ];
  if (question.group === undefined) {
    const said = values.map(
      ({ figure, value }) => `${WORDS[figure]} ${withUnit(decimalText(value), read.unit)}`,
    );
    return {
      ...base,
      checks,
      answer: `${code(name)}: ${said.join(', ')}, from ${count(numbers.length, 'value')}.`,
    };
  }
  const grouping = groupingOf(table, question.group);
  if ('problem' in grouping) return grouping;
  const result = figuresByGroup(
    grouping,
    read.numbers,
    question.figures,
    (figure) => `${WORDS[figure]} ${name}`,
  );
  return {
    ...base,
    result,
    answer: `The ${question.figures.map((figure) => WORDS[figure]).join(', ')} of ${code(name)} by ${code(grouping.name)}: ${count(result.rows.length, 'group')}${totalText(question.figures, numbers, read.unit)}.`,
    checks: [...checks, ...groupChecks(result, question.figures, numbers, table.rows.length)],
  };
}

/** The earliest and latest of dates that begin with the year. */
function firstOrLast(
  table: Table,
  column: number,
  { figures: asked, group }: FigureQuestion & { ask: 'figures' },
): TableAnswer | undefined {
  const cells = cellsOf(table, column)
    .map((cell) => cell.trim())
    .filter((cell) => cell !== '');
  const isDated = cells.length > 0 && cells.every((cell) => /^\d{4}-\d{2}-\d{2}/.test(cell));
  if (!isDated || group !== undefined || asked.some((figure) => figure !== 'min' && figure !== 'max'))
    return undefined;
  const sorted = [...cells].sort();
  const values = asked.map((figure) => ({
    figure,
    value: (figure === 'min' ? sorted[0] : sorted.at(-1)) ?? '',
  }));
  const name = table.columns[column] ?? '';
  return {
    answer: `${code(name)}: ${values.map(({ figure, value }) => `${figure === 'min' ? 'earliest' : 'latest'} ${value}`).join(', ')}, from ${count(cells.length, 'value')}.`,
    facts: { column: name, ...Object.fromEntries(values.map(({ figure, value }) => [figure, value])) },
    remarks: [],
    checks: [],
  };
}

function totalText(figures: readonly Figure[], numbers: readonly Decimal[], unit: string): string {
  return figures.includes('sum') ? `, together ${withUnit(decimalText(sumOf(numbers)), unit)}` : '';
}

function groupChecks(
  { rows }: Pick<Table, 'columns' | 'rows'>,
  figures: readonly Figure[],
  numbers: readonly Decimal[],
  total: number,
): TableAnswer['checks'] {
  const counted = rows.reduce((sum, row) => sum + Number(row.at(-1)), 0);
  const at = figures.indexOf('sum') + 1;
  const sums = rows.flatMap((row) => (at > 0 ? decimalIn(cellText(row[at])) : []));
  return [
    { check: 'the groups have all rows', holds: counted === total },
    ...(at > 0
      ? [
          {
            check: 'the totals of the groups add up to the whole',
            holds: compareDecimals(sumOf(sums), sumOf(numbers)) === 0,
          },
        ]
      : []),
  ];
}
