import type { Answer } from '../../api/query.ts';

type Pack = Answer<'/v1/memory/pack'>;

export interface PackPart {
  readonly kind: string;
  readonly items: number;
  readonly tokens: number;
  readonly dropped: number;
}

/** What each kind takes of a pack, the largest first, and at the end what the headings around the items take. */
export function partsOfPack({
  items,
  dropped,
  tokens,
}: Pick<Pack, 'items' | 'dropped' | 'tokens'>): readonly PackPart[] {
  const kinds = [...new Set([...items, ...dropped].map(({ kind }) => kind))];
  const ofItems = items.reduce((sum, item) => sum + item.tokens, 0);
  const parts = kinds
    .map((kind) => {
      const own = items.filter((item) => item.kind === kind);
      return {
        kind,
        items: own.length,
        tokens: own.reduce((sum, { tokens }) => sum + tokens, 0),
        dropped: dropped.filter((item) => item.kind === kind).length,
      };
    })
    .toSorted((one, other) => other.tokens - one.tokens);
  const rest = tokens - ofItems;
  return rest > 0 ? [...parts, { kind: 'headings', items: 0, tokens: rest, dropped: 0 }] : parts;
}
