import type { ModelEntry } from './types.ts';

/** Finds the entry that a name stands for. */
export type EntryLookup = (name: string) => ModelEntry | undefined;

/** A model and its fallbacks, and theirs, each once, in the order in which they are asked. */
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

/** The way on which the fallbacks of a model lead back to one of them; undefined where they do not. */
export function circleFrom(
  name: string,
  entryOf: EntryLookup,
  path: readonly string[] = [],
): readonly string[] | undefined {
  const at = path.indexOf(name);
  if (at !== -1) return [...path.slice(at), name];
  for (const fallback of fallbacksOf(name, entryOf)) {
    const circle = circleFrom(fallback, entryOf, [...path, name]);
    if (circle) return circle;
  }
  return undefined;
}

function fallbacksOf(name: string, entryOf: EntryLookup): readonly string[] {
  const entry = entryOf(name);
  return entry && entry.provider !== 'scripted' ? (entry.fallback ?? []) : [];
}
