import type { EventDraft } from '../ledger/index.ts';
import type { ChatParts } from './chat-parts.ts';
import { cycleOf } from './loop-guard.ts';
import { type Addressed, addressed } from './mentions.ts';
import { messageEvent } from './post-message.ts';
import { type Notification, PERSON } from './types.ts';

/** Something that an agent says. */
export interface AgentMessage {
  readonly conversation: string;
  readonly agent: string;
  readonly text: string;
  /** What the agent was told before; without it a person has set it to work in another way. */
  readonly notification?: Notification | undefined;
}

/** The event of what an agent says, with whom it tells: as part of the chain that led to it, and never of a new one. */
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
        // What an agent says is not what a person says.
        untrusted: true,
        cut: cycle && { reason: 'loop', detail: `${cycle.join(' → ')} say the same again and again` },
      },
    },
    limits,
  );
  return { event, to };
}

/** The cycle that a chain goes round in once this is said. */
async function cycleWith(
  said: { readonly agent: string; readonly text: string },
  notification: Notification | undefined,
  records: ChatParts['records'],
): Promise<readonly string[] | undefined> {
  if (notification === undefined) return undefined;
  const before = await records.lineage({ conversation: notification.conversation, id: notification.message });
  return cycleOf([said, ...before.map(({ from, text }) => ({ agent: from, text }))]);
}
