// Owns: Markdown as text for a terminal. Does not own: where it is printed, or when a terminal is wide enough.
import { wrapAnsi } from 'fast-wrap-ansi';
import { Lexer, type Token, type Tokens } from 'marked';
import { renderTable } from './markdown-table.ts';
import { type Colors, visible } from './printer.ts';

export interface MarkdownOptions {
  /** Columns of the terminal. */
  readonly width: number;
  readonly colors: Colors;
}

type Style = (text: string) => string;

/** Longer texts are printed as they are, because the lexer needs quadratic time for some inputs. */
const MAX_LENGTH = 200_000;
const MIN_WIDTH = 20;
const CODE_INDENT = '    ';

/** Renders Markdown from an untrusted source. Code is never wrapped. The result ends without a line break. */
export function renderMarkdown(text: string, { width, colors }: MarkdownOptions): string {
  if (text.length > MAX_LENGTH) return visible(text);
  let tokens: Token[];
  try {
    tokens = new Lexer({ gfm: true }).lex(text);
  } catch {
    // The lexer recurses, so deeply nested input can exhaust the stack.
    return visible(text);
  }
  return new Renderer(colors).blocks(tokens, Math.max(MIN_WIDTH, width)).join('\n');
}

/** Splits streamed text after its last complete block, so that each block is rendered once. */
export function completeBlocks(text: string): { readonly done: string; readonly rest: string } {
  const normalized = text.replaceAll('\r\n', '\n');
  if (normalized.length > MAX_LENGTH) return { done: normalized, rest: '' };
  const tokens = new Lexer({ gfm: true }).blockTokens(normalized);
  const last = tokens.findLastIndex(({ type }) => type !== 'space');
  const complete = isComplete(tokens[last], tokens[last + 1] !== undefined) ? tokens.length : last;
  const length = tokens.slice(0, Math.max(0, complete)).reduce((sum, { raw }) => sum + raw.length, 0);
  return { done: normalized.slice(0, length), rest: normalized.slice(length) };
}

const CLOSED_FENCE = /^ {0,3}(`{3,}|~{3,})[^\n]*\n(?:[\s\S]*\n)? {0,3}\1[`~]*[ \t]*\n/;

/** Whether later text cannot change the last block. A list may go on after an empty line. */
function isComplete(token: Token | undefined, hasSpaceAfter: boolean): boolean {
  if (token === undefined) return false;
  if (token.type === 'code') return CLOSED_FENCE.test(`${token.raw}${hasSpaceAfter ? '\n' : ''}`);
  if (token.type === 'heading' || token.type === 'hr') return token.raw.endsWith('\n');
  return hasSpaceAfter && (token.type === 'paragraph' || token.type === 'table');
}

class Renderer {
  readonly #colors: Colors;

  constructor(colors: Colors) {
    this.#colors = colors;
  }

  /** The lines of these blocks, with an empty line between two blocks unless `tight`. */
  blocks(tokens: readonly Token[], width: number, tight = false): string[] {
    const lines: string[] = [];
    for (const token of tokens) {
      const block = this.#block(token, width);
      if (block.length === 0) continue;
      if (lines.length > 0 && !tight) lines.push('');
      lines.push(...block);
    }
    return lines;
  }

