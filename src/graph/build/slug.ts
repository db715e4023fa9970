import { RESERVED_IDS } from '../compile/check-ids.ts';
import { isRefusedKey } from '../json-value.ts';

/** A text as an id: lower-case letters and digits joined by `_`, cut at a word. */
export function slug(text: string, maxLength = 40): string {
  const words = text
    .normalize('NFKD')
    .toLowerCase()
    .match(/[a-z0-9]+/g);
  let id = '';
  for (const word of words ?? []) {
    if (id !== '' && id.length + 1 + word.length > maxLength) break;
    id += id === '' ? word.slice(0, maxLength) : `_${word}`;
  }
  return id;
}

/** An id near `wish` that is neither taken nor reserved. */
export function freeId(wish: string, taken: { has(id: string): boolean }): string {
  const isReserved = RESERVED_IDS.has(wish) || wish === 'start' || wish === 'end' || isRefusedKey(wish);
  const first = wish === '' ? 'step' : isReserved ? `${wish}_step` : wish;
  if (!taken.has(first)) return first;
  for (let i = 2; ; i++) if (!taken.has(`${first}_${i}`)) return `${first}_${i}`;
}
