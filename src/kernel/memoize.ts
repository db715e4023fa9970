/** Caches the results of a function of a text, up to `maxEntries`. */
export function memoize<Result>(
  maxEntries: number,
  compute: (text: string) => Result,
): (text: string) => Result {
  const known = new Map<string, Result>();
  return (text) => {
    const found = known.get(text);
    if (found !== undefined) return found;
    const result = compute(text);
    if (known.size >= maxEntries) known.clear();
    known.set(text, result);
    return result;
  };
}
