import { stemmer } from 'stemmer';

/** The stems of the words of a text, in order. */
export function tokenise(text: string): string[] {
  return wordsOf(text).map(stem);
}

/** The words of a text, in order and in lower case. */
export function wordsOf(text: string): string[] {
  return (
    text
      .normalize('NFKC')
      .toLowerCase()
      .match(/[\p{L}\p{M}\p{N}]+/gu) ?? []
  );
}

/** The English stem of a word (Porter). Words of other scripts stay unchanged. */
export function stem(word: string): string {
  return /^[a-z]+$/.test(word) ? stemmer(word) : word;
}
