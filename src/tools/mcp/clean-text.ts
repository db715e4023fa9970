/** Control and format characters, and others that show nothing: text can hide in them, or turn what surrounds it around. */
const HIDDEN = /[\p{Cc}\p{Cf}\p{Variation_Selector}\u2028\u2029]/gu;

/** A stranger's text with nothing hidden in it, and no longer than `longest` characters. */
export function cleanText(text: string, longest: number): string {
  const shown = text
    .toWellFormed()
    .replaceAll(HIDDEN, (character) => (character === '\n' || character === '\t' ? character : ''))
    .trim();
  return shown.length > longest ? `${shown.slice(0, longest - 1).toWellFormed()}…` : shown;
}
