import * as z from 'zod';
import { requireCapability, type Tool } from '../../engine/index.ts';
import type { EventDraft } from '../../ledger/index.ts';
import { defineTool } from '../define-tool.ts';

/** Provided as the capability `chat`. */
export interface MessageComposer {
  /** Builds the event of a message by a run's agent, which is recorded with the call. */
  compose(request: {
    readonly conversation: string;
    readonly text: string;
    readonly run: string;
    /** The run has read untrusted content. */
    readonly untrusted: boolean;
  }): Promise<{
    readonly stream: string;
    readonly event: EventDraft;
    readonly notified: readonly string[];
    readonly unknown: readonly string[];
  }>;
}

/** The message is stored in the commit of the call, exactly once, and belongs to the agent's mention chain. */
export const sendMessage: Tool = defineTool({
  name: 'chat.send',
  description:
    'Posts a message to a conversation and notifies agents mentioned with @name; does not wait for answers.',
  input: z.strictObject({
    conversation: z.string().min(1).max(64).describe('the name of the conversation'),
    text: z.string().min(1).max(1_000_000),
  }),
  output: z.strictObject({ notified: z.array(z.string()), unknown: z.array(z.string()) }),
  annotations: { readOnly: false, destructive: false, idempotent: false, cacheable: false, risk: 'low' },
  sideEffect: 'write_local',
  recordsOnly: true,
  simulatable: true,
  ledgerOnly: true,
  effect: ({ conversation, text }) => ({ kind: 'message', what: `to ${conversation}: ${text}` }),
  async handler({ conversation, text }, context) {
    const chat = requireCapability<MessageComposer>(context, 'chat');
    const request = { conversation, text, run: context.runId, untrusted: context.untrusted ?? false };
    const { stream, event, notified, unknown } = await chat.compose(request);
    context.record({ stream, event });
    return { notified: [...notified], unknown: [...unknown] };
  },
});