  #block(token: Token, width: number): string[] {
    const { bold, dim, underline } = this.#colors;
    switch (token.type) {
      case 'space':
      case 'def':
        return [];
      case 'heading': {
        const { depth, tokens } = token as Tokens.Heading;
        const mark = this.#colors.isColorSupported ? '' : `${'#'.repeat(depth)} `;
        const style: Style = depth === 1 ? (text) => bold(underline(text)) : bold;
        return wrap(mark + this.#inline(tokens, [style]), width);
      }
      case 'code':
        return visible((token as Tokens.Code).text)
          .split('\n')
          .map((line) => (line === '' ? '' : CODE_INDENT + line));
      case 'blockquote':
        return this.blocks((token as Tokens.Blockquote).tokens, width - 2).map((line) =>
          `${dim('│')} ${line}`.trimEnd(),
        );
      case 'list':
        return this.#list(token as Tokens.List, width);
      case 'table':
        return this.#table(token as Tokens.Table, width);
      case 'hr':
        return [dim('─'.repeat(Math.min(width, 40)))];
      case 'html':
        return visible(token.raw.trimEnd()).split('\n');
      default:
        return wrap(this.#inline([token], []), width);
    }
  }

  #list({ ordered, start, items, loose }: Tokens.List, width: number): string[] {
    const first = ordered ? Number(start) : 0;
    const digits = String(first + items.length - 1).length;
    const lines: string[] = [];
    for (const [i, { task, checked, tokens }] of items.entries()) {
      const box = task ? `${checked ? '[x]' : '[ ]'} ` : '';
      const mark = ordered ? `${String(first + i).padStart(digits)}. ` : '• ';
      const indent = ' '.repeat(mark.length);
      const content = this.blocks(
        tokens.filter(({ type }) => type !== 'checkbox'),
        Math.max(MIN_WIDTH / 2, width - mark.length - box.length),
        !loose,
      );
      if (loose && lines.length > 0) lines.push('');
      lines.push(`${mark}${box}${content[0] ?? ''}`);
      lines.push(
        ...content.slice(1).map((line) => (line === '' ? '' : indent + ' '.repeat(box.length) + line)),
      );
    }
    return lines;
  }

  #table({ header, rows, align }: Tokens.Table, width: number): string[] {
    return renderTable({
      head: header.map(({ tokens }) => this.#inline(tokens, [this.#colors.bold])),
      rows: rows.map((row) => row.map(({ tokens }) => this.#inline(tokens, []))),
      align,
      width,
      dim: this.#colors.dim,
    });
  }

  #inline(tokens: readonly Token[], styles: readonly Style[]): string {
    return tokens.map((token) => this.#span(token, styles)).join('');
  }

  #span(token: Token, styles: readonly Style[]): string {
    const { bold, italic, strikethrough, cyan, dim, isColorSupported } = this.#colors;
    const inner = (style: Style): string => this.#inline(childrenOf(token), [...styles, style]);
    switch (token.type) {
      case 'strong':
        return inner(bold);
      case 'em':
        return inner(italic);
      case 'del':
        return inner(strikethrough);
      case 'codespan': {
        const { text } = token as Tokens.Codespan;
        return isColorSupported ? paint(text, [...styles, cyan]) : paint(`\`${text}\``, []);
      }
      case 'br':
        return '\n';
      case 'link':
      case 'image': {
        const { href, text } = token as Tokens.Link;
        const label = childrenOf(token).length > 0 ? inner((shown) => shown) : paint(text, styles);
        const isSame = text === href || `mailto:${text}` === href;
        return isSame || label === ''
          ? paint(href, [...styles, cyan])
          : `${label} ${paint(`(${href})`, [dim])}`;
      }
      case 'html':
        return /^<br\s*\/?>$/i.test(token.raw) ? '\n' : paint(token.raw, styles);
      default: {
        const children = childrenOf(token);
        if (children.length > 0) return this.#inline(children, styles);
        const text = 'text' in token ? String(token.text) : token.raw;
        return paint(decodeEntities(text), styles);
      }
    }
  }
}

function childrenOf(token: Token): readonly Token[] {
  return ('tokens' in token && token.tokens) || [];
}

/**
 * Styles each word on its own, so that a line break never cuts a style. Line breaks stay, because models use them in
 * places where Markdown needs more, such as addresses.
 */
function paint(text: string, styles: readonly Style[]): string {
  return visible(text)
    .split(/(\s+)/)
    .map((word) => {
      if (/\S/.test(word)) return styles.reduce((done, style) => style(done), word);
      return word.includes('\n') ? '\n' : word.replace(/\s+/, ' ');
    })
    .join('');
}

function wrap(text: string, width: number): string[] {
  return wrapAnsi(text, width, { hard: true }).split('\n');
}

const ENTITIES: Readonly<Record<string, string>> = {
  '&lt;': '<',
  '&gt;': '>',
  '&quot;': '"',
  '&#39;': "'",
  '&nbsp;': ' ',
  '&amp;': '&',
};

function decodeEntities(text: string): string {
  return text.replaceAll(/&(?:lt|gt|quot|#39|nbsp|amp);/g, (entity) => ENTITIES[entity] ?? entity);
}
