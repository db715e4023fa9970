import { expect, test } from 'vitest';
import { graphOfTool, graphPrompt, graphTool, inputOf } from './offered-graphs.ts';

const graph = (input?: object) => ({
  id: 'report',
  name: 'Report',
  ...(input ? { input: input as never } : {}),
});

test('a graph that takes an object takes the arguments as they are', () => {
  const report = graph({ type: 'object', properties: { day: { type: 'string' } }, required: ['day'] });
  expect(graphTool(report).input).toEqual(report.input);
  expect(inputOf(report, { day: 'monday' })).toEqual({ day: 'monday' });
});

test('a graph that takes something else takes it as one argument, and references still lead somewhere', () => {
  const list = graph({ type: 'array', items: { $ref: '#/$defs/day' }, $defs: { day: { type: 'string' } } });
  expect(graphTool(list).input).toEqual({
    type: 'object',
    properties: {
      input: {
        type: 'array',
        items: { $ref: '#/properties/input/$defs/day' },
        $defs: { day: { type: 'string' } },
      },
    },
    required: ['input'],
  });
  expect(inputOf(list, { input: ['monday'] })).toEqual(['monday']);
  expect(inputOf(list, {})).toBeNull();
});

test('a graph that says nothing of its input takes any arguments', () => {
  expect(graphTool(graph()).input).toEqual({ type: 'object' });
  expect(inputOf(graph(), { a: 1 })).toEqual({ a: 1 });
});

test('no tool of another kind is taken for a graph', () => {
  expect(graphOfTool(graphTool(graph()).name)).toBe('report');
  expect(graphOfTool('graph.report')).toBeUndefined();
});

test('a prompt asks for what the input has', () => {
  const day = { type: 'string', description: 'Which day.' };
  const report = graph({ type: 'object', properties: { day, full: { type: 'boolean' } }, required: ['day'] });
  expect(graphPrompt(report).arguments).toEqual([
    { name: 'day', description: 'Which day.', required: true },
    { name: 'full', required: false },
  ]);
});
