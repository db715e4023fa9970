import { isOkaError } from '../kernel/index.ts';
import type { EventStore } from './ports.ts';
import type { EventDraft, StreamAppend, SyncLevel } from './types.ts';

const MOST_ATTEMPTS = 50;

/** What is to be appended to a stream, together with appends to others, and what to answer when it is. */
export interface DecidedChange<Answer> {
  readonly events: readonly EventDraft[];
  readonly others?: readonly StreamAppend[];
  readonly answer: Answer;
}

/**
 * Decides on a stream as it is and commits, synced unless told, on the condition that it still is so; when another was faster, decides
 * again on what that one left. `decide` may be called several times and must change nothing itself; no events mean that
 * there is nothing to do.
 */
export async function commitDecided<Answer>(
  events: EventStore,
  target: { readonly stream: string; readonly actor: string; readonly sync?: SyncLevel },
  decide: () => Promise<DecidedChange<Answer>> | DecidedChange<Answer>,
): Promise<Answer> {
  const { stream, actor, sync = 'full' } = target;
  for (let attempt = 1; ; attempt++) {
    const { index } = await events.end(stream);
    const { events: drafts, others = [], answer } = await decide();
    if (drafts.length === 0 && others.length === 0) return answer;
    const own = drafts.length === 0 ? [] : [{ stream, expectedIndex: index + 1, events: drafts }];
    try {
      await events.commit({ actor, sync, appends: [...own, ...others] });
      return answer;
    } catch (error) {
      if (!isOkaError(error, 'ledger.conflict') || attempt >= MOST_ATTEMPTS) throw error;
    }
  }
}
