import { stemmer } from 'stemmer';

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

/** The English stem of a word, after Porter. Other words stay as they are; what comes out need not be a word. */
export function stem(word: string): string {
  return /^[a-z]+$/.test(word) ? stemmer(word) : word;
}
