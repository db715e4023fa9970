import { commitDecided, type EventDraft } from '../../ledger/index.ts';
import { CONTEXT_STREAM } from '../tree/tree-events.ts';
import type { ContextParts } from './context-parts.ts';

/** So many frames go into one commit. */
const BATCH = 100;

/**
 * Decides on each item as things stand, and commits what was decided: some of them together, on the condition that nobody
 * else has written meanwhile; else they are decided anew. `decide` changes nothing itself.
 */
export async function writeFrames<Item, Planned extends { readonly events: readonly EventDraft[] }>(
  { events }: Pick<ContextParts, 'events'>,
  by: string,
  items: readonly Item[],
  decide: (item: Item) => Promise<Planned>,
): Promise<readonly Planned[]> {
  const written: Planned[] = [];
  for (let from = 0; from < items.length; from += BATCH) {
    const batch = items.slice(from, from + BATCH);
    const answers = await commitDecided(events, { stream: CONTEXT_STREAM, actor: by }, async () => {
      const planned: Planned[] = [];
      for (const item of batch) planned.push(await decide(item));
      return { events: planned.flatMap((one) => one.events), answer: planned };
    });
    written.push(...answers);
  }
  return written;
}
