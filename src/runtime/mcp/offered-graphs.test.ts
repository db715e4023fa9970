import { expect, test } from 'vitest';
import { graphOfTool, graphPrompt, graphTool, inputOf } from './offered-graphs.ts';

const graph = (input?: object) => ({
  id: 'report',
  name: 'Report',
  ...(input ? { input: input as never } : {}),
});

test('a graph with an object input gets the arguments unchanged', () => {
  const report = graph({ type: 'object', properties: { day: { type: 'string' } }, required: ['day'] });
  expect(graphTool(report).input).toEqual(report.input);
  expect(inputOf(report, { day: 'monday' })).toEqual({ day: 'monday' });
});

test('a graph with another input gets it as one argument, and references still resolve', () => {
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

test('a graph without an input schema accepts any arguments', () => {
  expect(graphTool(graph()).input).toEqual({ type: 'object' });
  expect(inputOf(graph(), { a: 1 })).toEqual({ a: 1 });
});

test('no tool of another kind is treated as a graph', () => {
  expect(graphOfTool(graphTool(graph()).name)).toBe('report');
  expect(graphOfTool('graph.report')).toBeUndefined();
});

test('a prompt has an argument for each input field', () => {
  const day = { type: 'string', description: 'Which day.' };
  const report = graph({ type: 'object', properties: { day, full: { type: 'boolean' } }, required: ['day'] });
  expect(graphPrompt(report).arguments).toEqual([
    { name: 'day', description: 'Which day.', required: true },
    { name: 'full', required: false },
  ]);
});
