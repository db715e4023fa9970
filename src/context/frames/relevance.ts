/** The relevance of each text: the share of the query's words, weighted by rarity. Depends on the texts alone. */
export function scoreRelevance(
  query: string,
  texts: ReadonlyMap<string, string>,
): ReadonlyMap<string, number> {
  const words = new Map([...texts].map(([id, text]) => [id, wordsOf(text)]));
  const holders = new Map<string, number>();
  for (const own of words.values()) for (const word of own) holders.set(word, (holders.get(word) ?? 0) + 1);
  const weight = (word: string): number => Math.log(1 + texts.size / (holders.get(word) ?? texts.size + 1));
  // Sorted, because the order of additions affects the sum.
  const asked = [...wordsOf(query)].sort();
  return new Map(
    [...words].map(([id, own]) => {
      const shared = asked.reduce((sum, word) => (own.has(word) ? sum + weight(word) : sum), 0);
      return [id, shared / Math.sqrt(own.size + 1)];
    }),
  );
}

function wordsOf(text: string): ReadonlySet<string> {
  return new Set(text.toLowerCase().match(/[\p{L}\p{N}]{2,}/gu) ?? []);
}
