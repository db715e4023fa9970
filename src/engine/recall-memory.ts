import type { MemoryItem, MemoryStore, Recall } from './ports.ts';

/** The capability by which tools reach the engine's memory store. */
export const MEMORY_STORE = 'memoryStore';

/** The `tool` of the evidence that a memory store gave. */
export const MEMORY_EVIDENCE = 'memory.search';

const MAX_WORDS = 16;
const MIN_WORD_LENGTH = 3;
const MAX_ITEMS = 8;

/**
 * Recalls the items that share most words with the goal of a run, newest first among equals. An item with
 * `metadata.untrusted` makes the run untrusted.
 */
export function recallFrom(memory: MemoryStore): Recall {
  return {
    recall: async ({ goal }) => {
      const items = await itemsAbout(goal, memory);
      if (items.length === 0) return [];
      const untrusted = items.some(({ metadata }) => metadata?.['untrusted'] === true);
      const output = items.map(({ id, namespace, text, at, metadata }) => ({
        ...{ id, namespace, text, at },
        ...(metadata === undefined ? {} : { metadata }),
      }));
      const evidence = { step: 0, state: 'intake', source: 'recall', tool: MEMORY_EVIDENCE, output } as const;
      return [untrusted ? { ...evidence, untrusted: true } : evidence];
    },
  };
}

/** One recall after the other. */
export function joinRecalls(recalls: readonly Recall[]): Recall | undefined {
  if (recalls.length <= 1) return recalls[0];
  return {
    recall: async (request) => {
      const found = [];
      for (const one of recalls) found.push(...(await one.recall(request)));
      return found;
    },
  };
}

async function itemsAbout(goal: string, memory: MemoryStore): Promise<readonly MemoryItem[]> {
  const words = (goal.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? []).filter(
    (word) => word.length >= MIN_WORD_LENGTH,
  );
  const found = new Map<string, { readonly item: MemoryItem; shared: number }>();
  for (const text of [...new Set(words)].slice(0, MAX_WORDS))
    for (const item of await memory.search({ text })) {
      const known = found.get(item.id);
      if (known) known.shared += 1;
      else found.set(item.id, { item, shared: 1 });
    }
  return [...found.values()]
    .sort((a, b) => b.shared - a.shared || b.item.at - a.item.at || (a.item.id < b.item.id ? -1 : 1))
    .slice(0, MAX_ITEMS)
    .map(({ item }) => item);
}
