const NOTHING = '\u200b';
const THIN = '\u200a';

/** What Markdown and its extensions would read, and the same with something unseen in it, so that they do not. */
const MARKDOWN: readonly (readonly [RegExp, string])[] = [
  // Lists, headings and quotations begin a line.
  [/^(?=[^\p{L}])/u, NOTHING],
  // Addresses and icons.
  [/:(?=\S)/g, `:${NOTHING}`],
  [/@/g, `${NOTHING}@`],
  [/(?<=www)\./gi, `${NOTHING}.`],
  [/\](?=[([])/g, `]${NOTHING}`],
  // Formulas and escapes.
  [/\$(?=\$)/g, `$$${NOTHING}`],
  [/\\(?=[^\p{L}\p{N}\s])/gu, `\\${NOTHING}`],
  // Emphasis does not start before a space. Inside of words the underscore is plain.
  [/[*~]|(?<![\p{L}\p{N}])_|_(?![\p{L}\p{N}])/gu, `$&${THIN}`],
  // Nothing keeps two backticks from being code, so they become their likeness.
  [/`/g, 'ˋ'],
];

/** What may stand as it is. The space in "direction LR" may not: that takes a whole line, wherever it stands. */
const SYNTAX = /[^\p{L}\p{M}\p{N} _.,×…-]|(?<=direction) /gu;

/**
 * A text as a Mermaid label that shows as it is: no part of it is taken for syntax or for Markdown. It is never empty,
 * because Mermaid does not take that for a label.
 */
export function mermaidLabel(text: string): string {
  let guarded = text;
  for (const [pattern, instead] of MARKDOWN) guarded = guarded.replace(pattern, instead);
  const coded = guarded.replace(SYNTAX, (character) => `#${character.codePointAt(0)};`);
  return coded === '' ? ' ' : coded;
}
