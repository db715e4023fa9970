import { readMarkdownLinks } from '../markdown-links.ts';
import { linesOf } from './text-files.ts';

export type TextKind = 'links' | 'emails' | 'dates' | 'numbers' | 'headings';

/** Something found in a text, with its line. */
export interface TextItem {
  readonly value: string;
  readonly line: number;
  /** The level of a heading. */
  readonly level?: number;
}

const URL_IN_TEXT = /\bhttps?:\/\/[^\s<>"'`\])}]+/gi;
const EMAIL =
  /(?<![\p{L}\p{N}._%+-])[\p{L}\p{N}._%+-]+@[\p{L}\p{N}](?:[\p{L}\p{N}-]*[\p{L}\p{N}])?(?:\.[\p{L}\p{N}-]+)*\.\p{L}{2,}(?![\p{L}\p{N}-])/giu;
const MONTH =
  '(?:jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|aug(?:ust)?|sep(?:t(?:ember)?)?|oct(?:ober)?|nov(?:ember)?|dec(?:ember)?)';
const DATE = new RegExp(
  `(?<![\\d/.-])(?:\\d{4}-\\d{2}-\\d{2}(?!\\d)|\\d{4}/\\d{1,2}/\\d{1,2}|\\d{1,2}[./]\\d{1,2}[./]\\d{4}|\\d{1,2}(?:st|nd|rd|th)?\\.? ${MONTH}\\.?,? \\d{4}|${MONTH}\\.? \\d{1,2}(?:st|nd|rd|th)?,? \\d{4})(?![\\d/])`,
  'gi',
);
const NUMBER = /(?<![\p{L}\p{N}_.,:/-])[+-]?\d+(?:[.,']\d+)*%?(?![\p{L}\p{N}_]|[:/-]\d)/gu;

/** Everything of a kind in a text, in its order. */
export function findInText(kind: TextKind, path: string, text: string): TextItem[] {
  if (kind === 'headings') return headingsOf(text);
  if (kind === 'links') return linksOf(path, text);
  const pattern = kind === 'emails' ? EMAIL : kind === 'dates' ? DATE : NUMBER;
  return linesOf(text).flatMap((line, i) =>
    [...line.matchAll(pattern)].map(([value]) => ({ value, line: i + 1 })),
  );
}

/** Addresses in the text, and in Markdown the targets of links too. */
function linksOf(path: string, text: string): TextItem[] {
  const plain = linesOf(text).flatMap((line, i) =>
    [...line.matchAll(URL_IN_TEXT)].map(([value]) => ({
      value: value.replace(/[.,;:!?]+$/, ''),
      line: i + 1,
    })),
  );
  if (!/\.(?:md|markdown)$/i.test(path)) return plain;
  const linked = readMarkdownLinks(text).links.map(({ target, line }) => ({ value: target, line }));
  const known = new Set(linked.map(({ value, line }) => `${line} ${value}`));
  const others = plain.filter(({ value, line }) => !known.has(`${line} ${value}`));
  return [...linked, ...others].sort((a, b) => a.line - b.line);
}

/** The headings of a Markdown text, outside code blocks and front matter. */
export function headingsOf(text: string): Required<TextItem>[] {
  const lines = linesOf(text);
  const found: Required<TextItem>[] = [];
  let fence: string | undefined;
  const start = lines[0] === '---' ? lines.indexOf('---', 1) + 1 : 0;
  for (const [i, line] of lines.entries()) {
    if (i < start) continue;
    const mark = /^ {0,3}(```+|~~~+)/.exec(line)?.[1];
    if (mark !== undefined && (fence === undefined || mark.startsWith(fence)))
      fence = fence === undefined ? mark : undefined;
    if (fence !== undefined || mark !== undefined) continue;
    const heading = /^ {0,3}(#{1,6})[ \t]+(.+?)(?:[ \t]+#+)?[ \t]*$/.exec(line);
    const under = /^ {0,3}(=+|-+)[ \t]*$/.exec(lines[i + 1] ?? '')?.[1];
    if (heading) found.push({ value: heading[2] ?? '', line: i + 1, level: heading[1]?.length ?? 1 });
    else if (under !== undefined && /^\S/.test(line) && !/^(?:[-*+>|]|\d+[.)])/.test(line))
      found.push({ value: line.trim(), line: i + 1, level: under.startsWith('=') ? 1 : 2 });
  }
  return found;
}
