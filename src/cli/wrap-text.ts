import truncatedWidth from 'fast-string-truncated-width';

/** Breaks a text into lines of at most `columns`, at spaces where it can. No character is dropped, spaces at breaks included. */
export function wrapText(text: string, columns: number): readonly string[] {
  return text.split('\n').flatMap((line) => wrapLine(line, Math.max(columns, 8)));
}

function wrapLine(line: string, columns: number): readonly string[] {
  const lines: string[] = [];
  let rest = line;
  for (;;) {
    const { index, truncated } = truncatedWidth(rest, { limit: columns });
    if (!truncated) return [...lines, rest];
    // A space right after the last column is invisible, so the line may end with it.
    const space = rest.lastIndexOf(' ', index);
    const cut = space > 0 ? space + 1 : Math.max(index, 1);
    // A character of two units stays whole.
    const end = (rest.codePointAt(cut - 1) ?? 0) > 0xffff ? cut + 1 : cut;
    lines.push(rest.slice(0, end));
    rest = rest.slice(end);
  }
}
