import { existsSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, test } from 'vitest';
import { DEFAULT_AGENT } from '../../src/agent/index.ts';
import { Agents, type AgentsOptions } from '../../src/runtime/agents/agents.ts';
import { tempFolder } from '../support/temp-folder.ts';

function workspaceWith(
  files: Readonly<Record<string, string>> = {},
  options: Partial<AgentsOptions> = {},
): { root: string; agents: Agents } {
  const root = tempFolder();
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(root, path)), { recursive: true });
    writeFileSync(join(root, path), text);
  }
  const toolNames = async () => ['files.list', 'files.read', 'process.run'];
  return {
    root,
    agents: new Agents({ workspace: root, requireTrust: () => undefined, toolNames, ...options }),
  };
}

const ADA =
  '---\nname: ada\nprovider: scripted\nscript: ada.json\ncontextRole: writer\n---\n\nYou are Ada.\n';

test('has the built-in agent without a file, which a file of its name replaces', async () => {
  const { agents } = workspaceWith();
  expect(await agents.list()).toEqual([
    { name: 'anton', description: DEFAULT_AGENT.description, valid: true },
  ]);
  expect(await agents.load('anton')).toEqual(DEFAULT_AGENT);
  const replaced = workspaceWith({ '.oka/agents/anton.md': '---\nname: anton\n---\nYou are brief.' });
  expect(await replaced.agents.list()).toEqual([
    { name: 'anton', path: '.oka/agents/anton.md', valid: true },
  ]);
  expect(await replaced.agents.load('anton')).toEqual({ name: 'anton', persona: 'You are brief.' });
});

test('a broken file of the built-in agent does not restore the built-in one', async () => {
  const { agents } = workspaceWith({ '.oka/agents/anton.md': 'You are brief.' });
  await expect(agents.load('anton')).rejects.toMatchObject({ code: 'agent.invalid' });
});

test('loads agents that people wrote', async () => {
  const { agents } = workspaceWith({ '.oka/agents/ada.md': ADA, 'ada.json': '{"turns":[]}' });
  expect(await agents.load('ada')).toEqual({
    name: 'ada',
    model: { provider: 'scripted', script: 'ada.json' },
    contextRole: 'writer',
    persona: 'You are Ada.',
  });
  await expect(agents.load('adda')).rejects.toThrow('Did you mean "ada"?');
});

test('checks every agent: its file, its model and its tools', async () => {
  const { root, agents } = workspaceWith(
    {
      '.oka/agents/ada.md': ADA,
      '.oka/agents/bob.md': '---\nname: bobby\n---\n',
      '.oka/agents/cy.md': '---\nname: cy\ntools: [files.raed, "files.*"]\n---\n',
      '.oka/agents/dot.md': '---\nname: [\n---\n',
      '.oka/agents/eve.md': '---\nname: eve\nprovider: openai\nmodel: m\n---\n',
    },
    {
      checkModel: async (model) =>
        'provider' in model && model.provider === 'openai' ? [{ message: 'there is no key' }] : [],
    },
  );
  symlinkSync(join(root, '.oka/agents/ada.md'), join(root, '.oka/agents/fay.md'));
  const { valid, agents: found } = await agents.check();
  expect(valid).toBe(false);
  expect(
    Object.fromEntries(found.map(({ name, problems }) => [name, problems.map(({ code }) => code)])),
  ).toEqual({
    anton: [],
    ada: ['agent.script_unreadable'],
    bob: ['agent.name_differs'],
    cy: ['agent.unknown_tool'],
    dot: ['agent.unreadable'],
    eve: ['agent.model_unusable'],
    fay: ['agent.unreadable'],
  });
  expect(found.find(({ name }) => name === 'cy')?.problems).toMatchObject([
    { message: 'no tool matches "files.raed"', next: 'Did you mean "files.read"?' },
  ]);
});

test('writes an agent that it then loads as requested', async () => {
  const { root, agents } = workspaceWith({ 'ada.json': '{}' });
  const created = await agents.create({
    name: 'ada',
    description: 'reviews: code # and prose',
    provider: 'scripted',
    script: 'ada.json',
    temperature: 0.2,
    contextRole: 'reader',
    tools: ['files.*'],
    budgets: { steps: 10 },
    persona: '---\nYou are "Ada": careful.\n---',
  });
  expect(created).toMatchObject({ path: '.oka/agents/ada.md', valid: true, problems: [] });
  expect(await agents.load('ada')).toEqual({
    name: 'ada',
    description: 'reviews: code # and prose',
    model: { provider: 'scripted', script: 'ada.json' },
    temperature: 0.2,
    contextRole: 'reader',
    tools: ['files.*'],
    budgets: { steps: 10 },
    persona: '---\nYou are "Ada": careful.\n---',
  });
  const text = readFileSync(join(root, '.oka/agents/ada.md'), 'utf8');
  for (const name of ['ada', 'Ada'])
    await expect(agents.create({ name })).rejects.toMatchObject({ code: 'agent.exists' });
  expect(readFileSync(join(root, '.oka/agents/ada.md'), 'utf8')).toBe(text);
});

test.each([
  [{ name: 'user' }, 'agent.name_invalid'],
  [{ name: 'All' }, 'agent.name_invalid'],
  [{ name: '../ada' }, 'agent.name_invalid'],
  [{ name: 'a b' }, 'agent.name_invalid'],
  [{ name: 'ada', provider: 'opnai', model: 'm' }, 'agent.unknown_provider'],
  [{ name: 'ada', model: 'm' }, 'agent.model_unusable'],
  [{ name: 'ada', model: 'm', fallback: ['n'] }, 'agent.unknown_provider'],
  [{ name: 'ada', provider: 'ollama' }, 'agent.model_missing'],
  [{ name: 'ada', provider: 'scripted' }, 'agent.script_missing'],
  [{ name: 'ada', provider: 'scripted', script: 'absent.json' }, 'agent.script_unreadable'],
  [{ name: 'ada', provider: 'anthropic', model: 'm' }, 'agent.model_unusable'],
  [{ name: 'ada', tools: ['files.raed'] }, 'agent.unknown_tool'],
  [{ name: 'ada', budgets: { stepps: 3 } }, 'agent.unknown_budget'],
])('refuses to write %o', async (request, code) => {
  const { root, agents } = workspaceWith({}, { checkModel: async () => [{ message: 'there is no key' }] });
  await expect(agents.create(request)).rejects.toMatchObject({
    code: 'agent.invalid',
    data: { problems: [{ code }] },
  });
  expect(existsSync(join(root, '.oka'))).toBe(false);
});

test('writes no agent through a link', async () => {
  const { root, agents } = workspaceWith({ 'elsewhere/x': '', '.oka/x': '' });
  symlinkSync(join(root, 'elsewhere'), join(root, '.oka/agents'));
  await expect(agents.create({ name: 'ada' })).rejects.toMatchObject({ code: 'config.link_refused' });
  expect(existsSync(join(root, 'elsewhere/ada.md'))).toBe(false);
});
