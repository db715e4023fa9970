// The graph that the crash walk kills: every node type that a machine without a model can run, in each mode. Its effects
// append lines, each of which must be present once.
import type { GuaranteeMode } from '../../src/graph/index.ts';
import { defineGraph } from '../support/graph-kit.ts';

/** The lines that the effects append, and the nodes of the outer graph whose output they make. */
export const EFFECTS: Readonly<Record<string, string | undefined>> = {
  first: 'act',
  inner: undefined,
  second: 'act_again',
};

/** The fields that a node with effects needs in strict mode, and may omit in others. */
function keyed(mode: GuaranteeMode, name: string): object {
  if (mode !== 'strict') return {};
  return { idempotency_key: `${name}-{{run.origin_id}}`, timeout_seconds: 10, max_retries: 1 };
}

/** Reads a file in strict mode; in the other modes the file is missing, and the error handling of the mode applies. */
function read(mode: GuaranteeMode): object[] {
  const node = { node_id: 'read', type: 'tool', tool: 'files.read', ...keyed(mode, 'read'), next: 'large' };
  if (mode === 'strict') return [{ ...node, args: { path: 'notes.txt' } }];
  const missing = { ...node, args: { path: 'missing.txt' } };
  if (mode === 'flex') return [{ ...missing, fallback_output: { content: 'a fallback' } }];
  return [
    { ...missing, on_error: 'sorry' },
    { node_id: 'sorry', type: 'transform', expression: '{"content": "another way"}', next: 'large' },
  ];
}

export function tenNodes(mode: GuaranteeMode) {
  const append = { type: 'tool', tool: 'test.append' };
  return defineGraph(
    [
      { node_id: 'start', type: 'start', next: 'read' },
      ...read(mode),
      {
        node_id: 'large',
        type: 'typed_condition',
        left: '{{input.n}}',
        operator: 'gt',
        right: 1,
        if_true: 'shape',
        if_false: 'small',
      },
      { node_id: 'small', type: 'end' },
      {
        node_id: 'shape',
        type: 'transform',
        expression: '{"text": $uppercase(content), "seen": $}',
        next: 'act',
      },
      { ...append, node_id: 'act', args: { line: 'first' }, ...keyed(mode, 'act'), next: 'keep' },
      { node_id: 'keep', type: 'write_state', key: 'text', value: '{{shape.text}}', next: 'recall' },
      { node_id: 'recall', type: 'read_state', key: 'text', next: 'rest' },
      { node_id: 'rest', type: 'wait', until: '2020-01-31T08:00:00Z', next: 'listen' },
      { node_id: 'listen', type: 'wait', event: 'go', next: 'part' },
      { node_id: 'part', type: 'subgraph', graph: 'inner', input: '{{recall.value}}', next: 'ask' },
      { node_id: 'ask', type: 'approval', question: 'Go on?', options: ['yes', 'no'], next: 'act_again' },
      {
        ...append,
        node_id: 'act_again',
        args: { line: 'second' },
        ...keyed(mode, 'again'),
        idempotency_key: 'again-{{run.origin_id}}',
        next: 'end',
      },
      {
        node_id: 'end',
        type: 'end',
        input: { part: '{{part}}', event: '{{listen}}', answer: '{{ask.answer}}', kept: '{{keep.written}}' },
      },
    ],
    { mode, id: 'ten', defaults: { max_retries: 1 } },
  );
}

export function innerGraph(mode: GuaranteeMode) {
  return defineGraph(
    [
      { node_id: 'start', type: 'start', next: 'act' },
      {
        node_id: 'act',
        type: 'tool',
        tool: 'test.append',
        args: { line: 'inner' },
        ...keyed(mode, 'act'),
        next: 'shape',
      },
      { node_id: 'shape', type: 'transform', input: '{{input}}', expression: '{"inner": $}', next: 'end' },
      { node_id: 'end', type: 'end' },
    ],
    { mode, id: 'inner' },
  );
}

/** Acts once for each of three items, two at a time, and remembers each. */
export function mapGraphs() {
  const each = defineGraph(
    [
      { node_id: 'start', type: 'start', next: 'act' },
      { node_id: 'act', type: 'tool', tool: 'test.append', args: { line: '{{input}}' }, next: 'keep' },
      { node_id: 'keep', type: 'write_state', key: '{{input}}', value: true, next: 'end' },
      { node_id: 'end', type: 'end', input: 'did {{input}}' },
    ],
    { id: 'each' },
  );
  const all = defineGraph(
    [
      { node_id: 'start', type: 'start', next: 'map' },
      {
        node_id: 'map',
        type: 'map',
        items: '{{input}}',
        graph: 'each',
        concurrency: 2,
        max_items: 3,
        next: 'end',
      },
      { node_id: 'end', type: 'end' },
    ],
    { id: 'all' },
  );
  return [each, all];
}
