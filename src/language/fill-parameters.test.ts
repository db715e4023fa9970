import { describe, expect, it } from 'vitest';
import { fakeTool } from '../../test/support/fake-tool.ts';
import type { JsonObject } from '../kernel/index.ts';
import { fillParameters } from './fill-parameters.ts';
import { readGoal } from './read-goal.ts';
import type { ReadableTool } from './types.ts';

function fill(goal: string, tool: ReadableTool): { input: JsonObject; missing: string[] } {
  const { input, missing } = fillParameters(readGoal(goal), tool);
  return { input, missing: missing.map(({ name }) => name) };
}

const text = { type: 'string' };
const search = fakeTool('files.search', { query: text, path: text, limit: { type: 'integer' } }, ['query']);
const write = fakeTool('files.write', { path: text, content: text }, ['path', 'content']);
const move = fakeTool('files.move', { from: text, to: text }, ['from', 'to']);

describe('filling parameters from a goal', () => {
  it.each([
    ['search for "a b" in src', { query: 'a b', path: 'src' }],
    ['search for how to configure hooks in src/engine', { query: 'configure hooks', path: 'src/engine' }],
    ['find budget checks under src', { query: 'budget checks', path: 'src' }],
    ['search for "x" in "my folder"', { query: 'x', path: 'my folder' }],
    ['search for x limit 5', { query: 'x', limit: 5 }],
    ['search about "x" with limit 5', { query: 'x', limit: 5 }],
  ])('takes a query and a place: %s', (goal, input) => {
    expect(fill(goal, search)).toEqual({ input, missing: [] });
  });

  it.each([
    ['write "hello" to notes.txt', { path: 'notes.txt', content: 'hello' }, []],
    ['write "hello" to "my notes.txt"', { path: 'my notes.txt', content: 'hello' }, []],
    ['write "" to a.txt', { path: 'a.txt', content: '' }, []],
    ['write "hello"', { content: 'hello' }, ['path']],
    ['write to ./a.txt', { path: 'a.txt' }, ['content']],
    ['write', {}, ['path', 'content']],
  ])('takes a path and content: %s', (goal, input, missing) => {
    expect(fill(goal, write)).toEqual({ input, missing });
  });

  it.each([
    ['move a.txt to b.txt', { from: 'a.txt', to: 'b.txt' }, []],
    ['move to b.txt the file a.txt', { from: 'a.txt', to: 'b.txt' }, []],
    ['move a.txt', { from: 'a.txt' }, ['to']],
  ])('distinguishes source and destination: %s', (goal, input, missing) => {
    expect(fill(goal, move)).toEqual({ input, missing });
  });

  it('takes addresses, dates, numbers, times and choices', () => {
    const fetch = fakeTool('http.fetch', { url: text, method: { type: 'string', enum: ['GET', 'HEAD'] } }, [
      'url',
    ]);
    expect(fill('fetch https://example.com/x with HEAD', fetch).input).toEqual({
      url: 'https://example.com/x',
      method: 'HEAD',
    });
    const wait = fakeTool('engine.wait', { seconds: { type: 'number' }, until: text });
    expect(fill('wait 2 minutes', wait).input).toEqual({ seconds: 120 });
    expect(fill('wait 1.5 seconds', wait).input).toEqual({ seconds: 1.5 });
    expect(fill('wait until 2030-01-31', wait).input).toEqual({ until: '2030-01-31T00:00:00Z' });
    const pick = fakeTool('dice.roll', { sides: { type: 'integer' } }, ['sides']);
    expect(fill('roll 6', pick).input).toEqual({ sides: 6 });
    expect(fill('roll 6 or 8', pick).missing).toEqual(['sides']);
  });

  it('takes other texts only after the name of the parameter', () => {
    const event = fakeTool('engine.wait_event', { event: text }, ['event']);
    expect(fill('wait for event deployed', event).input).toEqual({ event: 'deployed' });
    expect(fill('wait for the weekend', event).missing).toEqual(['event']);
  });

  it('reports parts without a parameter, and quantifiers for a tool that acts on one thing', () => {
    const unplaced = (goal: string, tool: ReadableTool) => fillParameters(readGoal(goal), tool).unplaced;
    expect(unplaced('move a.txt to b.txt by tomorrow', move)).toEqual(['tomorrow']);
    expect(unplaced('move all of a.txt to b.txt', move)).toEqual(['all']);
    expect(unplaced('search for x in all files', search)).toEqual([]);
  });

  it('resolves references to earlier steps', () => {
    const earlier = {
      text: () => '{{list}}',
      named: (word: string) => (word === 'entries' ? '{{list.entries}}' : undefined),
      field: (name: string) => `{{list.${name}}}`,
    };
    const filled = (goal: string, tool: ReadableTool) => fillParameters(readGoal(goal), tool, earlier).input;
    expect(filled('write it to a.txt', write)).toEqual({ path: 'a.txt', content: '{{list}}' });
    expect(filled('write the entries to a.txt', write)).toEqual({
      path: 'a.txt',
      content: '{{list.entries}}',
    });
    const remove = fakeTool('files.delete', { path: text }, ['path']);
    expect(filled('delete it', remove)).toEqual({ path: '{{list.path}}' });
  });

  it('splits the quoted command line of a program', () => {
    const run = fakeTool('process.run', { argv: { type: 'array', items: text } }, ['argv']);
    expect(fill('run `npm  test`', run)).toEqual({ input: { argv: ['npm', 'test'] }, missing: [] });
    expect(fill('run the linter', run).missing).toEqual(['argv']);
  });

  it('invents no value for a structured parameter', () => {
    const flags = fakeTool('x.set', { force: { type: 'boolean' }, items: { type: 'array' } }, ['force']);
    expect(fill('set force', flags)).toEqual({ input: {}, missing: ['force'] });
  });
});
