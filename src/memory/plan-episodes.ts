import type { DecidedChange, EventDraft } from '../ledger/index.ts';
import type { CheckedEpisode } from './check-input.ts';
import { keptEpisodeId } from './episode-ids.ts';
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
  const times = episodes.flatMap(({ at, id }) => (at === undefined || id !== undefined ? [] : [at]));
  const there = new Set(
    times.length === 0 ? [] : (await parts.records.episodesAt(namespace, times)).map(nameOf),
  );
  for (const episode of episodes) {
    const { id: given, at = parts.clock.now(), text, conversation, source } = episode;
    const id = given === undefined ? parts.ids.next() : keptEpisodeId(namespace, given);
    const isKnown =
      given === undefined
        ? there.has(nameOf(episode))
        : ids.has(id) || (await isKept(parts, namespace, given));
    if (isKnown) {
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
    answer.push({ id: given ?? id, outcome: 'recorded' });
  }
  return { events, answer };
}

/** What makes an episode without an id the very same as another. */
function nameOf({ at, conversation, text }: Pick<CheckedEpisode, 'at' | 'conversation' | 'text'>): string {
  return JSON.stringify([at, conversation, text]);
}

/** An id may have been given to it before it was brought here, or here when it was recorded. */
async function isKept(
  { records }: Pick<MemoryParts, 'records'>,
  namespace: string,
  given: string,
): Promise<boolean> {
  if ((await records.episode(keptEpisodeId(namespace, given))) !== undefined) return true;
  return (await records.episode(given))?.namespace === namespace;
}
