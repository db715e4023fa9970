export { TextIndex } from './text-index.ts';
export { stem, tokenise } from './tokenise.ts';
