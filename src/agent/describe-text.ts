/** One line of text from elsewhere as it may stand in a document: no control, bidi or zero-width characters, not too long. */
export function plainLine(text: string, longest: number): string {
  const clean = text.replace(/\s+/g, ' ').replace(/\p{C}/gu, '').trim();
  return clean.length > longest ? `${clean.slice(0, longest).toWellFormed().trimEnd()}…` : clean;
}

/** The first heading of a document. */
export function headingOf(markdown: string): string | undefined {
  const heading =
    /^#{1,6}[ \t]+(.+?)[ \t#]*$/m.exec(withoutFences(markdown))?.[1] ??
    /^(.+)\n(?:={3,}|-{3,})[ \t]*$/m.exec(markdown)?.[1];
  return heading === undefined ? undefined : plainLine(heading, 120);
}

/** The first paragraph of a document that is prose: no heading, badge, list, table, quote or code. */
export function firstParagraph(markdown: string): string | undefined {
  const body = withoutFences(markdown.replace(/^---\n[\s\S]*?\n---\n/, '').replace(/<!--[\s\S]*?-->/g, ''));
  const prose = body
    .split(/\n\s*\n/)
    .map((block) => block.trim())
    .find((block) => /^[\p{L}\p{N}*_"“(`[]/u.test(block) && !NOT_PROSE.test(block));
  return prose === undefined ? undefined : plainLine(prose.replace(/!\[[^\]]*\]\([^)]*\)/g, ''), 600);
}

const NOT_PROSE = /^(?:\[!\[|[*_-][ \t]|[-*_]{3,}|\d+[.)][ \t]|\||>|#|\[[^\]]+\]:)|\n(?:={3,}|-{3,})\s*$/;

/** What a source file says of itself: the first line of its leading comment, else its first line. */
export function headline(source: string): string | undefined {
  const lines = source
    .split(/\r?\n/)
    .map((line) => line.trim())
    .filter((line) => line !== '' && !line.startsWith('#!'));
  const [first] = lines;
  if (first === undefined) return undefined;
  const comment = lines.find((line) => !/^(?:\/\*+|"""|'''|<!--)$/.test(line)) ?? first;
  const words = comment
    .replace(/^(?:\/\/+|\/\*+|\*+|#+|--|;+|"""|'''|<!--)\s*/, '')
    .replace(/\s*(?:\*\/|"""|'''|-->)$/, '');
  return plainLine(words === '' ? first : words, 120);
}

function withoutFences(markdown: string): string {
  return markdown.replace(/\r\n/g, '\n').replace(/^(```|~~~)[\s\S]*?^\1.*$/gm, '');
}
