const RESERVED: ReadonlySet<string> = new Set([
  'input',
  'last',
  'vars',
  'run',
  'nodes',
  'start',
  'end',
  '__proto__',
  'constructor',
  'prototype',
]);

/** A text as an id: lower-case letters and digits joined by `_`, cut at a word. */
export function slug(text: string, longest = 40): string {
  const words = text
    .normalize('NFKD')
    .toLowerCase()
    .match(/[a-z0-9]+/g);
  let id = '';
  for (const word of words ?? []) {
    if (id !== '' && id.length + 1 + word.length > longest) break;
    id += id === '' ? word.slice(0, longest) : `_${word}`;
  }
  return id;
}

/** An id that none of `taken` has and that means nothing else in a graph. */
export function freeId(wish: string, taken: { has(id: string): boolean }): string {
  const first = wish === '' ? 'step' : RESERVED.has(wish) ? `${wish}_step` : wish;
  if (!taken.has(first)) return first;
  for (let i = 2; ; i++) if (!taken.has(`${first}_${i}`)) return `${first}_${i}`;
}
