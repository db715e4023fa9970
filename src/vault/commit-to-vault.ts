import { isOkaError } from '../kernel/index.ts';
import type { EventDraft, EventStore } from '../ledger/index.ts';
import { VAULT_STREAM } from './vault-events.ts';

const MOST_ATTEMPTS = 50;

/** What is to be appended, and what to answer when it is; no event means that there is nothing to do. */
export interface VaultChange<Answer> {
  readonly event?: EventDraft;
  readonly answer: Answer;
}

/**
 * Decides on the vault as it is and commits, synced, on the condition that it still is so; when another was faster,
 * decides again. `decide` may be called several times.
 */
export async function commitToVault<Answer>(
  events: EventStore,
  actor: string,
  decide: () => Promise<VaultChange<Answer>>,
): Promise<Answer> {
  for (let attempt = 1; ; attempt++) {
    const { index } = await events.end(VAULT_STREAM);
    const { event, answer } = await decide();
    if (event === undefined) return answer;
    const append = { stream: VAULT_STREAM, expectedIndex: index + 1, events: [event] };
    try {
      await events.commit({ actor, sync: 'full', appends: [append] });
      return answer;
    } catch (error) {
      if (!isOkaError(error, 'ledger.conflict') || attempt >= MOST_ATTEMPTS) throw error;
    }
  }
}
