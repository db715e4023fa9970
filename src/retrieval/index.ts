export { type TextHit, TextIndex } from './text-index.ts';
export { stem, tokenise, wordsOf } from './tokenise.ts';
