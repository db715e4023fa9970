import { describe, expect, it } from 'vitest';
import type { Json, JsonObject } from '../kernel/index.ts';
import { findSchemaIssues } from './json-schema.ts';

const schema: JsonObject = {
  type: 'object',
  properties: {
    path: { type: 'string', minLength: 2, pattern: '^(a+)+$' },
    count: { type: ['integer', 'null'] },
    mode: { enum: ['fast', 'slow'] },
    nested: { type: 'object', properties: { deep: { type: 'boolean' } }, additionalProperties: false },
    list: { type: 'array', items: { type: 'number' } },
    either: {
      anyOf: [{ type: 'number' }, { type: 'object', required: ['x'], properties: { x: { type: 'number' } } }],
    },
  },
  required: ['path'],
  additionalProperties: false,
};

const issues = (value: Json, templates = true): string[] =>
  findSchemaIssues(schema, value, { templates }).map(({ kind, path }) => `${kind} ${path.join('.')}`);

describe('findSchemaIssues', () => {
  it('finds missing and unknown fields, wrong types and values that are not allowed', () => {
    expect(issues({ paht: 'x', count: 1.5, mode: 'fats', nested: { dep: true }, list: [1, 'two'] })).toEqual([
      'missing path',
      'wrong_type count',
      'invalid mode',
      'unknown nested.dep',
      'wrong_type list.1',
      'unknown paht',
    ]);
  });

  it('suggests the key or the value that was meant', () => {
    const [missing, mode, unknown] = findSchemaIssues(schema, { paht: 'x', mode: 'fats' });
    expect(missing?.suggestion).toBe('Add "path".');
    expect(mode?.suggestion).toBe('Did you mean "fast"?');
    expect(unknown?.suggestion).toBe('Did you mean "path"?');
  });

  it('accepts a whole template for any type, at any depth', () => {
    const any = '{{input.x}}';
    expect(issues({ path: any, count: any, mode: any, nested: any, list: [any], either: any })).toEqual([]);
    expect(issues({ path: 'ab', nested: { deep: any }, either: { x: any } })).toEqual([]);
    expect(issues({ path: 'ab', either: { y: any } })).not.toEqual([]);
  });

  it('treats a template inside a text as unknown text', () => {
    expect(issues({ path: '{{x}}!', mode: 'f{{x}}' })).toEqual([]);
    expect(issues({ path: 'ab', count: 'n{{x}}', list: ['{{x}} '] })).toEqual([
      'wrong_type count',
      'wrong_type list.0',
    ]);
  });

  it('treats templates as plain text without the option', () => {
    expect(issues({ path: '{{x}}', mode: '{{x}}' }, false)).toEqual(['invalid mode']);
  });

  it.each<[string, JsonObject]>([
    ['a condition', { if: { type: 'object' }, then: { required: ['a'] } }],
    ['a negation', { not: { type: 'object' } }],
    ['a reference without a target', { $ref: '#/$defs/none' }],
    ['a reference elsewhere', { $ref: 'https://example.com/schema.json' }],
    ['a reference to itself', { $ref: '#/$defs/a', $defs: { a: { $ref: '#/$defs/a' } } }],
    [
      'patterns for keys',
      { type: 'object', patternProperties: { '(a+)+$': {} }, additionalProperties: false },
    ],
    ['a type that does not exist', { type: 'thing' }],
  ])('ignores %s', (_, strange) => {
    expect(findSchemaIssues(strange, { aaa: 1 })).toEqual([]);
  });

  it('follows references inside the schema', () => {
    const tree: JsonObject = {
      $ref: '#/$defs/node',
      $defs: {
        node: { type: 'object', properties: { n: { type: 'number' }, next: { $ref: '#/$defs/node' } } },
      },
    };
    expect(findSchemaIssues(tree, { n: 1, next: { next: { n: 'x' } } })).toMatchObject([
      { path: ['next', 'next', 'n'] },
    ]);
  });
});
