import * as z from 'zod';
import type { Json, JsonObject } from '../../kernel/index.ts';
import type { Finding, NodeType } from '../node-type.ts';
import { callOnce, NODE_TOOLS } from '../planner/decisions.ts';
import { hasTemplate } from '../template-values.ts';
import type { WaitNode } from '../types.ts';
import { followed, nodeId, nodeSchema, targetsIn, templatesIn, text, waitSeconds } from './fields.ts';

const summary = 'Waits for a time or for an event; its output is the data of the event.';

const dateTime = z.iso.datetime({ offset: true });

export const wait: NodeType<WaitNode> = {
  type: 'wait',
  summary,
  schema: nodeSchema('wait', summary, {
    seconds: z
      .union([waitSeconds('Seconds.'), text('A template.')])
      .describe('How long to wait: a number, or a template that gives one.')
      .exactOptional(),
    until: text('When to continue: an ISO date and time, or a template that gives one.').exactOptional(),
    event: text('The event to wait for.').exactOptional(),
    timeout_seconds: waitSeconds('How long to wait for the event at most.').exactOptional(),
    on_error: nodeId(
      'The node to go to when the event did not come; refused in strict mode.',
    ).exactOptional(),
    ...followed,
  }),
  targets: (node) => targetsIn(node, 'next', 'on_error'),
  templates: (node) => templatesIn(node, 'seconds', 'until', 'event'),
  check: (node) => [...checkWait(node)],
  tools: (node) => [node.event === undefined ? NODE_TOOLS.wait : NODE_TOOLS.event],
  decide(node, view) {
    const { seconds, until, event, timeout_seconds } = node;
    if (event !== undefined) {
      const input = () => ({
        event: view.renderText(event),
        ...(timeout_seconds === undefined ? {} : { timeout_seconds }),
      });
      return callOnce(
        view,
        withoutTimeout(node),
        NODE_TOOLS.event,
        input,
        `${node.node_id} waits for an event`,
      );
    }
    const input = (): JsonObject =>
      until === undefined
        ? { seconds: toSeconds(view.render(seconds ?? 0)) }
        : { until: view.renderText(until) };
    return callOnce(view, withoutTimeout(node), NODE_TOOLS.wait, input, `${node.node_id} waits`);
  },
};

/** The timeout of a wait bounds the event, not the call that waits for it. */
function withoutTimeout({ timeout_seconds: _, ...node }: WaitNode): WaitNode {
  return node;
}

/** A template may give the number as text. */
function toSeconds(value: Json): number | Json {
  return typeof value === 'string' && value.trim() !== '' && Number.isFinite(Number(value))
    ? Number(value)
    : value;
}

/** A wait waits for exactly one thing; a constant time must be valid. */
function* checkWait(node: WaitNode): Generator<Finding> {
  const { node_id, seconds, until, event, timeout_seconds } = node;
  const given = (['seconds', 'until', 'event'] as const).filter((field) => node[field] !== undefined);
  if (given.length !== 1)
    yield {
      code: 'graph.wait_needs_one',
      field: [],
      message:
        given.length === 0
          ? `the node "${node_id}" waits for nothing.`
          : `the node "${node_id}" waits for several things: ${given.join(', ')}.`,
      suggestion: 'Give exactly one of "seconds", "until" and "event".',
    };
  if (typeof seconds === 'string' && !hasTemplate(seconds))
    yield {
      code: 'graph.invalid_duration',
      field: ['seconds'],
      message: '"seconds" is text without a template.',
      suggestion: 'Write a number, or a template such as {{input.seconds}}.',
    };
  if (until !== undefined && !hasTemplate(until) && !dateTime.safeParse(until).success)
    yield {
      code: 'graph.invalid_duration',
      field: ['until'],
      message: '"until" is not an ISO date and time with its zone.',
      suggestion: 'Write it as 2030-01-31T09:00:00Z, or as a template.',
    };
  if (timeout_seconds !== undefined && event === undefined)
    yield {
      code: 'graph.needless_field',
      field: ['timeout_seconds'],
      message: '"timeout_seconds" is only for waiting for an event.',
      suggestion: 'Remove it, or wait for an "event".',
    };
}
