/** The end of a text that fits into the rows. Assumes double-width characters. */
export function lastRows(text: string, room: { readonly rows: number; readonly columns: number }): string {
  const perRow = Math.max(1, Math.floor(room.columns / 2));
  const shown: string[] = [];
  let left = room.rows;
  for (const line of text.split('\n').reverse()) {
    const needed = Math.max(1, Math.ceil(line.length / perRow));
    if (needed > left) {
      if (left > 0 && shown.length === 0) shown.unshift(`…${line.slice(1 - left * perRow).toWellFormed()}`);
      break;
    }
    left -= needed;
    shown.unshift(line);
  }
  return shown.join('\n');
}
