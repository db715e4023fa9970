import { type Query, readQuery } from '../retrieval/index.ts';
import type { SearchTerms } from './ports.ts';

/** More related words would match almost everything. */
const MAX_RELATED = 48;

/** The word roots to search for: letters and digits only, so that no query text acts as an operator. */
export function searchTerms(query: string | Query): SearchTerms {
  const { terms } = typeof query === 'string' ? readQuery(query) : query;
  const own = terms.map(({ term }) => term);
  const weights = new Map<string, number>();
  for (const { instead } of terms)
    for (const { term, weight } of instead) weights.set(term, Math.max(weight, weights.get(term) ?? 0));
  for (const term of own) weights.delete(term);
  const related = [...weights].sort((one, other) => other[1] - one[1]).map(([term]) => term);
  return { own, related: related.slice(0, MAX_RELATED) };
}

/** The words of a text between single spaces, so that punctuation and case do not matter. */
export function spokenWords(text: string): string {
  return ` ${(
    text
      .normalize('NFC')
      .toLowerCase()
      .match(/[\p{L}\p{N}]+/gu) ?? []
  ).join(' ')} `;
}
