/** Longer questions are found by their first words. */
const MOST_WORDS = 32;
const LONGEST_WORD = 64;

/** Words that stand in nearly every English text; a query of nothing else keeps them. */
const PLAIN_WORDS = new Set(
  `a about am an and any are as at be been but by can could did do does for from had has have he her him his how i if in
  is it its me my of on or our she should so than that the their them then there they this to us was we were what when
  where which who whom why will with would you your`.split(/\s+/),
);

/** The words of what a person typed, each once: letters and digits only, so that nothing of it can act as an operator. */
export function queryWords(query: string): readonly string[] {
  const found =
    query
      .toWellFormed()
      .normalize('NFC')
      .toLowerCase()
      .match(/[\p{L}\p{M}\p{N}]+/gu) ?? [];
  const words = [...new Set(found.filter((word) => word.length <= LONGEST_WORD))];
  const telling = words.filter((word) => !PLAIN_WORDS.has(word));
  return (telling.length > 0 ? telling : words).slice(0, MOST_WORDS);
}
