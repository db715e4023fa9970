/** The text of a cell, with the column of each character. */
export interface Cell {
  readonly text: string;
  readonly columns: readonly number[];
  /** Where the cell begins, even if it is empty. */
  readonly column: number;
}

/** Splits a table row into cells as GitHub's Markdown does: `\|` is a bar inside a cell. */
export function readRow(line: string): readonly Cell[] {
  const bars = findBars(line);
  const cells = [-1, ...bars].map((bar, i) => readCell(line, bar + 1, bars[i] ?? line.length));
  if (cells[0]?.text === '') cells.shift();
  if (cells.length > 0 && cells.at(-1)?.text === '') cells.pop();
  return cells;
}

function findBars(line: string): number[] {
  const bars: number[] = [];
  let escaped = false;
  for (let i = 0; i < line.length; i++) {
    if (line[i] === '|' && !escaped) bars.push(i);
    escaped = line[i] === '\\' && !escaped;
  }
  return bars;
}

function readCell(line: string, start: number, end: number): Cell {
  const whole = line.slice(start, end);
  const first = start + (whole.length - whole.trimStart().length);
  const last = start + whole.trimEnd().length;
  let text = '';
  const columns: number[] = [];
  for (let i = first; i < last; i++) {
    if (line[i] === '\\' && line[i + 1] === '|') continue;
    text += line[i];
    columns.push(i + 1);
  }
  return { text, columns, column: (text === '' ? start : first) + 1 };
}
