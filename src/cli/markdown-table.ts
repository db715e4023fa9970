import truncatedWidth from 'fast-string-truncated-width';
import { wrapAnsi } from 'fast-wrap-ansi';

export interface MarkdownTable {
  /** Cells with escape codes for colours. */
  readonly head: readonly string[];
  readonly rows: readonly (readonly string[])[];
  readonly align: readonly ('center' | 'left' | 'right' | null)[];
  readonly width: number;
  readonly dim: (text: string) => string;
}

const SEPARATOR = ' │ ';
/** Columns become no narrower than this; a table that still does not fit becomes a list. */
const MIN_COLUMN = 6;

/** The lines of a table that fits into the width: long cells wrap. */
export function renderTable(table: MarkdownTable): string[] {
  const { head, rows, align, dim } = table;
  const widths = fittedWidths(table);
  if (widths === undefined) return renderRecords(table);
  const line = (cells: readonly string[]): string[] => {
    const wrapped = widths.map((width, i) => wrapAnsi(cells[i] ?? '', width, { hard: true }).split('\n'));
    const height = Math.max(...wrapped.map(({ length }) => length));
    return Array.from({ length: height }, (_, row) =>
      widths
        .map((width, i) => padded(wrapped[i]?.[row] ?? '', width, align[i] ?? 'left'))
        .join(dim(SEPARATOR))
        .trimEnd(),
    );
  };
  return [...line(head), dim(widths.map((width) => '─'.repeat(width)).join('─┼─')), ...rows.flatMap(line)];
}

/** Shrinks the widest columns until the table fits. Undefined if it cannot fit. */
function fittedWidths({ head, rows, width }: MarkdownTable): readonly number[] | undefined {
  const widths = head.map((title, i) => {
    const cells = [title, ...rows.map((row) => row[i] ?? '')].map(widestLine);
    return Math.min(width, Math.max(1, ...cells));
  });
  const room = width - SEPARATOR.length * (widths.length - 1);
  while (widths.reduce((sum, one) => sum + one, 0) > room) {
    const widest = Math.max(...widths);
    if (widest <= MIN_COLUMN) return undefined;
    widths[widths.indexOf(widest)] = widest - 1;
  }
  return widths;
}

function renderRecords({ head, rows, width }: MarkdownTable): string[] {
  return rows.flatMap((row, i) => [
    ...(i > 0 ? [''] : []),
    ...row.flatMap((cell, column) =>
      wrapAnsi(`${head[column] ?? ''}: ${cell}`, width, { hard: true }).split('\n'),
    ),
  ]);
}

function padded(text: string, width: number, align: 'center' | 'left' | 'right'): string {
  const room = Math.max(0, width - columnsOf(text));
  const left = align === 'right' ? room : align === 'center' ? Math.floor(room / 2) : 0;
  return ' '.repeat(left) + text + ' '.repeat(room - left);
}

function widestLine(text: string): number {
  return Math.max(...text.split('\n').map(columnsOf));
}

function columnsOf(text: string): number {
  return truncatedWidth(text).width;
}
