/** Letters that most tokenisers read as one token when a word begins with them; each so many more are another one. */
const LETTERS = 4;
const PER_DIGIT = 0.5;
const PER_MARK = 0.8;
const PER_MORE_SPACE = 0.25;
/** By the bytes that a character takes: accented and Cyrillic letters, Asian scripts, halves of emoji. */
const PER_TWO_BYTES = 1;
const PER_THREE_BYTES = 1.3;
const PER_HALF = 1.5;

/**
 * How many tokens a text has at most, by rules of thumb that err on the large side: models count differently, and a cap
 * that is to hold for all of them must not rest on too small a number.
 */
export function estimateTokens(text: string): number {
  let tokens = 0;
  let run = 0;
  let before = '';
  for (let i = 0; i < text.length; i++) {
    const kind = kindOf(text.charCodeAt(i));
    // A capital inside a word begins another one, as in camelCase.
    run = kind === before || (kind === 'lower' && before === 'upper' && run === 1) ? run + 1 : 1;
    tokens += costOf(kind, run);
    before = kind;
  }
  return Math.ceil(tokens);
}

type CharacterKind = 'lower' | 'upper' | 'digit' | 'space' | 'line' | 'mark' | 'two' | 'three' | 'half';

function kindOf(code: number): CharacterKind {
  if (code >= 97 && code <= 122) return 'lower';
  if (code >= 65 && code <= 90) return 'upper';
  if (code >= 48 && code <= 57) return 'digit';
  if (code === 32 || code === 9) return 'space';
  if (code === 10 || code === 13) return 'line';
  if (code < 0x80) return 'mark';
  if (code < 0x800) return 'two';
  return code >= 0xd800 && code <= 0xdfff ? 'half' : 'three';
}

/** What the character at this place of a run of its kind adds. */
function costOf(kind: CharacterKind, place: number): number {
  switch (kind) {
    case 'lower':
    case 'upper':
      return place % LETTERS === 1 ? 1 : 0;
    case 'digit':
      return place === 1 ? 2 * PER_DIGIT : PER_DIGIT;
    case 'space':
      return place === 1 ? 0 : PER_MORE_SPACE;
    case 'line':
      return 1;
    case 'mark':
      return PER_MARK;
    case 'two':
      return PER_TWO_BYTES;
    case 'three':
      return PER_THREE_BYTES;
    case 'half':
      return PER_HALF;
  }
}
