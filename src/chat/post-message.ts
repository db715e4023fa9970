// Owns: the event of a message with its notifications. Does not own: committing it.
import type { EventDraft } from '../ledger/index.ts';
import { chatEvent, type Notified } from './chat-events.ts';
import type { Addressed } from './mentions.ts';
import type { ChainLimits, DropReason } from './types.ts';

export interface NewMessage {
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
    },
    // A lone surrogate is not valid text.
    { text: text.toWellFormed() },
  );
}
