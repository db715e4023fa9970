/** One line of untrusted text for a document: no control, bidi or zero-width characters, not too long. */
export function plainLine(text: string, maxLength: number): string {
  const clean = text.replace(/\s+/g, ' ').replace(/\p{C}/gu, '').trim();
  return clean.length > maxLength ? `${clean.slice(0, maxLength).toWellFormed().trimEnd()}…` : clean;
}

const MAX_LINE_LENGTH = 120;
const MAX_PARAGRAPH_LENGTH = 600;
/** The scanned part of a document; keeps patterns fast on hostile text. */
const MAX_SCANNED = 8_000;
const MAX_NAMES = 8;

/** The title of a document: its first heading of the highest level. */
export function titleOf(markdown: string): string | undefined {
  const body = prose(markdown);
  const title =
    /^#[ \t]+(.+?)[ \t#]*$/m.exec(body)?.[1] ??
    /^(\S.*)\n={3,}[ \t]*$/m.exec(body)?.[1] ??
    /<h1[^>]*>([^<]+)<\/h1>/i.exec(body)?.[1];
  return title === undefined ? undefined : plainLine(withoutLinks(title), MAX_LINE_LENGTH);
}

/** The first paragraph of a document that is prose: no heading, badge, list, table, quote, code or markup. */
export function firstParagraph(markdown: string): string | undefined {
  const blocks = prose(markdown)
    .split(/\n\s*\n/)
    .map((block) => withoutLinks(block).trim());
  const paragraph = blocks.find((block) => /^[\p{L}\p{N}*_"“(`]/u.test(block) && !NOT_PROSE.test(block));
  return paragraph === undefined ? undefined : plainLine(paragraph, MAX_PARAGRAPH_LENGTH);
}

const NOT_PROSE = /^(?:[*-][ \t]|[-*_]{3,}|\d+[.)][ \t])|\n(?:={3,}|-{3,})\s*$/;

/** The description of a source file: its first comment, else its exported names, else its first line. */
export function headline(source: string): string | undefined {
  const lines = source
    .split(/\r?\n/)
    .map((line) => line.trim())
    .filter((line) => line !== '' && !/^(?:#!|["']use strict["'])/.test(line));
  const [first] = lines;
  if (first === undefined) return undefined;
  const says =
    (isComment(first) ? commentText(lines) : undefined) ??
    docComment(source) ??
    exportedNames(source) ??
    first;
  return plainLine(says, MAX_LINE_LENGTH);
}

const COMMENT_START = /^(?:\/\/+!?|\/\*+|\*+\/?|#+|--|;+|"""|'''|<!--)\s*/;

function isComment(line: string): boolean {
  return COMMENT_START.test(line) && !line.startsWith('#include');
}

function commentText(lines: readonly string[]): string | undefined {
  const words = lines.map((line) => line.replace(COMMENT_START, '').replace(/\s*(?:\*\/|"""|'''|-->)$/, ''));
  return words.find((text) => /\p{L}{2}/u.test(text));
}

function docComment(source: string): string | undefined {
  const comment = /\/\*\*([\s\S]*?)\*\//.exec(source)?.[1];
  return comment === undefined ? undefined : commentText(comment.split('\n').map((line) => line.trim()));
}

function exportedNames(source: string): string | undefined {
  const declared =
    /^export (?:default )?(?:abstract |async )?(?:const|class|function\*?|interface|type|enum) (\w+)/gm;
  const listed = [...source.matchAll(/^export \{([^}]*)\}/gm)].flatMap((match) =>
    (match[1] as string).split(','),
  );
  const names = [
    ...[...source.matchAll(declared)].map((match) => match[1] as string),
    ...listed.map((name) => name.trim().replace(/^(?:type\s+)?(?:.*\sas\s+)?/, '')).filter(Boolean),
  ];
  if (names.length === 0) return undefined;
  return `exports ${names.slice(0, MAX_NAMES).join(', ')}${names.length > MAX_NAMES ? ` and ${names.length - MAX_NAMES} more` : ''}`;
}

/** A document without front matter, comments, code blocks and badges, with empty lines around headings. */
function prose(markdown: string): string {
  return markdown
    .slice(0, MAX_SCANNED)
    .replace(/\r\n/g, '\n')
    .replace(/^---\n[\s\S]*?\n---\n/, '')
    .replace(/<!--[\s\S]*?-->/g, '')
    .replace(/^(```|~~~)[\s\S]*?^\1.*$/gm, '')
    .replace(/\[?!\[[^\]]*\]\([^)]*\)(?:\]\([^)]*\))?/g, '')
    .replace(/^(#{1,6}[ \t].*|\S.*\n(?:={3,}|-{3,})[ \t]*)$/gm, '\n$1\n');
}

/** Links as their texts. */
function withoutLinks(markdown: string): string {
  return markdown.replace(/\[([^\]]*)\](?:\([^)]*\)|\[[^\]]*\])/g, '$1');
}
