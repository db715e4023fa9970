import type { DecidedChange, EventDraft } from '../ledger/index.ts';
import type { CheckedEpisode } from './check-input.ts';
import { memoryEvent, storedEpisodeId } from './memory-events.ts';
import type { MemoryParts } from './ports.ts';

export interface RecordedEpisode {
  /** Undefined if the episode already existed. */
  readonly id?: string;
  readonly outcome: 'recorded' | 'known';
}

/** Decides what to append for episodes of one namespace, in order. Each gets the next turn of its conversation. */
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
  const known = new Set(
    times.length === 0 ? [] : (await parts.records.episodesAt(namespace, times)).map(identityOf),
  );
  for (const episode of episodes) {
    const { id: given, at = parts.clock.now(), text, conversation, source } = episode;
    const id = given === undefined ? parts.ids.next() : storedEpisodeId(namespace, given);
    const isKnown =
      given === undefined
        ? known.has(identityOf(episode))
        : ids.has(id) || (await isStored(parts, namespace, given));
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

/** Equal for equal episodes without an id. */
function identityOf({
  at,
  conversation,
  text,
}: Pick<CheckedEpisode, 'at' | 'conversation' | 'text'>): string {
  return JSON.stringify([at, conversation, text]);
}

/** The id may be an imported one, or one that was generated here and exported. */
async function isStored(
  { records }: Pick<MemoryParts, 'records'>,
  namespace: string,
  given: string,
): Promise<boolean> {
  if ((await records.episode(storedEpisodeId(namespace, given))) !== undefined) return true;
  return (await records.episode(given))?.namespace === namespace;
}
