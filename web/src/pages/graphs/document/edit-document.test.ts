import { expect, test } from 'vitest';
import type { GraphDocument } from '../../../parts/graph-canvas/graph-document.ts';
import {
  addNode,
  applyFix,
  connect,
  disconnect,
  emptyDocument,
  removeNodes,
  renameNode,
  setField,
  setSetting,
} from './edit-document.ts';

const nodeOf = (document: GraphDocument, id: string) => document.nodes.find(({ node_id }) => node_id === id);

const chain = (): GraphDocument => {
  const first = addNode(emptyDocument('a', 'A'), 'tool', 'start');
  return addNode(first.document, 'transform', first.id).document;
};

test('a new node comes between the selected node and the one that follows it', () => {
  const document = chain();
  expect(document.nodes.map(({ node_id, next }) => [node_id, next])).toEqual([
    ['start', 'tool'],
    ['tool', 'transform'],
    ['transform', 'end'],
    ['end', undefined],
  ]);
});

test('a node without a selection is not connected, and its id is free', () => {
  const { document, id } = addNode(chain(), 'tool');
  expect(id).toBe('tool_2');
  expect(nodeOf(document, id)).toEqual({ node_id: 'tool_2', type: 'tool', tool: '' });
});

test('a node after a condition takes the branch that is free', () => {
  const condition = addNode(emptyDocument('a', 'A'), 'typed_condition', 'start');
  expect(nodeOf(condition.document, condition.id)).toMatchObject({ if_true: 'end' });
  const { document } = addNode(condition.document, 'end', condition.id);
  expect(nodeOf(document, condition.id)).toMatchObject({ if_true: 'end', if_false: 'end_2' });
});

test('an end after a connected node does not cut off what follows', () => {
  expect(nodeOf(addNode(chain(), 'end', 'tool').document, 'tool')).toMatchObject({ next: 'transform' });
});

test('ports connect and disconnect, also those of options', () => {
  const { document, id } = addNode(chain(), 'llm_condition');
  const connected = connect(document, id, 'branch_targets.yes', 'end');
  expect(nodeOf(connected, id)).toMatchObject({ branch_targets: { yes: 'end' } });
  expect(nodeOf(disconnect(connected, id, 'branch_targets.yes'), id)).toMatchObject({ branch_targets: {} });
  expect(nodeOf(disconnect(connected, 'tool', 'next'), 'tool')).not.toHaveProperty('next');
});

test('edges to a removed node lead to the node after it', () => {
  const document = removeNodes(chain(), ['tool', 'transform']);
  expect(document.nodes).toEqual(emptyDocument('a', 'A').nodes);
  expect(nodeOf(removeNodes(chain(), ['end']), 'transform')).not.toHaveProperty('next');
});

test('nodes that lead to each other can be removed together', () => {
  const document = connect(chain(), 'transform', 'next', 'tool');
  expect(nodeOf(removeNodes(document, ['tool', 'transform']), 'start')).not.toHaveProperty('next');
});

test('a renamed node keeps its edges, templates and expressions', () => {
  const read = setField(chain(), 'tool', 'args', {
    path: '{{start.a}}',
    list: ['{{ tool.x }}', '{{tool_2}}'],
  });
  const document = renameNode(
    setField(read, 'transform', 'expression', '$nodes.tool.x + $nodes.tools'),
    'tool',
    'read-log',
  );
  expect(nodeOf(document, 'start')).toMatchObject({ next: 'read-log' });
  expect(nodeOf(document, 'read-log')?.['args']).toEqual({
    path: '{{start.a}}',
    list: ['{{ read-log.x }}', '{{tool_2}}'],
  });
  expect(nodeOf(document, 'transform')?.['expression']).toBe('$nodes.`read-log`.x + $nodes.tools');
  expect(renameNode(document, 'start', 'begin').start).toBe('begin');
});

test('a field without a value is removed', () => {
  expect(nodeOf(setField(chain(), 'tool', 'tool', undefined), 'tool')).not.toHaveProperty('tool');
  expect(setSetting(chain(), 'description', 'x')).toMatchObject({ description: 'x' });
  expect(setSetting(chain(), 'version', undefined)).not.toHaveProperty('version');
});

test('a quick fix sets or removes the value at its pointer', () => {
  expect(nodeOf(applyFix(chain(), { pointer: '/nodes/1/tool', value: 'files.read' }), 'tool')).toMatchObject({
    tool: 'files.read',
  });
  expect(nodeOf(applyFix(chain(), { pointer: '/nodes/1/tool' }), 'tool')).not.toHaveProperty('tool');
  expect(applyFix(chain(), { pointer: '/nodes/99/tool', value: 1 })).toEqual(chain());
});
