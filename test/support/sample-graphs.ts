import type { GraphDefinition, GraphNode, NodeStatus, RunStatuses } from '../../src/graph/index.ts';

/** A graph of these nodes, with a start before the first of them and an end. */
export function graphOf(name: string, ...nodes: readonly Record<string, unknown>[]): GraphDefinition {
  return {
    id: 'sample',
    name,
    version: 1,
    start: 'start',
    execution_defaults: { guarantee_mode: 'bounded' },
    nodes: [
      { node_id: 'start', type: 'start', next: String(nodes[0]?.['node_id'] ?? 'end') },
      ...(nodes as unknown as GraphNode[]),
      { node_id: 'end', type: 'end' },
    ],
  };
}

export function tool(id: string, next: string, more: Record<string, unknown> = {}): Record<string, unknown> {
  return { node_id: id, type: 'tool', tool: 'files.read', next, ...more };
}

export function condition(id: string, yes: string, no: string): Record<string, unknown> {
  const test = { left: '{{last.count}}', operator: 'gt', right: 3 };
  return { node_id: id, type: 'typed_condition', ...test, if_true: yes, if_false: no };
}

export const CHAIN = graphOf('Chain', tool('read_notes', 'send_report'), tool('send_report', 'end'));

export const BRANCH = graphOf(
  'Branch and join',
  condition('check', 'yes_path', 'no_path'),
  tool('yes_path', 'join', { on_error: 'end' }),
  tool('no_path', 'join'),
  tool('join', 'end'),
);

export const LOOP = graphOf(
  'Look until it is there',
  tool('fetch', 'check'),
  condition('check', 'end', 'pause'),
  { node_id: 'pause', type: 'wait', seconds: 30, next: 'fetch' },
);

const TEAMS = ['sales', 'billing', 'support', 'spam', 'other'];

export const FAN_OUT = graphOf(
  'Fan out',
  {
    node_id: 'route',
    type: 'llm_condition',
    prompt: 'Which team?',
    branch_options: TEAMS,
    branch_targets: Object.fromEntries(TEAMS.map((team) => [team, `to_${team}`])),
  },
  ...TEAMS.map((team) => tool(`to_${team}`, 'end')),
);

export const BROKEN = graphOf('Broken', tool('a', 'nowhere'), condition('b', 'b', 'a'));

const STATUSES: readonly [string, NodeStatus, number][] = [
  ['start', 'completed', 1],
  ['fetch', 'completed', 3],
  ['check', 'running', 3],
  ['pause', 'failed', 2],
];

export const LOOP_STATUSES: RunStatuses = {
  run: 'run-1',
  status: 'running',
  nodes: new Map(STATUSES.map(([id, status, visits]) => [id, { status, visits }])),
};
