/** The words of a text in order, each brought to its stem. */
export function tokenise(text: string): string[] {
  return wordsOf(text).map(stem);
}

/** The words of a text in order, in lower case and otherwise as they stand. */
export function wordsOf(text: string): string[] {
  return (
    text
      .normalize('NFKC')
      .toLowerCase()
      .match(/[\p{L}\p{M}\p{N}]+/gu) ?? []
  );
}

const VOWEL = /[aeiouy]/;
const SHORTEST_STEM = 3;

/** A light English stem: plurals, -ing and -ed go, and a silent e. Equal forms meet; what comes out need not be a word. */
export function stem(word: string): string {
  if (word.length <= SHORTEST_STEM || !/^[a-z]+$/.test(word)) return word;
  return withoutSilentE(withoutEnding(singular(word)));
}

function singular(word: string): string {
  if (word.endsWith('ies') && word.length > 4) return `${word.slice(0, -3)}y`;
  if (/(?:ss|x|z|ch|sh)es$/.test(word)) return word.slice(0, -2);
  return /[^sui]s$/.test(word) ? word.slice(0, -1) : word;
}

function withoutEnding(word: string): string {
  const ending = /(?:ing|(?<!e)ed)$/.exec(word);
  if (!ending) return word;
  const rest = word.slice(0, ending.index);
  if (rest.length < SHORTEST_STEM || !VOWEL.test(rest)) return word;
  return /([^aeioulsz])\1$/.test(rest) ? rest.slice(0, -1) : rest;
}

function withoutSilentE(word: string): string {
  return word.length > SHORTEST_STEM + 1 && word.endsWith('e') ? word.slice(0, -1) : word;
}
