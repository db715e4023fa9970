import type { EventDraft } from '../../ledger/index.ts';

/** What the chat tools need from outside; handed in as the capability `chat`. */
export interface ChatDesk {
  /** What the agent of a run says, as it is to be recorded with the call. */
  compose(request: { readonly conversation: string; readonly text: string; readonly run: string }): Promise<{
    readonly stream: string;
    readonly event: EventDraft;
    readonly notified: readonly string[];
    readonly unknown: readonly string[];
  }>;
}
