// Owns: the event of a message with its notifications. Does not own: committing it.
import type { EventDraft } from '../ledger/index.ts';
import { chatEvent, type Notified } from './chat-events.ts';
import { cycleOf } from './loop-guard.ts';
import { type Addressed, addressed } from './mentions.ts';
import type { ChatParts } from './ports.ts';
import { type ChainLimits, type DropReason, type Notification, PERSON } from './types.ts';

interface NewMessage {
  readonly from: string;
  readonly text: string;
  /** The number of mentions that led to it. */
  readonly depth: number;
  readonly to: Addressed;
  /** Set if an agent wrote it; cause and chain are set if that agent was notified. */
  readonly follows?: {
    readonly cause?: string;
    readonly chain?: string;
    readonly within: readonly (readonly string[])[];
    readonly untrusted: boolean;
    readonly tainted: boolean;
    /** Why no further agent is notified. */
    readonly cut?: { readonly reason: DropReason; readonly detail: string } | undefined;
  };
}

/** Builds the event of a message with all its notifications. */
export function messageEvent(message: NewMessage, limits: Pick<ChainLimits, 'depth'>): EventDraft {
  const { from, text, depth, to, follows } = message;
  const tooDeep =
    depth >= limits.depth
      ? { dropped: 'depth' as const, detail: `the limit of ${limits.depth} mentions in a chain is reached` }
      : undefined;
  const cut = follows?.cut && { dropped: follows.cut.reason, detail: follows.cut.detail };
  const notifies: Notified[] = to.agents.map((agent) => ({ agent, ...(cut ?? tooDeep) }));
  return chatEvent(
    'message.posted',
    {
      from,
      depth,
      chain: follows?.chain,
      cause: follows?.cause,
      notifies: notifies.length === 0 ? undefined : notifies,
      unknown: to.unknown.length === 0 ? undefined : to.unknown,
      within: follows === undefined || follows.within.length === 0 ? undefined : follows.within,
      untrusted: follows?.untrusted ? true : undefined,
      tainted: follows?.tainted ? true : undefined,
    },
    // A lone surrogate is not valid text.
    { text: text.toWellFormed() },
  );
}

/** A message that an agent posts. */
interface AgentMessage {
  readonly conversation: string;
  readonly agent: string;
  readonly text: string;
  /** The notification that the agent answers. Undefined if a person started the run in another way. */
  readonly notification?: Notification | undefined;
  /** The agent's run has read untrusted content. */
  readonly tainted: boolean;
}

/** Builds the event for an agent's message. The message joins the chain of its notification and never starts a new one. */
export async function agentMessage(
  { agents, records, limits }: Pick<ChatParts, 'agents' | 'records' | 'limits'>,
  { conversation, agent, text, notification, tainted }: AgentMessage,
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
        tainted,
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
