import { isOkaError } from '../kernel/index.ts';
import type { EventDraft, EventStore, StreamAppend } from '../ledger/index.ts';
import { memoryStream } from './memory-events.ts';

const MOST_ATTEMPTS = 20;

/** What is to be appended to a namespace's stream, together with appends to others. */
export interface NamespaceChange<Answer> {
  readonly events: readonly EventDraft[];
  readonly others?: readonly StreamAppend[];
  readonly answer: Answer;
}

/**
 * Decides on a namespace as it is and commits on the condition that it still is so; when another process was faster,
 * decides again. `decide` may be called several times and must change nothing itself; no events mean nothing to do.
 */
export async function commitToNamespace<Answer>(
  events: EventStore,
  target: { readonly namespace: string; readonly by: string },
  decide: () => Promise<NamespaceChange<Answer>>,
): Promise<Answer> {
  const stream = memoryStream(target.namespace);
  for (let attempt = 1; ; attempt++) {
    const { index } = await events.end(stream);
    const { events: drafts, others = [], answer } = await decide();
    if (drafts.length === 0 && others.length === 0) return answer;
    const own = drafts.length === 0 ? [] : [{ stream, expectedIndex: index + 1, events: drafts }];
    try {
      await events.commit({ actor: target.by, sync: 'full', appends: [...own, ...others] });
      return answer;
    } catch (error) {
      if (!isOkaError(error, 'ledger.conflict') || attempt >= MOST_ATTEMPTS) throw error;
    }
  }
}
