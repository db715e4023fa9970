import type { EventDraft } from '../ledger/index.ts';
import type { ChatParts } from './chat-parts.ts';
import { cycleOf } from './loop-guard.ts';
import { type Addressed, addressed } from './mentions.ts';
import { messageEvent } from './post-message.ts';
import { type Notification, PERSON } from './types.ts';

/** A message that an agent posts. */
export interface AgentMessage {
  readonly conversation: string;
  readonly agent: string;
  readonly text: string;
  /** The notification that the agent answers. Undefined if a person started the run in another way. */
  readonly notification?: Notification | undefined;
}

/** Builds the event for an agent's message. The message joins the chain of its notification and never starts a new one. */
export async function agentMessage(
  { agents, records, limits }: Pick<ChatParts, 'agents' | 'records' | 'limits'>,
  { conversation, agent, text, notification }: AgentMessage,
): Promise<{ readonly event: EventDraft; readonly to: Addressed }> {
  const place = await records.conversation(conversation);
  const known = { person: PERSON, agents: await agents.names(), present: place?.agents ?? [] };
  const to = addressed(text, agent, known);
  const own = await agents.toolsOf(agent);
  const within = notification?.within ?? [];
  const cycle = to.agents.length === 0 ? undefined : await cycleWith({ agent, text }, notification, records);
  const event = messageEvent(
    {
      from: agent,
      text,
      depth: notification?.depth ?? 1,
      to,
      follows: {
        ...(notification && { cause: notification.id, chain: notification.chain }),
        within: own === undefined ? within : [...within, own],
        // Agent output is untrusted input for other agents.
        untrusted: true,
        cut: cycle && { reason: 'loop', detail: `${cycle.join(' → ')} repeat the same messages` },
      },
    },
    limits,
  );
  return { event, to };
}

/** Returns the cycle that this reply would complete. */
async function cycleWith(
  said: { readonly agent: string; readonly text: string },
  notification: Notification | undefined,
  records: ChatParts['records'],
): Promise<readonly string[] | undefined> {
  if (notification === undefined) return undefined;
  const before = await records.lineage({ conversation: notification.conversation, id: notification.message });
  return cycleOf([said, ...before.map(({ from, text }) => ({ agent: from, text }))]);
}
