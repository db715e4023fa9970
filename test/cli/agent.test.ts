import { expect, test } from 'vitest';
import { WorkspaceFolder } from '../../src/adapters/workspace/index.ts';
import type { AgentCheckAnswer, AgentDetails, AgentView } from '../../src/api/index.ts';
import { Workspace } from './oka-process.ts';

const NEW = ['agent', 'new', 'ada', '--provider', 'scripted', '--script', 'ada.json'];
const SCRIPT = { 'ada.json': '{"turns":[{"text":"Yes."}]}' };

test('agent list shows the built-in agent if there are no agent files', async () => {
  const { exitCode, data } = await Workspace.trusted().answer<{ agents: AgentView[] }>('agent', 'list');
  expect(exitCode).toBe(0);
  expect(data.agents).toEqual([{ name: 'anton', description: expect.any(String), valid: true }]);
});

test('agent new writes a file that agent show reads', async () => {
  const workspace = Workspace.trusted({ files: SCRIPT });
  const more = ['--persona', 'You are Ada: brief.', '--tools', 'files.*, skills.read', '--budget', 'steps=9'];
  const created = await workspace.answer<{ agent: AgentDetails }>(
    ...NEW,
    ...more,
    '--context-role',
    'writer',
  );
  expect(created.exitCode).toBe(0);
  const { data } = await workspace.answer<{ agent: AgentDetails }>('agent', 'show', 'ada');
  expect(data).toMatchObject(created.data);
  expect(data.agent).toEqual({
    name: 'ada',
    provider: 'scripted',
    script: 'ada.json',
    contextRole: 'writer',
    tools: ['files.*', 'skills.read'],
    budgets: { steps: 9 },
    path: '.oka/agents/ada.md',
    valid: true,
    persona: 'You are Ada: brief.',
    problems: [],
    answeredBy: 'scripted',
  });
  expect(workspace.text('.oka/agents/ada.md')).toMatch(
    /^---\nname: ada\n[\s\S]*\n---\n\nYou are Ada: brief\.\n$/,
  );
  expect(await workspace.refusal(...NEW)).toMatchObject({ exitCode: 3, error: { code: 'agent.exists' } });
});

test.each([
  ['an unknown provider', ['ada', '--provider', 'opnai', '--model', 'm'], 'Did you mean "openai"?'],
  ['no model', ['ada', '--provider', 'ollama'], 'none is named'],
  ['a model that is not configured', ['ada', '--model', 'm'], 'No model "m"'],
  ['a missing script', ['ada', '--provider', 'scripted', '--script', 'no.json'], 'no.json cannot be read'],
  ['an unknown tool', ['ada', '--tools', 'files.raed'], 'Did you mean "files.read"?'],
  ['an unknown budget', ['ada', '--budget', 'step=3'], 'Did you mean "steps"?'],
  ['the name of all people', ['user'], 'is reserved in conversations'],
  ['the name of everybody', ['all'], 'is reserved in conversations'],
  ['a name that is a path', ['../ada'], 'cannot be the name of an agent'],
])('agent new rejects %s', async (_, args, sentence) => {
  const workspace = Workspace.trusted();
  const { exitCode, error } = await workspace.refusal('agent', 'new', ...args);
  expect({ exitCode, code: error.code }).toEqual({ exitCode: 3, code: 'agent.invalid' });
  expect(error.message).toContain(sentence);
  expect((await workspace.answer<{ agents: AgentView[] }>('agent', 'list')).data.agents).toHaveLength(1);
});

test('agent new writes nothing in a workspace that is not trusted', async () => {
  const workspace = new Workspace({ files: SCRIPT });
  new WorkspaceFolder(workspace.root).create();
  expect(await workspace.refusal(...NEW)).toMatchObject({
    exitCode: 4,
    error: { code: 'config.not_trusted' },
  });
  expect(workspace.has('.oka/agents/ada.md')).toBe(false);
});

test('agent check lists every problem with a fix and exits with 3', async () => {
  const workspace = Workspace.trusted({
    files: {
      '.oka/agents/bob.md': '---\nname: bob\nprovder: ollama\ncontextRole: owner\n---\nYou are Bob.\n',
    },
  });
  const { exitCode, data } = await workspace.answer<AgentCheckAnswer>('agent', 'check');
  expect(exitCode).toBe(3);
  expect(data).toMatchObject({
    valid: false,
    agents: [
      { name: 'anton', valid: true },
      {
        name: 'bob',
        path: '.oka/agents/bob.md',
        problems: [
          { code: 'agent.unknown_field', field: 'provder', next: 'Did you mean "provider"?' },
          { code: 'agent.field_invalid', field: 'contextRole' },
        ],
      },
    ],
  });
  const { stdout } = await workspace.oka('agent', 'check');
  expect(stdout).toContain('✗ .oka/agents/bob.md: agents have no field "provder". Did you mean "provider"?');
  expect((await workspace.answer<AgentCheckAnswer>('agent', 'check', 'anton')).exitCode).toBe(0);
  expect(await workspace.refusal('agent', 'check', 'antn')).toMatchObject({
    exitCode: 3,
    error: { code: 'agent.unknown', message: expect.stringContaining('Did you mean "anton"?') },
  });
  expect(await workspace.refusal('agent', 'stop', 'antn')).toMatchObject({
    exitCode: 3,
    error: { code: 'agent.unknown' },
  });
});
