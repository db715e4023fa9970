import type { ModelEntry } from './types.ts';

export type EntryLookup = (name: string) => ModelEntry | undefined;

/** A model and its fallbacks, recursively, each once, in order of use. */
export function chainOf(
  name: string,
  entryOf: EntryLookup,
  before: readonly string[] = [],
): readonly string[] {
  if (before.includes(name)) return before;
  return fallbacksOf(name, entryOf).reduce<readonly string[]>(
    (chain, fallback) => chainOf(fallback, entryOf, chain),
    [...before, name],
  );
}

/** The path of a fallback cycle; undefined if there is none. */
export function findCycle(
  name: string,
  entryOf: EntryLookup,
  path: readonly string[] = [],
): readonly string[] | undefined {
  const at = path.indexOf(name);
  if (at !== -1) return [...path.slice(at), name];
  for (const fallback of fallbacksOf(name, entryOf)) {
    const cycle = findCycle(fallback, entryOf, [...path, name]);
    if (cycle) return cycle;
  }
  return undefined;
}

function fallbacksOf(name: string, entryOf: EntryLookup): readonly string[] {
  const entry = entryOf(name);
  return entry && entry.provider !== 'scripted' ? (entry.fallback ?? []) : [];
}
