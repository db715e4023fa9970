/** Control, format and other invisible characters, which can hide text or reverse its direction. */
const HIDDEN = /[\p{Cc}\p{Cf}\p{Variation_Selector}\u2028\u2029]/gu;

/** Removes hidden characters from untrusted text and cuts it to `maxLength` characters. */
export function cleanText(text: string, maxLength: number): string {
  const shown = text
    .toWellFormed()
    .replaceAll(HIDDEN, (character) => (character === '\n' || character === '\t' ? character : ''))
    .trim();
  return shown.length > maxLength ? `${shown.slice(0, maxLength - 1).toWellFormed()}…` : shown;
}
