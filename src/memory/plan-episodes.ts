import type { DecidedChange, EventDraft } from '../ledger/index.ts';
import type { CheckedEpisode } from './check-input.ts';
import { memoryEvent } from './memory-events.ts';
import type { MemoryParts } from './memory-parts.ts';

/** What became of an episode that was to be recorded. */
export interface RecordedEpisode {
  /** Missing where the same stood there already. */
  readonly id?: string;
  readonly outcome: 'recorded' | 'known';
}

/** Decides what to append for episodes of one namespace, in order; each gets the next turn of its conversation. */
export async function planEpisodes(
  parts: Pick<MemoryParts, 'records' | 'clock' | 'ids'>,
  namespace: string,
  episodes: readonly CheckedEpisode[],
): Promise<DecidedChange<readonly RecordedEpisode[]>> {
  const events: EventDraft[] = [];
  const answer: RecordedEpisode[] = [];
  const turns = new Map<string, number>();
  const ids = new Set<string>();
  for (const episode of episodes) {
    const { id = parts.ids.next(), at = parts.clock.now(), text, conversation, source } = episode;
    if (ids.has(id) || (await isKnown(parts, episode))) {
      answer.push({ outcome: 'known' });
      continue;
    }
    ids.add(id);
    let turn: number | undefined;
    if (conversation !== undefined) {
      turn = turns.get(conversation) ?? (await parts.records.turns(namespace, conversation));
      turns.set(conversation, turn + 1);
    }
    events.push(memoryEvent('episode.recorded', { id, at, turn }, { text, conversation, source }));
    answer.push({ id, outcome: 'recorded' });
  }
  return { events, answer };
}

/** Only what comes from elsewhere, with its id or its time, can have been recorded before. */
async function isKnown(parts: Pick<MemoryParts, 'records'>, episode: CheckedEpisode): Promise<boolean> {
  const { id, at, namespace, conversation, text } = episode;
  if (id !== undefined && (await parts.records.episode(id)) !== undefined) return true;
  if (at === undefined) return false;
  const same = { namespace, at, text, ...(conversation === undefined ? {} : { conversation }) };
  return parts.records.hasEpisode(same);
}
