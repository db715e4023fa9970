/** The letters of a word that most tokenisers read as one token. */
const LETTERS_PER_TOKEN = 4;
/** Tokens per character after the first of its run. `two` and `three` are UTF-8 bytes, `half` is half of a surrogate pair. */
const COSTS = { digit: 0.5, space: 0.25, line: 1, mark: 0.8, two: 1, three: 1.3, half: 1.5 };

/** An upper estimate of the tokens in a text. It errs on the large side, because a limit must hold for every model. */
export function estimateTokens(text: string): number {
  let tokens = 0;
  let run = 0;
  let before = '';
  for (let i = 0; i < text.length; i++) {
    const kind = kindOf(text.charCodeAt(i));
    // A capital letter inside a word starts a new one, as in camelCase.
    run = kind === before || (kind === 'lower' && before === 'upper' && run === 1) ? run + 1 : 1;
    tokens += costOf(kind, run);
    before = kind;
  }
  return Math.ceil(tokens);
}

type CharacterKind = 'lower' | 'upper' | keyof typeof COSTS;

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

/** The tokens that the character at this place of a run of its kind adds. */
function costOf(kind: CharacterKind, place: number): number {
  if (kind === 'lower' || kind === 'upper') return place % LETTERS_PER_TOKEN === 1 ? 1 : 0;
  if (place === 1 && kind === 'space') return 0;
  return place === 1 && kind === 'digit' ? 2 * COSTS.digit : COSTS[kind];
}
