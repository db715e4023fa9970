/** The size of a piece, and how much of it the next piece repeats. */
const TOKENS = { piece: 400, overlap: 80 } as const;
const MAX_WORD_LENGTH = 200;

export interface TextPiece {
  readonly start: number;
  readonly text: string;
}

/**
 * Splits a text between words into pieces of about 400 tokens that overlap by about 80. The pieces are stored: the
 * result for a text must never change.
 */
export function splitText(text: string): readonly TextPiece[] {
  if (countTokens(text) <= TOKENS.piece) return [{ start: 0, text }];
  const words = cutWords(text);
  const pieces: TextPiece[] = [];
  for (let first = 0; first < words.length; ) {
    const end = reach(words, first, TOKENS.piece);
    const start = words[first]?.start ?? 0;
    const stop = words[end]?.start ?? text.length;
    pieces.push({ start, text: text.slice(start, stop) });
    if (end >= words.length) break;
    first = Math.max(first + 1, stepBack(words, end, TOKENS.overlap));
  }
  return pieces;
}

export function joinPieces(pieces: readonly TextPiece[]): string {
  let whole = '';
  for (const { start, text } of pieces) whole += text.slice(whole.length - start);
  return whole;
}

interface Word {
  readonly start: number;
  readonly tokens: number;
}

/** Words with the space after them. A longer one is cut every 200 characters, never inside a character. */
function cutWords(text: string): Word[] {
  const words: Word[] = [];
  for (const { 0: match, index } of text.matchAll(/\s*\S+\s*/gu)) {
    for (let from = 0; from < match.length; ) {
      let to = Math.min(from + MAX_WORD_LENGTH, match.length);
      const last = match.charCodeAt(to - 1);
      const isHighSurrogate = last >= 0xd800 && last <= 0xdbff;
      if (to < match.length && isHighSurrogate) to += 1;
      words.push({ start: index + from, tokens: countTokens(match.slice(from, to)) });
      from = to;
    }
  }
  return words;
}

function reach(words: readonly Word[], first: number, tokens: number): number {
  let left = tokens;
  let end = first;
  while (end < words.length) {
    left -= words[end]?.tokens ?? 0;
    if (left < 0 && end > first) break;
    end += 1;
  }
  return end;
}

function stepBack(words: readonly Word[], end: number, tokens: number): number {
  let left = tokens;
  let first = end;
  while (first > 0) {
    left -= words[first - 1]?.tokens ?? 0;
    if (left < 0) break;
    first -= 1;
  }
  return first;
}

const BYTES_PER_TOKEN = 4;

/** Estimates the tokens of a text: one per four bytes. */
export function countTokens(text: string): number {
  return Math.ceil(Buffer.byteLength(text) / BYTES_PER_TOKEN);
}
