// Owns: queueing dropped turns again, because a person asks for it. Does not own: answering them.
import { type EpochMs, OkaError } from '../kernel/index.ts';
import { commitDecided } from '../ledger/index.ts';
import { chatEvent, turnStream } from './chat-events.ts';
import type { ChatParts } from './ports.ts';
import type { ChatErrorCode, DropReason, Notification } from './types.ts';

/** Reasons after which a turn is retried without naming it: nobody wanted it to end. */
const UNWANTED: readonly DropReason[] = ['failed', 'quarantined', 'budget'];

/** Why a turn cannot be retried, by the reason for which it was dropped. */
const FINAL: Readonly<Partial<Record<DropReason, string>>> = {
  depth: 'its chain of mentions has reached the limit; mention the agent in a new message',
  loop: 'its agents repeat themselves; mention the agent in a new message',
  deleted: 'its conversation was deleted',
  expired: 'its message has expired',
};

/** Whether a person can retry this turn. */
export function isRetryable({ status, reason }: Pick<Notification, 'status' | 'reason'>): boolean {
  return status === 'dropped' && reason !== undefined && FINAL[reason] === undefined;
}

/**
 * Queues a dropped turn again, in a new run; without `turn`, every turn that failed, was quarantined or exceeded a budget. A turn
 * is named by its message (`12`), its message and agent (`12/ada`) or its id (`garden/12/ada`).
 */
export async function retryTurns(
  { events, records, agents }: Pick<ChatParts, 'events' | 'records' | 'agents'>,
  {
    conversation: name,
    after,
    turn,
    by,
  }: {
    readonly conversation: string;
    /** Only about messages posted after this time. */
    readonly after: EpochMs;
    readonly turn?: string | undefined;
    readonly by: string;
  },
): Promise<readonly Notification[]> {
  return commitDecided(events, { stream: turnStream(name), actor: by }, async () => {
    const all = await records.notifications(name);
    const known = await agents.names();
    const visible = new Set((await records.messages({ conversation: name, after })).map(({ id }) => id));
    const problemOf = (one: Notification): string | undefined => {
      if (one.status !== 'dropped') return STATES[one.status];
      if (!visible.has(one.message)) return FINAL.expired;
      return known.has(one.agent)
        ? FINAL[one.reason as DropReason]
        : `there is no agent "${one.agent}" any more`;
    };
    const chosen =
      turn === undefined
        ? all.filter((one) => UNWANTED.includes(one.reason as DropReason) && problemOf(one) === undefined)
        : named(all, name, turn).map((one) => {
            const problem = problemOf(one);
            if (problem !== undefined) throw refused(one, problem);
            return one;
          });
    const drafts = chosen.map(({ id }) => chatEvent('turn.requeued', { notification: id }));
    return { events: drafts, answer: chosen };
  });
}

const STATES = {
  queued: 'it has not started yet',
  claimed: 'it has not ended yet',
  done: 'it was answered',
} as const;

/** The dropped turns that a name selects; all of them if none is dropped, so that the caller can say why. */
function named(all: readonly Notification[], conversation: string, turn: string): readonly Notification[] {
  const path = turn.startsWith(`${conversation}/`) ? turn : `${conversation}/${turn.replace(/^#/, '')}`;
  const found = all.filter(({ id }) => id === path || id.startsWith(`${path}/`));
  if (found.length === 0)
    throw new OkaError<ChatErrorCode>(
      'chat.invalid',
      `No turn "${turn}" in ${conversation}. List turns with: oka chat trace ${conversation}`,
      { data: { conversation, turn } },
    );
  const dropped = found.filter(({ status }) => status === 'dropped');
  return dropped.length === 0 ? found : dropped;
}

function refused(
  { id, agent, message, conversation }: Notification,
  problem: string,
): OkaError<ChatErrorCode> {
  return new OkaError(
    'chat.invalid',
    `The turn of ${agent} about message ${message} cannot be retried: ${problem}. See: oka chat trace ${conversation}`,
    { data: { turn: id } },
  );
}
