import { PLAIN_VALUE } from './print-policy.ts';
import type { Cell } from './read-row.ts';

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
