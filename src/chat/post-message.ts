// Owns: what becomes of a message: who is told of it and who is not, in one event. Does not own: committing it.
import type { EventDraft } from '../ledger/index.ts';
import { chatEvent, type Notified } from './chat-events.ts';
import type { Addressed } from './mentions.ts';
import type { ChainLimits, DropReason } from './types.ts';

/** A message and what it follows from. */
export interface NewMessage {
  readonly from: string;
  readonly text: string;
  /** How many mentions lead to it. */
  readonly depth: number;
  readonly to: Addressed;
  /** Set where an agent says it; cause and chain where that agent was notified. */
  readonly follows?: {
    readonly cause?: string;
    readonly chain?: string;
    readonly within: readonly (readonly string[])[];
    readonly untrusted: boolean;
    /** Why nobody is told any more. */
    readonly cut?: { readonly reason: DropReason; readonly detail: string } | undefined;
  };
}

/** The event of a message, with everybody whom it mentions. */
export function messageEvent(message: NewMessage, limits: Pick<ChainLimits, 'depth'>): EventDraft {
  const { from, text, depth, to, follows } = message;
  const tooDeep =
    depth >= limits.depth
      ? { dropped: 'depth' as const, detail: `a chain of mentions ends after ${limits.depth}` }
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
    },
    // Half of a pair of code units is no text.
    { text: text.toWellFormed() },
  );
}
