type ColumnType = 'integer' | 'number' | 'boolean' | 'date' | 'text' | 'mixed' | 'nested' | 'empty';

export interface ColumnSummary {
  readonly name: string;
  readonly type: ColumnType;
  readonly filled: number;
  readonly missing: number;
  /** The number of distinct values, up to the limit. */
  readonly distinct: number;
  readonly manyDistinct: boolean;
  readonly smallest?: string;
  readonly largest?: string;
  readonly mean?: number;
}

const MAX_DISTINCT = 1_000;
const MISSING: ReadonlySet<string> = new Set(['', 'na', 'n/a', 'null', 'nan', 'none', '-']);
const INTEGER = /^[+-]?\d{1,15}$/;
const NUMBER = /^[+-]?(?:\d+\.?\d*|\.\d+)(?:e[+-]?\d+)?$/i;
const BOOLEAN = /^(?:true|false|yes|no)$/i;
const DATE = /^\d{4}-\d{2}-\d{2}(?:[T ]\d{2}:\d{2}(?::\d{2}(?:\.\d+)?)?(?:Z|[+-]\d{2}:?\d{2})?)?$/;

export function describeColumn(name: string, cells: readonly string[]): ColumnSummary {
  const filled = cells.map((cell) => cell.trim()).filter((cell) => !MISSING.has(cell.toLowerCase()));
  const distinct = new Set<string>();
  for (const cell of filled) if (distinct.size < MAX_DISTINCT) distinct.add(cell);
  const type = typeOf(filled);
  return {
    name,
    type,
    filled: filled.length,
    missing: cells.length - filled.length,
    distinct: distinct.size,
    manyDistinct: distinct.size === MAX_DISTINCT,
    ...rangeOf(filled, type),
  };
}

/** Describes one field of JSON values; an absent field and null are missing. */
export function describeField(name: string, values: readonly unknown[]): ColumnSummary {
  const present = values.filter((value) => value !== undefined && value !== null);
  if (present.some((value) => typeof value === 'object')) {
    const nested = present.every((value) => typeof value === 'object');
    return {
      name,
      type: nested ? 'nested' : 'mixed',
      filled: present.length,
      missing: values.length - present.length,
      distinct: 0,
      manyDistinct: true,
    };
  }
  const summary = describeColumn(name, present.map(String));
  const kinds = new Set(present.map((value) => typeof value));
  const missing = values.length - summary.filled;
  if (kinds.size > 1) return { ...summary, missing, type: 'mixed' };
  // A text that looks like a number is a text in JSON.
  const asText = kinds.has('string') && summary.type !== 'date' && summary.type !== 'empty';
  const { mean: _, ...rest } = summary;
  return asText ? { ...rest, missing, type: 'text' } : { ...summary, missing };
}

function typeOf(filled: readonly string[]): ColumnType {
  if (filled.length === 0) return 'empty';
  const every = (pattern: RegExp): boolean => filled.every((cell) => pattern.test(cell));
  if (every(INTEGER)) return 'integer';
  if (every(NUMBER)) return 'number';
  if (every(BOOLEAN)) return 'boolean';
  return every(DATE) ? 'date' : 'text';
}

function rangeOf(
  filled: readonly string[],
  type: ColumnType,
): Pick<ColumnSummary, 'smallest' | 'largest' | 'mean'> {
  if (filled.length === 0 || type === 'boolean') return {};
  if (type !== 'integer' && type !== 'number') {
    const [first = ''] = filled;
    const smallest = filled.reduce((a, b) => (b < a ? b : a), first);
    return { smallest, largest: filled.reduce((a, b) => (b > a ? b : a), first) };
  }
  const numbers = filled.map(Number);
  const sum = numbers.reduce((a, b) => a + b, 0);
  return {
    smallest: String(numbers.reduce((a, b) => Math.min(a, b))),
    largest: String(numbers.reduce((a, b) => Math.max(a, b))),
    mean: Number((sum / numbers.length).toPrecision(6)),
  };
}
