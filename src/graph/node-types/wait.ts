import * as z from 'zod';
import type { Json, JsonObject } from '../../kernel/index.ts';
import type { NodeType } from '../node-type.ts';
import { callOnce, NODE_TOOLS } from '../planner/decisions.ts';
import type { WaitNode } from '../types.ts';
import { checkWait } from './check-wait.ts';
import { followed, nodeId, nodeSchema, targetsIn, templatesIn, text, waitSeconds } from './fields.ts';

const summary = 'Waits for a time or for an event; its output is what the event brought.';

export const wait: NodeType<WaitNode> = {
  type: 'wait',
  summary,
  schema: nodeSchema('wait', summary, {
    seconds: z
      .union([waitSeconds('Seconds.'), text('A template.')])
      .describe('How long to wait: a number, or a template that gives one.')
      .exactOptional(),
    until: text('When to go on: an ISO date and time, or a template that gives one.').exactOptional(),
    event: text('The event to wait for.').exactOptional(),
    timeout_seconds: waitSeconds('How long to wait for the event at most.').exactOptional(),
    on_error: nodeId(
      'The node to go to when the event did not come; refused in strict mode.',
    ).exactOptional(),
    ...followed,
  }),
  targets: (node) => targetsIn(node, 'next', 'on_error'),
  templates: (node) => templatesIn(node, 'seconds', 'until', 'event'),
  check: checkWait,
  tools: (node) => [node.event === undefined ? NODE_TOOLS.wait : NODE_TOOLS.event],
  decide(node, view) {
    const { seconds, until, event, timeout_seconds } = node;
    if (event !== undefined) {
      const input = () => ({
        event: view.renderText(event),
        ...(timeout_seconds === undefined ? {} : { timeout_seconds }),
      });
      return callOnce(view, bare(node), NODE_TOOLS.event, input, `${node.node_id} waits for an event`);
    }
    const input = (): JsonObject =>
      until === undefined
        ? { seconds: toSeconds(view.render(seconds ?? 0)) }
        : { until: view.renderText(until) };
    return callOnce(view, bare(node), NODE_TOOLS.wait, input, `${node.node_id} waits`);
  },
};

/** The timeout of a wait is how long the event may take, not how long asking for it may. */
function bare({ timeout_seconds: _, ...node }: WaitNode): WaitNode {
  return node;
}

/** A template may give the number as text. */
function toSeconds(value: Json): number | Json {
  return typeof value === 'string' && value.trim() !== '' && Number.isFinite(Number(value))
    ? Number(value)
    : value;
}
