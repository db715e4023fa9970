import { type Decimal, readDecimal } from './decimal.ts';

/** The numbers of a column, and what is not one. */
export interface NumberColumn {
  /** One entry for each cell; undefined for an empty cell and for one that is not a number. */
  readonly numbers: readonly (Decimal | undefined)[];
  readonly empty: number;
  /** Cells that are not numbers, as written. */
  readonly others: readonly string[];
  /** The currency or the percent sign of the cells. */
  readonly unit: string;
  /** How separators inside the numbers were read, if there are any. */
  readonly remark?: string;
}

const EMPTY: ReadonlySet<string> = new Set(['', 'na', 'n/a', 'null', 'nan', 'none', '-']);
const UNIT = '(?:[$€£¥%]|CHF|USD|EUR|GBP|JPY|Fr\\.?)';
const WITH_UNIT = new RegExp(
  `^([+-]?)\\s*(${UNIT})?\\s*([+-]?[\\d.,'’\\u00a0\\u202f _]*\\d\\.?(?:e[+-]?\\d+)?)\\s*(${UNIT})?$`,
  'i',
);
const COMMA_GROUPS = /^[+-]?\d{1,3}(?:,\d{3})+(?:\.\d+)?$/;
const DOT_GROUPS = /^[+-]?\d{1,3}(?:\.\d{3})+(?:,\d+)?$/;
const SPACED_GROUPS = /^[+-]?\d{1,3}(?:['’\u00a0\u202f _]\d{3})+(?:[.,]\d+)?$/;

export function isEmptyCell(text: string): boolean {
  return EMPTY.has(text.trim().toLowerCase());
}

/**
 * Reads a column of numbers, also with currency and thousands separators. A comma means the same in the whole column:
 * "1,234.50" and "12,5" show which. Where only "1,234" occurs, `commaGroups` says whether it is 1234; if it is not known,
 * such cells are not numbers.
 */
export function readNumbers(cells: readonly string[], commaGroups: boolean): NumberColumn {
  const parsed = cells.map(splitUnit);
  const bodies = parsed.flatMap((one) => one?.body ?? []);
  const comma = meaningOfComma(bodies, commaGroups);
  const units = new Set(parsed.flatMap((one) => (one === undefined || one.unit === '' ? [] : [one.unit])));
  const others: string[] = [];
  let grouped = 0;
  const numbers = cells.map((text, i) => {
    if (isEmptyCell(text)) return undefined;
    const one = parsed[i];
    const plain = one && plainNumber(one.body, comma);
    const value = plain === undefined ? undefined : readDecimal(plain);
    // Amounts of different currencies cannot be added.
    if (value === undefined || units.size > 1) others.push(text.trim());
    else if (plain !== one?.body) grouped += 1;
    return units.size > 1 ? undefined : value;
  });
  const [unit = ''] = units;
  const example = parsed.find((one) => one && plainNumber(one.body, comma) !== one.body)?.body;
  return {
    numbers,
    empty: cells.filter(isEmptyCell).length,
    others,
    unit: units.size === 1 ? unit : '',
    ...(grouped > 0 && example !== undefined
      ? { remark: `${example} was read as ${plainNumber(example, comma)}` }
      : {}),
  };
}

/** Reads one number of a goal or a cell on its own. */
export function readNumber(text: string): Decimal | undefined {
  return readNumbers([text], true).numbers[0];
}

function splitUnit(text: string): { readonly body: string; readonly unit: string } | undefined {
  const match = WITH_UNIT.exec(text.trim());
  if (!match) return undefined;
  const [, sign = '', before = '', body = '', after = ''] = match;
  if (before !== '' && after !== '' && before !== after) return undefined;
  return { body: `${sign}${body.trim()}`, unit: (before || after).toUpperCase() };
}

type Comma = 'groups' | 'decimal' | 'unknown';

function meaningOfComma(bodies: readonly string[], commaGroups: boolean): Comma {
  const isGroups = (body: string): boolean => COMMA_GROUPS.test(body) && /,.*[,.]/.test(body);
  const isDecimal = (body: string): boolean =>
    (/^[+-]?\d+,\d+$/.test(body) && !COMMA_GROUPS.test(body)) ||
    (DOT_GROUPS.test(body) && body.includes(','));
  const groups = bodies.some(isGroups);
  const decimal = bodies.some(isDecimal);
  if (groups && decimal) return 'unknown';
  if (decimal) return 'decimal';
  if (groups || commaGroups) return 'groups';
  return bodies.some((body) => /^[+-]?\d+\.\d+$/.test(body)) ? 'groups' : 'unknown';
}

/** The number with a decimal point only; undefined when it cannot be read with certainty. */
function plainNumber(body: string, comma: Comma): string | undefined {
  if (SPACED_GROUPS.test(body)) {
    const joined = body.replaceAll(/['’\u00a0\u202f _]/g, '');
    return joined.includes(',') ? joined.replace(',', '.') : joined;
  }
  if (/['’\u00a0\u202f _]/.test(body)) return undefined;
  if (comma === 'decimal') {
    if (DOT_GROUPS.test(body)) return body.replaceAll('.', '').replace(',', '.');
    return /^[+-]?\d+(?:,\d+)?$/.test(body) ? body.replace(',', '.') : undefined;
  }
  if (!body.includes(',')) return body;
  return comma === 'groups' && COMMA_GROUPS.test(body) ? body.replaceAll(',', '') : undefined;
}
