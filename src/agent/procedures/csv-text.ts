import { CsvError, type Info, type Options, parse } from 'csv-parse/sync';

/** The rows of a text with separated values; the first row names the columns. */
export interface CsvTable {
  readonly separator: string;
  readonly header: readonly string[];
  readonly rows: readonly (readonly string[])[];
  /** Lines, counted from 1, on which rows end whose number of cells is not that of the header. */
  readonly uneven: readonly number[];
  readonly problem?: string;
}

type Row = readonly string[];

const SEPARATORS = [',', ';', '\t', '|'] as const;
const LINES_TO_SNIFF = 20;

/**
 * Reads separated values by RFC 4180, also with other separators. Reads every kind of line end as a line feed. `cut`
 * says that the end of the text is missing.
 */
export function readCsv(
  text: string,
  options: { readonly cut?: boolean; readonly separator?: string } = {},
): CsvTable {
  const body = text.replaceAll(/\r\n?/g, '\n');
  const separator = options.separator ?? sniffSeparator(body);
  const read = readRows(body, separator);
  // A quote that the cut left open takes the incomplete row with it.
  const whole = options.cut && !read.unclosed ? read.rows.slice(0, -1) : read.rows;
  const [header = [], ...rows] = whole;
  const isUneven = (row: Row): boolean => row.length !== header.length;
  // Line numbers double the time that parsing takes, so only a text with a fault is parsed for them.
  const lines =
    read.unclosed || rows.some(isUneven) ? linesOf(body, separator, read.rows.length) : ([] as number[]);
  return {
    separator,
    header,
    rows,
    uneven: rows.flatMap((row, i) => (isUneven(row) ? [lines[i + 1] as number] : [])),
    ...(read.unclosed && !options.cut
      ? { problem: `a quote in the row that begins on line ${(lines.at(-1) ?? 0) + 1} is never closed` }
      : {}),
  };
}

/** The separator that splits the first rows most evenly and into the most cells. */
function sniffSeparator(text: string): string {
  const scored = SEPARATORS.map((separator) => {
    const { rows } = readRows(text, separator, LINES_TO_SNIFF);
    const [first = 0, ...others] = rows.map((row) => row.length);
    const even = others.filter((cells) => cells === first).length;
    return { separator, score: first < 2 ? 0 : (1 + even) / (1 + others.length) + first / 1_000 };
  });
  const best = scored.reduce((a, b) => (b.score > a.score ? b : a));
  return best.separator;
}

function readRows(text: string, separator: string, max = -1): { rows: readonly Row[]; unclosed: boolean } {
  try {
    return { rows: parse(text, { ...optionsFor(separator), to: max }), unclosed: false };
  } catch (error) {
    if (!(error instanceof CsvError) || error.code !== 'CSV_QUOTE_NOT_CLOSED') throw error;
    const before = Number(error['records']);
    const rows = before === 0 ? [] : parse(text, { ...optionsFor(separator), to: before });
    return { rows, unclosed: true };
  }
}

/** The line on which each of the first rows ends. */
function linesOf(text: string, separator: string, max: number): readonly number[] {
  if (max === 0) return [];
  const rows: unknown = parse(text, { ...optionsFor(separator), to: max, info: true });
  return (rows as readonly { readonly info: Info }[]).map(({ info }) => info.lines);
}

function optionsFor(delimiter: string): Options {
  return {
    bom: true,
    delimiter,
    record_delimiter: '\n',
    relax_column_count: true,
    relax_quotes: true,
    skip_empty_lines: true,
  };
}
