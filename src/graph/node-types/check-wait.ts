import * as z from 'zod';
import type { Finding } from '../node-type.ts';
import { holdsTemplate } from '../template-values.ts';
import type { WaitNode } from '../types.ts';

const dateTime = z.iso.datetime({ offset: true });

/** A wait waits for exactly one thing, and a constant time can be read. */
export function checkWait(node: WaitNode): readonly Finding[] {
  return [...waitsForOne(node), ...secondsAreTime(node), ...untilIsTime(node), ...timeoutHasEvent(node)];
}

function waitsForOne(node: WaitNode): Finding[] {
  const given = (['seconds', 'until', 'event'] as const).filter((field) => node[field] !== undefined);
  if (given.length === 1) return [];
  return [
    {
      code: 'graph.wait_needs_one',
      field: [],
      message:
        given.length === 0
          ? `the node "${node.node_id}" waits for nothing.`
          : `the node "${node.node_id}" waits for several things: ${given.join(', ')}.`,
      suggestion: 'Give exactly one of "seconds", "until" and "event".',
    },
  ];
}

function secondsAreTime({ seconds }: WaitNode): Finding[] {
  if (typeof seconds !== 'string' || holdsTemplate(seconds)) return [];
  return [
    {
      code: 'graph.invalid_duration',
      field: ['seconds'],
      message: '"seconds" is text without a template.',
      suggestion: 'Write a number, or a template such as {{input.seconds}}.',
    },
  ];
}

function untilIsTime({ until }: WaitNode): Finding[] {
  if (until === undefined || holdsTemplate(until) || dateTime.safeParse(until).success) return [];
  return [
    {
      code: 'graph.invalid_duration',
      field: ['until'],
      message: '"until" is not an ISO date and time with its zone.',
      suggestion: 'Write it as 2030-01-31T09:00:00Z, or as a template.',
    },
  ];
}

function timeoutHasEvent({ timeout_seconds, event }: WaitNode): Finding[] {
  if (timeout_seconds === undefined || event !== undefined) return [];
  return [
    {
      code: 'graph.needless_field',
      field: ['timeout_seconds'],
      message: '"timeout_seconds" is only for waiting for an event.',
      suggestion: 'Remove it, or wait for an "event".',
    },
  ];
}
