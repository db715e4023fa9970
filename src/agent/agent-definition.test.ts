import { expect, test } from 'vitest';
import { agentToolProblems, offersTool, parseAgent } from './agent-definition.ts';

const codes = (fields: Record<string, unknown>): string[] =>
  parseAgent(fields, '').problems.map(({ code }) => code);

test('reads an agent with every field', () => {
  const fields = {
    name: 'ada',
    description: 'reviews',
    provider: 'openai',
    model: 'large',
    fallback: ['ollama/small'],
    temperature: 0.5,
    top_p: 0.9,
    contextRole: 'writer',
    tools: 'files.*, process.run',
    budgets: { steps: 5, cost_usd: 0.5 },
  };
  expect(parseAgent(fields, '\nYou are Ada.\n')).toEqual({
    problems: [],
    agent: {
      name: 'ada',
      description: 'reviews',
      model: { provider: 'openai', model: 'large', fallback: ['ollama/small'] },
      temperature: 0.5,
      topP: 0.9,
      contextRole: 'writer',
      tools: ['files.*', 'process.run'],
      budgets: { steps: 5, cost_usd: 0.5 },
      persona: 'You are Ada.',
    },
  });
});

test('reads an agent that names no model', () => {
  expect(parseAgent({ name: 'ada' }, '')).toEqual({ problems: [], agent: { name: 'ada', persona: '' } });
});

test('reads a model without a provider as the name of a configured one', () => {
  const { agent } = parseAgent({ name: 'ada', model: 'house', temperature: 0.1 }, '');
  expect(agent).toEqual({ name: 'ada', model: { configured: 'house' }, temperature: 0.1, persona: '' });
});

test('reports every field that it does not know, with a suggestion', () => {
  const { agent, problems } = parseAgent({ name: 'ada', contextrole: 'reader', personna: 'x' }, '');
  expect(agent).toBeUndefined();
  expect(problems).toEqual([
    {
      code: 'agent.unknown_field',
      field: 'contextrole',
      message: 'agents have no field "contextrole"',
      next: 'Did you mean "contextRole"?',
    },
    expect.objectContaining({ field: 'personna', next: expect.stringContaining('Known are name') }),
  ]);
});

test('reports all invalid fields at once', () => {
  const { problems } = parseAgent({ temperature: 'hot', contextRole: 'owner', budgets: { steps: -1 } }, '');
  expect(problems.map(({ field }) => field)).toEqual(['name', 'temperature', 'contextRole', 'budgets.steps']);
  expect(problems[0]).toMatchObject({ message: 'the front matter has no name' });
});

test.each([
  ['a', []],
  ['Ada_2-b', []],
  ['a'.repeat(64), []],
  ['a'.repeat(65), ['agent.name_invalid']],
  ['-a', ['agent.name_invalid']],
  ['a.b', ['agent.name_invalid']],
  ['a/b', ['agent.name_invalid']],
  ['ädä', ['agent.name_invalid']],
  ['user', ['agent.name_invalid']],
  ['USER', ['agent.name_invalid']],
  ['all', ['agent.name_invalid']],
  ['users', []],
])('validates the name %s', (name, expected) => {
  expect(codes({ name })).toEqual(expected);
});

test.each([
  [{ provider: 'openai', model: 'm' }, []],
  [{ provider: 'scripted', script: 's.json' }, []],
  [{ provider: 'openai' }, ['agent.model_missing']],
  [{ provider: 'scripted' }, ['agent.script_missing']],
  [{ provider: 'openai', model: 'm', script: 's' }, ['agent.field_invalid']],
  [{ provider: 'gpt' }, ['agent.unknown_provider']],
  [{ script: 's' }, ['agent.unknown_provider']],
  [{ temperature: 1, top_p: 0.5 }, []],
  [{ top_p: 1.5 }, ['agent.field_invalid']],
  [{ model: 'house' }, []],
  [{ model: 'house', fallback: ['other'] }, ['agent.unknown_provider']],
])('validates the model %o', (fields, expected) => {
  expect(codes({ name: 'ada', ...fields })).toEqual(expected);
});

test.each([
  ['files.read', 'files.read', true],
  ['files.read', 'files.reader', false],
  ['files.*', 'files.read', true],
  ['files.*', 'files', false],
  ['*', 'anything.at.all', true],
  ['*.read', 'skills.read', true],
  ['f*.r*d', 'files.read', true],
  ['ab*ba', 'aba', false],
  ['a**b', 'ab', true],
])('the pattern %s and the tool %s', (pattern, tool, expected) => {
  expect(offersTool({ tools: [pattern] }, tool)).toBe(expected);
});

test('offers every tool to an agent that names none, and no tool to one with an empty list', () => {
  expect(offersTool({}, 'files.read')).toBe(true);
  expect(offersTool({ tools: [] }, 'files.read')).toBe(false);
});

test('names the patterns that match no tool', () => {
  expect(agentToolProblems(['files.*', 'file.read', 'web.*'], ['files.read'])).toEqual([
    {
      code: 'agent.unknown_tool',
      field: 'tools',
      message: 'no tool matches "file.read"',
      next: 'Did you mean "files.read"?',
    },
    expect.objectContaining({ next: 'See: oka tools list.' }),
  ]);
});
