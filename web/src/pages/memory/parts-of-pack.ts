import type { Answer } from '../../api/query.ts';

type Pack = Answer<'/v1/memory/pack'>;

export interface PackPart {
  readonly kind: string;
  readonly items: number;
  readonly tokens: number;
  readonly dropped: number;
}

/** What each kind takes of a pack, the largest first. */
export function partsOfPack({ items, dropped }: Pick<Pack, 'items' | 'dropped'>): readonly PackPart[] {
  const kinds = [...new Set([...items, ...dropped].map(({ kind }) => kind))];
  return kinds
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
}
