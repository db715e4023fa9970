import { expect, it } from 'vitest';
import { BRIEF, briefToJson } from './brief.ts';
import { chooseModel, modelOfRun, NO_MODEL } from './choose-model.ts';

const anton = { name: 'anton' };
const withModel = { name: 'ada', model: { provider: 'openai', model: 'gpt-4o-mini' } };

it.each([
  ['the model that the run names', { named: 'big', agent: withModel, defaultModel: 'small' }, 'big'],
  [
    'no model when the run names none',
    { named: NO_MODEL, agent: withModel, defaultModel: 'small' },
    undefined,
  ],
  ["the model of the agent's file", { agent: withModel, defaultModel: 'small' }, 'agent:ada'],
  [
    "the configured model that the agent's file names",
    { agent: { name: 'eve', model: { configured: 'house' } }, defaultModel: 'small' },
    'house',
  ],
  ['the default model', { agent: anton, defaultModel: 'small' }, 'small'],
  ['no model where none is configured', { agent: anton, defaultModel: undefined }, undefined],
])('chooses %s', (_, choice, expected) => {
  expect(chooseModel(choice)).toBe(expected);
});

it('keeps the model that the brief recorded, unless the run names another', () => {
  const brief = { agent: 'ada', model: 'agent:ada', persona: '', instructions: [], skills: [] };
  const recorded = {
    step: 0,
    state: 'intake',
    source: 'recall',
    tool: BRIEF,
    output: briefToJson(brief),
  } as const;
  expect(modelOfRun({ vars: {}, evidence: [recorded] })).toBe('agent:ada');
  expect(modelOfRun({ vars: { model: 'big' }, evidence: [recorded] })).toBe('big');
  expect(modelOfRun({ vars: { model: NO_MODEL }, evidence: [recorded] })).toBeUndefined();
  expect(modelOfRun({ vars: {}, evidence: [] })).toBeUndefined();
});
