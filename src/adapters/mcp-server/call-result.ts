import type { CallToolResult } from '@modelcontextprotocol/server';
import type { Json } from '../../kernel/index.ts';
import type { CallOutcome } from './ports.ts';

/** Converts the outcome of a call for a client: data and text, or the reason why there is none. */
export function callResult(outcome: CallOutcome): CallToolResult {
  const about = metaOf(outcome);
  if (outcome.ok === true) {
    const { output, content } = outcome;
    return {
      content: content ? [...content] : [{ type: 'text', text: asText(output) }],
      ...(content || output === null ? {} : { structuredContent: output }),
      ...about,
    };
  }
  const text = outcome.ok === 'waiting' ? outcome.message : `${outcome.message} (${outcome.code})`;
  return { content: [{ type: 'text', text }], isError: true, ...about };
}

function metaOf(outcome: CallOutcome): Pick<CallToolResult, '_meta'> {
  const meta = {
    ...(outcome.run === undefined ? {} : { 'oka/run': outcome.run }),
    ...(outcome.ok === false ? { 'oka/code': outcome.code } : {}),
    ...(outcome.ok === 'waiting' && outcome.approvalId !== undefined
      ? { 'oka/approval': outcome.approvalId }
      : {}),
  };
  return Object.keys(meta).length === 0 ? {} : { _meta: meta };
}

function asText(output: Json): string {
  return typeof output === 'string' ? output : JSON.stringify(output, null, 2);
}
