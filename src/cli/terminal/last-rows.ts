import truncatedWidth from 'fast-string-truncated-width';

/** The end of a text that fits into the rows. Of a last line that is too long, its end without colours. */
export function lastRows(text: string, room: { readonly rows: number; readonly columns: number }): string {
  const columns = Math.max(1, room.columns);
  const shown: string[] = [];
  let left = room.rows;
  for (const line of text.split('\n').reverse()) {
    const needed = Math.max(1, Math.ceil(truncatedWidth(line).width / columns));
    if (needed > left) {
      if (left > 0 && shown.length === 0) shown.unshift(`…${lastColumns(line, left * columns - 1)}`);
      break;
    }
    left -= needed;
    shown.unshift(line);
  }
  return shown.join('\n');
}

function lastColumns(line: string, columns: number): string {
  let [width, start] = [0, 0];
  const characters = [...stripColors(line)];
  for (start = characters.length; start > 0; start--) {
    width += truncatedWidth(characters[start - 1] ?? '').width;
    if (width > columns) break;
  }
  return characters.slice(start).join('');
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: colours are made of them
const COLOR = /\u001b\[[0-9;]*m/g;

function stripColors(text: string): string {
  return text.replaceAll(COLOR, '');
}
