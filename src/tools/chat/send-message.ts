import * as z from 'zod';
import { requireCapability, type Tool } from '../../engine/index.ts';
import { defineTool } from '../define-tool.ts';
import type { ChatDesk } from './ports.ts';

/**
 * The tool with which an agent speaks in a conversation while it works. The message is stored in the commit of the call, once;
 * it belongs to the chain that the agent works in.
 */
export const sendMessage: Tool = defineTool({
  name: 'chat.send',
  description:
    'Says something in a conversation; whoever is mentioned with @name is told. Waits for no answer.',
  input: z.strictObject({
    conversation: z.string().min(1).max(64).describe('its name'),
    text: z.string().min(1).max(1_000_000),
  }),
  output: z.strictObject({ notified: z.array(z.string()), unknown: z.array(z.string()) }),
  annotations: { readOnly: false, destructive: false, idempotent: false, cacheable: false, risk: 'low' },
  sideEffect: 'write_local',
  recordsOnly: true,
  simulatable: true,
  ledgerOnly: true,
  async handler({ conversation, text }, context) {
    const desk = requireCapability<ChatDesk>(context, 'chat');
    const { stream, event, notified, unknown } = await desk.compose({
      conversation,
      text,
      run: context.runId,
    });
    context.record({ stream, event });
    return { notified: [...notified], unknown: [...unknown] };
  },
});
