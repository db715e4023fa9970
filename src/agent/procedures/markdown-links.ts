import GithubSlugger from 'github-slugger';
import { Lexer, type Token, Tokenizer, type Tokens, walkTokens } from 'marked';
import { memoize } from '../../kernel/index.ts';

interface MarkdownLink {
  readonly target: string;
  readonly line: number;
}

/** The links of a document, and the anchors that links can point to. */
export interface LinkedDocument {
  readonly links: readonly MarkdownLink[];
  readonly anchors: ReadonlySet<string>;
}

const MAX_CACHED = 100;
/** Lines longer than this are not prose. */
const MAX_LINE_LENGTH = 10_000;
/** The lexer recurses into quotes and lists, so a line with more markers than this could exhaust its stack. */
const TOO_NESTED = /^(?:[ \t]*(?:>|[-*+]|\d+[.)])){100}/;
const FRONT_MATTER = /^---\n(?:[^\n]*\n)*?---(?=\n|$)/;
const COMMENT = /<!--[\s\S]*?(?:-->|$)/g;
const ATTRIBUTE = /<(?:a|img)\b[^<>]*?\s(?:href|src)\s*=\s*(?:"([^"]*)"|'([^']*)')/gi;
const ANCHOR = /<[a-z][^<>]*?\s(?:id|name)\s*=\s*(?:"([^"]*)"|'([^']*)')/gi;

/** An address without angle brackets is not a link here. */
class ExplicitLinks extends Tokenizer {
  override url(): undefined {
    return undefined;
  }
}

/**
 * Reads the links and anchors of a Markdown document. Skips code, comments and front matter. A planner asks for the same
 * documents at every step, so they are parsed once.
 */
export const readMarkdownLinks = memoize(MAX_CACHED, parseLinks);

function parseLinks(markdown: string): LinkedDocument {
  const links: MarkdownLink[] = [];
  const anchors = new Set<string>();
  const slugger = new GithubSlugger();
  let line = 1;
  for (const block of new Lexer({ tokenizer: new ExplicitLinks() }).lex(readableText(markdown))) {
    let at = -1;
    void walkTokens([block], (token) => {
      if (token.type === 'heading')
        anchors.add(slugger.slug(textOf((token as Tokens.Heading).tokens).trim()));
      if (token.type === 'html') for (const { value } of attributes(token.raw, ANCHOR)) anchors.add(value);
      const targets = targetsOf(token);
      if (targets.length > 0) at = Math.max(at, block.raw.indexOf(token.raw, at + 1));
      for (const { value, offset } of targets)
        links.push({ target: value, line: line + lineBreaks(block.raw.slice(0, Math.max(at, 0) + offset)) });
    });
    line += lineBreaks(block.raw);
  }
  return { links, anchors };
}

/** The targets of a token, with their offsets. A reference link counts at its definition. */
function targetsOf(token: Token): { value: string; offset: number }[] {
  if (token.type === 'html') return attributes(token.raw, ATTRIBUTE);
  const isLink = ['link', 'image'].includes(token.type) && !token.raw.endsWith(']');
  const { href } = token as Tokens.Link;
  return (isLink || token.type === 'def') && href !== '' ? [{ value: href, offset: 0 }] : [];
}

function attributes(html: string, pattern: RegExp): { value: string; offset: number }[] {
  const seen = html.replaceAll(COMMENT, (comment) => comment.replaceAll(/[^\n]/g, ' '));
  return [...seen.matchAll(pattern)].flatMap(({ 1: double, 2: single, index }) => {
    const value = double ?? single ?? '';
    return value === '' ? [] : [{ value, offset: index }];
  });
}

/** The document without parts that the lexer cannot read in bounded time, with all its line breaks. */
function readableText(markdown: string): string {
  return markdown
    .replace(/^\ufeff/, '')
    .replaceAll(/\r\n?/g, '\n')
    .replace(FRONT_MATTER, (matter) => '\n'.repeat(lineBreaks(matter)))
    .split('\n')
    .map((line) => (line.length > MAX_LINE_LENGTH || TOO_NESTED.test(line) ? '' : line))
    .join('\n');
}

function textOf(tokens: readonly Token[]): string {
  return tokens
    .map((token) => {
      if ('tokens' in token && token.tokens) return textOf(token.tokens);
      return token.type === 'html' || !('text' in token) ? '' : String(token.text);
    })
    .join('');
}

function lineBreaks(text: string): number {
  return text.split('\n').length - 1;
}
