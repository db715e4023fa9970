import { expect, test } from 'vitest';
import { graphJsonSchema } from '../../src/graph/index.ts';
import { addNode, emptyDocument } from '../../web/src/pages/graphs/document/edit-document.ts';
import {
  fieldsOf,
  nodeSchemaOf,
  nodeTypesOf,
  readValue,
  showValue,
} from '../../web/src/pages/graphs/document/form-fields.ts';
import { NODE_KINDS } from '../../web/src/parts/graph-canvas/node-kinds.ts';

const schema = graphJsonSchema();

test('every type of node of the product has a name, a form and first fields', () => {
  const types = nodeTypesOf(schema).map(({ type }) => type);
  expect(types.toSorted()).toEqual(Object.keys(NODE_KINDS).toSorted());
  for (const type of types) {
    const { document, id } = addNode(emptyDocument('a', 'A'), type, 'start');
    const node = document.nodes.find(({ node_id }) => node_id === id);
    const names = fieldsOf(nodeSchemaOf(schema, type)).map(({ name }) => name);
    expect(names).toEqual(expect.arrayContaining(Object.keys(node ?? {})));
  }
});

test('the fields of a tool node have kinds, the required first', () => {
  const fields = fieldsOf(nodeSchemaOf(schema, 'tool'), ['node_id', 'type', 'next', 'on_error']);
  expect(fields.map(({ name, kind }) => [name, kind])).toEqual([
    ['tool', 'line'],
    ['description', 'text'],
    ['input', 'value'],
    ['args', 'value'],
    ['idempotency_key', 'line'],
    ['timeout_seconds', 'value'],
    ['max_retries', 'value'],
    ['fallback_output', 'value'],
  ]);
});

test('choices, lists of text and objects have their own kinds', () => {
  const kinds = (type: string) =>
    Object.fromEntries(fieldsOf(nodeSchemaOf(schema, type)).map(({ name, kind }) => [name, kind]));
  expect(kinds('typed_condition')).toMatchObject({ operator: 'choice', left: 'value' });
  expect(kinds('approval')).toMatchObject({ options: 'lines', question: 'text' });
  expect(kinds('ai_template')).toMatchObject({ output_schema: 'json' });
});

test.each([['{{last.x}}'], ['10'], [10], [true], [null], [{ a: [1] }], [''], ['two\nlines']])(
  'the value %j is read as it is shown',
  (value) => {
    expect(readValue(showValue(value))).toEqual(value);
  },
);

test('reads empty text as no value', () => {
  expect(readValue('  ')).toBeUndefined();
  expect(showValue(undefined)).toBe('');
});
