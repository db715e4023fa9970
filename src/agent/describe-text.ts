/** One line of text from elsewhere as it may stand in a document: no control, bidi or zero-width characters, not too long. */
export function plainLine(text: string, longest: number): string {
  const clean = text.replace(/\s+/g, ' ').replace(/\p{C}/gu, '').trim();
  return clean.length > longest ? `${clean.slice(0, longest).toWellFormed().trimEnd()}…` : clean;
}

const LONGEST_LINE = 120;
const LONGEST_PARAGRAPH = 600;
/** How far into a document to look; keeps patterns quick on text that was made to slow them down. */
const LONGEST_LOOK = 8_000;
const MOST_NAMES = 8;

/** The title of a document: its first heading of the highest level. */
export function titleOf(markdown: string): string | undefined {
  const body = prose(markdown);
  const title =
    /^#[ \t]+(.+?)[ \t#]*$/m.exec(body)?.[1] ??
    /^(\S.*)\n={3,}[ \t]*$/m.exec(body)?.[1] ??
    /<h1[^>]*>([^<]+)<\/h1>/i.exec(body)?.[1];
  return title === undefined ? undefined : plainLine(withoutLinks(title), LONGEST_LINE);
}

/** The first paragraph of a document that is prose: no heading, badge, list, table, quote, code or markup. */
export function firstParagraph(markdown: string): string | undefined {
  const blocks = prose(markdown)
    .split(/\n\s*\n/)
    .map((block) => withoutLinks(block).trim());
  const paragraph = blocks.find((block) => /^[\p{L}\p{N}*_"“(`]/u.test(block) && !NOT_PROSE.test(block));
  return paragraph === undefined ? undefined : plainLine(paragraph, LONGEST_PARAGRAPH);
}

const NOT_PROSE = /^(?:[*-][ \t]|[-*_]{3,}|\d+[.)][ \t])|\n(?:={3,}|-{3,})\s*$/;

/** What a source file says of itself: its first comment, else the names it gives out, else its first line. */
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
  return plainLine(says, LONGEST_LINE);
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
    ...listed
      .map(
        (name) =>
          name
            .replace(/^\s*type\s/, '')
            .trim()
            .split(/\s+as\s+/)
            .at(-1) as string,
      )
      .filter((name) => name !== ''),
  ];
  if (names.length === 0) return undefined;
  return `exports ${names.slice(0, MOST_NAMES).join(', ')}${names.length > MOST_NAMES ? ` and ${names.length - MOST_NAMES} more` : ''}`;
}

/** A document without front matter, comments, code blocks and badges. */
function prose(markdown: string): string {
  return markdown
    .slice(0, LONGEST_LOOK)
    .replace(/\r\n/g, '\n')
    .replace(/^---\n[\s\S]*?\n---\n/, '')
    .replace(/<!--[\s\S]*?-->/g, '')
    .replace(/^(```|~~~)[\s\S]*?^\1.*$/gm, '')
    .replace(/\[?!\[[^\]]*\]\([^)]*\)(?:\]\([^)]*\))?/g, '');
}

/** Links as their texts. */
function withoutLinks(markdown: string): string {
  return markdown.replace(/\[([^\]]*)\](?:\([^)]*\)|\[[^\]]*\])/g, '$1');
}
