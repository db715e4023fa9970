import type { Cell } from './find-tables.ts';
import { PLAIN_VALUE } from './print-policy.ts';

/** A word of a match, or a quoted text, which is never a keyword. */
export interface MatchToken {
  readonly text: string;
  readonly quoted: boolean;
  readonly column: number;
}

/** A match that cannot be parsed: the column, and what was expected. */
export class UnreadableMatch extends Error {
  readonly column: number;

  constructor(column: number, message: string) {
    super(message);
    this.column = column;
  }
}

const MAX_MATCH_LENGTH = 1_000;
const NOT_IN_QUOTES = /["\\`]/;

/** Splits a cell into words. Backticks are ignored. */
export function tokeniseMatch(cell: Cell): readonly MatchToken[] {
  const { text, columns } = cell;
  if (text.length > MAX_MATCH_LENGTH)
    throw new UnreadableMatch(
      cell.column,
      `a match of more than ${MAX_MATCH_LENGTH} characters; expected a shorter one`,
    );
  const columnAt = (place: number): number => columns[place] ?? (columns.at(-1) ?? cell.column) + 1;
  if (text.split('`').length % 2 === 0)
    throw new UnreadableMatch(
      columnAt(text.lastIndexOf('`')),
      'a backtick without a second one; expected them in pairs',
    );
  const tokens: MatchToken[] = [];
  let place = 0;
  while (place < text.length) {
    if (text[place] === ' ' || text[place] === '`') {
      place += 1;
      continue;
    }
    const column = columnAt(place);
    const quoted = text[place] === '"';
    const end = quoted ? endOfQuotes(text, place, column) : endOfWord(text, place);
    const word = quoted ? text.slice(place + 1, end - 1) : text.slice(place, end);
    if (quoted) checkQuoted(word, columnAt(place + 1));
    else checkWord(word, columnAt(place));
    if (quoted && !' `'.includes(text[end] ?? ' '))
      throw new UnreadableMatch(columnAt(end), 'text directly after a closing quote; expected a space');
    tokens.push({ text: word, quoted, column });
    place = end;
  }
  return tokens;
}

function endOfWord(text: string, start: number): number {
  let end = start;
  while (end < text.length && text[end] !== ' ' && text[end] !== '`' && text[end] !== '"') end += 1;
  return end;
}

function endOfQuotes(text: string, start: number, column: number): number {
  const end = text.indexOf('"', start + 1);
  if (end < 0) throw new UnreadableMatch(column, 'a quote that is not closed; expected a second "');
  return end + 1;
}

function checkQuoted(text: string, column: number): void {
  if (text === '') throw new UnreadableMatch(column, 'empty quotes; expected a text in them');
  if (text.trim() !== text)
    throw new UnreadableMatch(column, 'a space at the edge of a text in quotes; expected none');
  if (NOT_IN_QUOTES.test(text))
    throw new UnreadableMatch(column, 'a backslash or a backtick in a text; expected plain characters');
}

function checkWord(word: string, column: number): void {
  if (PLAIN_VALUE.test(word)) return;
  const refused = [...word].find((character) => !PLAIN_VALUE.test(character)) as string;
  const expected =
    refused === ','
      ? 'one tool or value; write a row for each'
      : refused === '\\'
        ? 'no backslash; paths are written with /'
        : 'letters, digits and . * ? / : - _, or a text in double quotes';
  throw new UnreadableMatch(
    column + word.indexOf(refused),
    `"${refused}" is not allowed here; expected ${expected}`,
  );
}

const FAMILY = /^[a-z0-9_*-]+(\.[a-z0-9_*-]+)*$/;
const HOST = /^[a-z0-9_-]+(\.[a-z0-9_-]+)*$|^\[[0-9a-f:.]+\]$/;
const REFUSED_NAMES: ReadonlySet<string> = new Set(['__proto__', 'constructor', 'prototype']);

/** Checks the name of a tool or a family of tools. */
export function checkFamily({ text, quoted, column }: MatchToken): void {
  const expected = 'expected a tool or a family of tools, as in files.write, files.* or *';
  if (quoted || !FAMILY.test(text))
    throw new UnreadableMatch(column, `"${text}" is no name of tools; ${expected}`);
  if (text.includes('**'))
    throw new UnreadableMatch(
      column + text.indexOf('**'),
      `"**" in the name of a family; expected a single *, which also matches dots`,
    );
}

/** Checks a path of the workspace or a path pattern. */
export function checkPathPattern({ text, column }: MatchToken, operator: 'is' | 'in'): void {
  const refuse = (what: string): never => {
    throw new UnreadableMatch(column, `"${text}" ${what}`);
  };
  if (text.startsWith('/') || text.startsWith('~') || /^[A-Za-z]:/.test(text))
    refuse('does not begin in the workspace; expected a path relative to it');
  const segments = text.split('/');
  if (segments.some((segment) => segment === '' || segment === '.' || segment === '..'))
    refuse('has an empty, . or .. part; expected names joined by single slashes');
  const wild = /[*?]/.test(text);
  if (operator === 'is' && wild) refuse('is a pattern; expected a path after is, or in instead of is');
  if (operator === 'is') return;
  if (!wild) refuse(`has no wildcard; expected ${text}/** for all in a folder, or is instead of in`);
  if (segments.some((segment) => segment !== '**' && segment.includes('**')))
    refuse('has ** next to other characters; expected ** alone between slashes');
  if (/[[\]{}!]/.test(text)) refuse('has brackets, braces or !; expected only the wildcards *, ** and ?');
}

/** Checks a host or a pattern of subdomains. */
export function checkHost({ text, quoted, column }: MatchToken, operator: 'is' | 'in'): void {
  const refuse = (what: string): never => {
    throw new UnreadableMatch(column, `"${text}" ${what}`);
  };
  const below = text.startsWith('*.');
  if (operator === 'is' && below) refuse('is a pattern; expected a host after is, or in instead of is');
  if (operator === 'in' && !below)
    refuse('is no pattern for hosts; expected *.example.com, or is instead of in');
  const host = (below ? text.slice(2) : text).toLowerCase();
  if (quoted || !HOST.test(host))
    refuse(
      'is no host; expected its letters alone, no scheme, port or path (other scripts in their xn-- form)',
    );
}

/** Parses a field of the input: `input.a.b[0]`, or the short forms `method`, `network` and `argv[0]`. */
export function readField({ text, column }: MatchToken): readonly (string | number)[] | undefined {
  if (text === 'method' || text === 'network') return [text];
  if (!text.startsWith('input.') && !text.startsWith('argv[')) return undefined;
  const path = text.startsWith('argv[') ? text : text.slice('input.'.length);
  if (!/^[A-Za-z_][\w-]*(\.[A-Za-z_][\w-]*|\[(0|[1-9]\d{0,5})\])*$/.test(path))
    throw new UnreadableMatch(
      column,
      `"${text}" is no field of the input; expected names joined by dots, and [0] for places in a list`,
    );
  const parts = path.split(/[.[\]]+/).filter((part) => part !== '');
  const refused = parts.find((part) => REFUSED_NAMES.has(part));
  if (refused !== undefined)
    throw new UnreadableMatch(column, `"${refused}" is a name that every object inherits; expected a field`);
  return parts.map((part) => (/^\d+$/.test(part) ? Number(part) : part));
}
