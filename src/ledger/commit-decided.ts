import { isOkaError } from '../kernel/index.ts';
import type { EventStore } from './ports.ts';
import type { EventDraft, StreamAppend, SyncLevel } from './types.ts';

const MAX_ATTEMPTS = 50;

/** Events to append to a stream, appends to other streams, and the result to return after the commit. */
export interface DecidedChange<Answer> {
  readonly events: readonly EventDraft[];
  readonly others?: readonly StreamAppend[];
  readonly answer: Answer;
}

/**
 * Calls `decide` and commits its events, synced by default, if the stream has not changed meanwhile; after a conflict it
 * decides again on the new state. `decide` may run several times and must have no side effects. No events mean no commit.
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
      if (!isOkaError(error, 'ledger.conflict') || attempt >= MAX_ATTEMPTS) throw error;
    }
  }
}
