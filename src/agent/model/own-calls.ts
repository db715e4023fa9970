import type { Decision } from '../../engine/index.ts';
import { asObject } from '../../kernel/index.ts';
import type { ModelTool } from '../../models/index.ts';
import { ask } from '../findings.ts';
import type { RequestedCall } from './turns.ts';

/** Calls that are decisions instead of tool calls. */
export const OWN_CALLS: readonly ModelTool[] = [
  {
    name: 'agent.ask_person',
    description: 'Asks the person a question that only they can answer. The work continues with the answer.',
    inputSchema: {
      type: 'object',
      properties: {
        question: { type: 'string' },
        options: {
          type: 'array',
          items: { type: 'string' },
          description: 'the answers to choose from, if any',
        },
      },
      required: ['question'],
      additionalProperties: false,
    },
  },
  {
    name: 'agent.give_up',
    description: 'Ends the work without success and says why, when the goal cannot be reached.',
    inputSchema: {
      type: 'object',
      properties: { reason: { type: 'string' } },
      required: ['reason'],
      additionalProperties: false,
    },
  },
];

/** The decision of such a call; undefined for a tool call. */
export function decideOwnCall({ tool, input }: RequestedCall, rationale: string): Decision | undefined {
  const given = asObject(input);
  if (tool === 'agent.give_up') {
    const reason = textIn(given['reason']) ?? 'the agent gave up and did not say why.';
    return { kind: 'fail', code: 'agent.gave_up', reason, rationale };
  }
  if (tool !== 'agent.ask_person') return undefined;
  const options = Array.isArray(given['options']) ? given['options'].flatMap((one) => textIn(one) ?? []) : [];
  const question = textIn(given['question']) ?? 'How should I continue?';
  return ask(question, rationale, options.length > 1 ? options : undefined);
}

function textIn(value: unknown): string | undefined {
  return typeof value === 'string' && value.trim() !== '' ? value : undefined;
}
