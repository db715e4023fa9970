import type { Json } from '../../../kernel/index.ts';
import { findColumn, leadingColumn } from './columns.ts';
import { compareDecimals, type Decimal } from './decimal.ts';
import { isEmptyCell, readNumber, readNumbers } from './number-column.ts';
import { cellsOf, type Table } from './table.ts';

type Operator =
  | 'empty'
  | 'filled'
  | 'eq'
  | 'ne'
  | 'gt'
  | 'ge'
  | 'lt'
  | 'le'
  | 'contains'
  | 'lacks'
  | 'starts'
  | 'ends'
  | 'between';

interface Condition {
  readonly column: number;
  readonly operator: Operator;
  readonly values: readonly string[];
}

/** The rows that fit a condition. */
export interface Matching {
  readonly fits: readonly boolean[];
  /** Cells that could not be compared, in words. */
  readonly remarks: readonly string[];
}

const IS = '(?:is |are |was |were |be )?';
/** The ways to write an operator after the name of a column; longer ones first. */
const OPERATORS: readonly (readonly [Operator, RegExp])[] = [
  [
    'filled',
    new RegExp(`^${IS}(?:not (?:empty|blank|missing|null)|filled(?: in)?|present|non-empty|known)$`),
  ],
  [
    'empty',
    new RegExp(`^${IS}(?:empty|blank|missing|null|not (?:given|known|filled|set|present)|absent)$`, 'i'),
  ],
  ['lacks', /^(?:does not contain|doesn't contain|not containing|without) (.+)$/i],
  ['contains', /^(?:contains|contain|containing|includes|including|include|has|like|mentions) (.+)$/i],
  ['starts', /^(?:starts|start|starting|begins|begin|beginning) with (.+)$/i],
  ['ends', /^(?:ends|end|ending) (?:with|in) (.+)$/i],
  [
    'ge',
    new RegExp(
      `^(?:>=|≥|${IS}(?:at least|no less than|not less than|(?:greater|more) than or equal to|on or after|since|from)) (.+)$`,
      'i',
    ),
  ],
  [
    'le',
    new RegExp(
      `^(?:<=|≤|${IS}(?:at most|no more than|not more than|(?:less|smaller) than or equal to|on or before|up to|until)) (.+)$`,
      'i',
    ),
  ],
  [
    'gt',
    new RegExp(
      `^(?:>|exceeds|exceeding|exceed|${IS}(?:(?:greater|more|larger|bigger|higher|later|older) than|over|above|after)) (.+)$`,
      'i',
    ),
  ],
  [
    'lt',
    new RegExp(`^(?:<|${IS}(?:(?:less|smaller|lower|fewer|earlier|younger) than|under|below|before)) (.+)$`),
  ],
  [
    'ne',
    /^(?:!=|<>|≠|(?:is|are) (?:not equal to|not|other than|different from)|isn't|does not equal|not) (.+)$/,
  ],
  ['eq', /^(?:==?|(?:is|are|was) equal to|equals|equal to|is|are|was|of|:) (.+)$/i],
];
const AN = '(?:an? |the |any |some )?';
const EMPTY_BEFORE = new RegExp(`^${AN}(?:empty|blank|missing|no) (.+)$`, 'i');
const FILLED_BEFORE = new RegExp(`^${AN}(?:non-empty|filled|existing) (.+)$`, 'i');

/** Reads a condition such as `amount > 100 and city is Bern`; values may be in double quotes. */
export function readConditions(
  table: Table,
  text: string,
): { readonly conditions: readonly Condition[] } | { readonly problem: string } {
  const quoted: string[] = [];
  const marked = text.replaceAll(/"([^"]*)"/g, (_, inner: string) => `@q${quoted.push(inner) - 1}`);
  const unquote = (piece: string): string =>
    piece.replaceAll(/@q(\d+)/g, (_, i: string) => quoted[Number(i)] ?? '');
  const { columns } = table;
  const found: Condition[] = [];
  let last = '';
  for (const piece of clauses(marked)) {
    const tried = last === '' ? piece : `${last} and ${piece}`;
    const whole = readOne(table, tried, unquote);
    const alone = last === '' ? undefined : readOne(table, piece, unquote);
    // "name is Bread and Butter" has one condition, "name is x and age > 3" has two.
    if (alone !== undefined) {
      found.push(alone);
      last = piece;
    } else if (whole !== undefined) {
      found.splice(-1, last === '' ? 0 : 1, whole);
      last = tried;
    } else {
      const named = findColumn(columns, piece.split(' ').slice(0, 1).join(' '));
      const why = 'problem' in named ? named.problem : `"${unquote(piece)}" is not understood as a condition`;
      return { problem: why };
    }
  }
  return found.length === 0 ? { problem: 'the condition is empty' } : { conditions: found };
}

function clauses(text: string): string[] {
  const between = text.replaceAll(/\bbetween (\S+) and (\S+)/gi, 'between $1 … $2');
  return between
    .split(/,? and (?:where |with |whose |that )?|, /i)
    .map((piece) => piece.replace(' … ', ' and ').trim())
    .filter((piece) => piece !== '');
}

function readOne(table: Table, text: string, unquote: (piece: string) => string): Condition | undefined {
  const { columns } = table;
  const before = EMPTY_BEFORE.exec(text) ?? FILLED_BEFORE.exec(text);
  if (before) {
    const named = findColumn(columns, unquote(before[1] ?? ''));
    const operator = EMPTY_BEFORE.test(text) ? 'empty' : 'filled';
    if ('column' in named) return { column: named.column, operator, values: [] };
  }
  const start = leadingColumn(columns, unquoteStart(text.replace(/^(?:an?|the|their|its) /i, ''), unquote));
  if (start === undefined) return valueAlone(table, unquote(text));
  const { column, rest } = start;
  if (rest === '') return { column, operator: 'filled', values: [] };
  const between = new RegExp(`^${IS}between (.+) and (.+)$`, 'i').exec(rest);
  if (between)
    return { column, operator: 'between', values: [unquote(between[1] ?? ''), unquote(between[2] ?? '')] };
  for (const [operator, pattern] of OPERATORS) {
    const match = pattern.exec(rest);
    if (match) return { column, operator, values: match[1] === undefined ? [] : valuesOf(match[1], unquote) };
  }
  // Without an operator the rest must be a value that occurs, so that no word is ignored.
  const values = valuesOf(rest, unquote);
  return values.every((value) => hasValue(table, column, value))
    ? { column, operator: 'eq', values }
    : undefined;
}

/** "Bern" means the one column that has this value. */
function valueAlone(table: Table, value: string): Condition | undefined {
  const [column, ...others] = table.columns.flatMap((_, i) => (hasValue(table, i, value) ? [i] : []));
  return column === undefined || others.length > 0 ? undefined : { column, operator: 'eq', values: [value] };
}

function hasValue(table: Table, column: number, value: string): boolean {
  const wanted = value.trim().toLowerCase();
  return cellsOf(table, column).some((cell) => cell.trim().toLowerCase() === wanted);
}

/** A quoted name of a column at the start. */
function unquoteStart(text: string, unquote: (piece: string) => string): string {
  return text.replace(/^@q\d+/, unquote);
}

function valuesOf(text: string, unquote: (piece: string) => string): string[] {
  return text
    .split(/,? or /i)
    .map((piece) => unquote(piece.replace(/^(?:either|equal to|the|in) /i, '')).trim());
}

/** Which rows of a table fit all conditions. */
export function matchRows(
  table: Table,
  conditions: readonly Condition[],
): Matching | { readonly problem: string } {
  const remarks: string[] = [];
  let fits = table.rows.map(() => true);
  for (const condition of conditions) {
    const made = testOf(table, condition);
    if ('problem' in made) return made;
    if (made.remark !== undefined) remarks.push(made.remark);
    fits = fits.map((fit, i) => fit && made.test(i));
  }
  return { fits, remarks };
}

type Test = { readonly test: (row: number) => boolean; readonly remark?: string };

function testOf(table: Table, { column, operator, values }: Condition): Test | { readonly problem: string } {
  const cells = cellsOf(table, column);
  const name = table.columns[column] ?? '';
  const lower = cells.map((cell) => cell.trim().toLowerCase());
  const wanted = values.map((value) => value.toLowerCase());
  const some =
    (compare: (cell: string, value: string) => boolean) =>
    (row: number): boolean =>
      wanted.some((value) => compare(lower[row] ?? '', value));
  switch (operator) {
    case 'empty':
      return { test: (row) => isEmptyCell(cells[row] ?? '') };
    case 'filled':
      return { test: (row) => !isEmptyCell(cells[row] ?? '') };
    case 'contains':
      return { test: some((cell, value) => cell.includes(value)) };
    case 'lacks':
      return { test: (row) => !some((cell, value) => cell.includes(value))(row) };
    case 'starts':
      return { test: some((cell, value) => cell.startsWith(value)) };
    case 'ends':
      return { test: some((cell, value) => cell.endsWith(value)) };
    case 'eq':
    case 'ne': {
      const { numbers } = readNumbers(cells, table.separator === ',');
      const asked = values.map(readNumber);
      const equal = (row: number): boolean =>
        wanted.some((value, i) => {
          const [cell, number] = [numbers[row], asked[i]];
          return (
            lower[row] === value ||
            (cell !== undefined && number !== undefined && compareDecimals(cell, number) === 0)
          );
        });
      return { test: (row) => equal(row) === (operator === 'eq') };
    }
    default:
      return comparison(table, name, cells, operator, values);
  }
}

const DATE = /^\d{4}(?:-\d{2}(?:-\d{2}(?:[T ]\d{2}:\d{2}.*)?)?)?$/;

/** Compares numbers, or dates that begin with the year. */
function comparison(
  table: Table,
  name: string,
  cells: readonly string[],
  operator: 'gt' | 'ge' | 'lt' | 'le' | 'between',
  values: readonly string[],
): Test | { readonly problem: string } {
  if (values.length > (operator === 'between' ? 2 : 1))
    return { problem: `"${values.join(' or ')}" is more than one value to compare "${name}" with` };
  const { numbers, others } = readNumbers(cells, table.separator === ',');
  const asked = values.map(readNumber);
  const dated = cells.filter((cell) => /^\d{4}-\d{2}-\d{2}/.test(cell.trim())).length;
  if (
    values.every((value) => DATE.test(value)) &&
    dated > numbers.filter((number) => number !== undefined).length
  )
    return { test: (row) => inRange((value) => compareDates(cells[row] ?? '', value), operator, values) };
  if (asked.some((value) => value === undefined))
    return {
      problem: `"${values.join(' and ')}" is not a number or a date such as 2024-12-31, so "${name}" cannot be compared with it`,
    };
  if (numbers.every((number) => number === undefined))
    return { problem: `the column "${name}" has no numbers to compare` };
  const remark =
    others.length === 0
      ? {}
      : {
          remark: `${others.length} of the values of "${name}" are not numbers, such as "${others[0]}"; their rows are left out`,
        };
  return {
    test: (row) => {
      const cell = numbers[row];
      return (
        cell !== undefined && inRange((value) => compareDecimals(cell, value), operator, asked as Decimal[])
      );
    },
    ...remark,
  };
}

/** With two values it means from the first to the second. */
function inRange<Value extends Json | Decimal>(
  compare: (value: Value) => number,
  operator: string,
  values: readonly Value[],
): boolean {
  const [first, second] = values;
  if (first === undefined) return false;
  const order = compare(first);
  if (Number.isNaN(order)) return false;
  if (second !== undefined) return order >= 0 && compare(second) <= 0;
  if (operator === 'gt') return order > 0;
  if (operator === 'ge') return order >= 0;
  return operator === 'lt' ? order < 0 : order <= 0;
}

/** Compares as precisely as the asked date is written; NaN when the cell is no date. */
function compareDates(cell: string, asked: string): number {
  const text = cell.trim();
  if (!DATE.test(text)) return Number.NaN;
  const start = text.slice(0, asked.length);
  return start < asked ? -1 : start > asked ? 1 : 0;
}
