import type { JsonObject } from '../../../kernel/index.ts';
import { code, count } from '../markdown-text.ts';
import type { Decimal } from './decimal.ts';
import type { Figure } from './figure-goal.ts';
import type { NumberColumn } from './number-column.ts';
import type { Table } from './table.ts';

/** The answer to a question about a table. */
export interface TableAnswer {
  readonly answer: string;
  readonly result?: Pick<Table, 'columns' | 'rows'>;
  readonly facts: JsonObject;
  readonly remarks: readonly string[];
  readonly checks: readonly { readonly check: string; readonly holds: boolean }[];
}

/** The names of the figures in answers. */
export const WORDS: Readonly<Record<Figure, string>> = {
  sum: 'total',
  mean: 'average',
  median: 'median',
  min: 'smallest',
  max: 'largest',
};

/** The number in a cell that this program wrote. */
export function decimalIn(text: string): Decimal[] {
  const [whole = '', part = ''] = text.split('.');
  return text === '' ? [] : [{ digits: BigInt(`${whole}${part}`), scale: part.length }];
}

/** What was left out of the numbers of a column, in words. */
export function remarksOn({ empty, others, remark }: NumberColumn, name: string): string[] {
  return [
    ...(others.length > 0
      ? [
          `left out: ${count(others.length, 'value')} of ${code(name)} that ${others.length === 1 ? 'is not a number' : 'are not numbers'}, such as ${code(others[0] ?? '')}`,
        ]
      : []),
    ...(empty > 0 ? [`left out: ${count(empty, 'row')} without a value of ${code(name)}`] : []),
    ...(remark === undefined ? [] : [remark]),
  ];
}
