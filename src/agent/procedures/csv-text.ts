/** A table as it stands in a text: its rows, with the first as the names of the columns. */
export interface CsvTable {
  readonly separator: string;
  readonly header: readonly string[];
  readonly rows: readonly (readonly string[])[];
  /** Lines, counted from 1, whose number of cells is not that of the header. */
  readonly uneven: readonly number[];
  /** What is wrong with the text, if something is. */
  readonly problem?: string;
}

const SEPARATORS = [',', ';', '\t', '|'] as const;
const LINES_TO_SNIFF = 20;

/** Reads separated values by RFC 4180, also with other separators. `cut` says that the end of the text is missing. */
export function readCsv(
  text: string,
  options: { readonly cut?: boolean; readonly separator?: string } = {},
): CsvTable {
  const body = text.replace(/^\ufeff/, '');
  const separator = options.separator ?? sniffSeparator(body);
  const { records, problem } = readRecords(body, separator);
  const whole = options.cut ? records.slice(0, -1) : records;
  const [header = { cells: [], line: 1 }, ...rows] = whole.filter(
    ({ cells }) => cells.length > 1 || cells[0] !== '',
  );
  return {
    separator,
    header: header.cells,
    rows: rows.map(({ cells }) => cells),
    uneven: rows.filter(({ cells }) => cells.length !== header.cells.length).map(({ line }) => line),
    ...(problem === undefined || options.cut ? {} : { problem }),
  };
}

/** The separator that cuts the first records into the same number of cells, and into most. */
function sniffSeparator(text: string): string {
  const scored = SEPARATORS.map((separator) => {
    const { records } = readRecords(text, separator, LINES_TO_SNIFF);
    const [first = 0, ...others] = records.map(({ cells }) => cells.length);
    const even = others.filter((cells) => cells === first).length;
    return { separator, score: first < 2 ? 0 : (1 + even) / (1 + others.length) + first / 1_000 };
  });
  const best = scored.reduce((a, b) => (b.score > a.score ? b : a));
  return best.separator;
}

interface CsvRecord {
  readonly cells: string[];
  /** Where it begins. */
  readonly line: number;
}

/** One pass over the text. A quote begins a quoted cell only at the cell's beginning; a doubled one stands for itself. */
function readRecords(
  text: string,
  separator: string,
  most = Number.POSITIVE_INFINITY,
): { records: CsvRecord[]; problem?: string } {
  const records: CsvRecord[] = [];
  let record: CsvRecord = { cells: [], line: 1 };
  let line = 1;
  let at = 0;
  while (at < text.length && records.length < most) {
    const quoted = text[at] === '"';
    const cell = quoted ? quotedCell(text, at) : plainCell(text, at, separator);
    if (cell === undefined)
      return { records: [...records, record], problem: `a quote on line ${line} is never closed` };
    record.cells.push(cell.value);
    line += cell.lines;
    at = cell.end;
    const sign = text[at];
    if (sign === separator) {
      at += 1;
      if (at === text.length) record.cells.push('');
      else continue;
    } else if (sign === '\r' || sign === '\n') at += text.startsWith('\r\n', at) ? 2 : 1;
    else if (sign !== undefined) {
      // Text after a closing quote belongs to the cell, as most readers take it.
      const rest = plainCell(text, at, separator);
      record.cells[record.cells.length - 1] += rest.value;
      at = rest.end;
      if (text[at] === separator) {
        at += 1;
        if (at < text.length) continue;
        record.cells.push('');
      } else at += text.startsWith('\r\n', at) ? 2 : 1;
    }
    line += 1;
    records.push(record);
    record = { cells: [], line };
  }
  if (record.cells.length > 0) records.push(record);
  return { records };
}

function quotedCell(text: string, start: number): { value: string; end: number; lines: number } | undefined {
  let value = '';
  let from = start + 1;
  for (;;) {
    const quote = text.indexOf('"', from);
    if (quote < 0) return undefined;
    value += text.slice(from, quote);
    if (text[quote + 1] !== '"') return { value, end: quote + 1, lines: value.split('\n').length - 1 };
    value += '"';
    from = quote + 2;
  }
}

function plainCell(
  text: string,
  start: number,
  separator: string,
): { value: string; end: number; lines: number } {
  let end = start;
  while (end < text.length && text[end] !== separator && text[end] !== '\n' && text[end] !== '\r') end += 1;
  return { value: text.slice(start, end), end, lines: 0 };
}
