import { spawnSync } from 'node:child_process';
import { expect, test } from 'vitest';
import type {
  AddModelAnswer,
  DoctorAnswer,
  ModelList,
  ModelTestView,
  RemoveModelAnswer,
  RunAnswer,
} from '../../src/api/index.ts';
import { fakeProvider } from '../models/fake-provider.ts';
import { addModel } from './models-kit.ts';
import { toRefusal, Workspace } from './oka-process.ts';
import { noTerminal, Terminal } from './terminal.ts';

const KEY = 'sk-fake-0123456789abcdef3f';

interface StoredConfig {
  readonly models: Readonly<Record<string, object>>;
  readonly default_model?: string;
}

function configOf(workspace: Workspace): StoredConfig {
  return JSON.parse(workspace.homeText('config.json')) as StoredConfig;
}

/** Whether any file in the folder contains the text. */
function contains(folder: string, text: string): boolean {
  return spawnSync('grep', ['-rqF', text, folder]).status === 0;
}

test('a model is added, tested, listed and removed outside a workspace, and its key is on no disk in plain text', async () => {
  const provider = await fakeProvider({ key: KEY, models: ['gpt-5-mini', 'gpt-4.1'] });
  const workspace = new Workspace();
  const added = await addModel(workspace, provider, { key: KEY, model: 'gpt-5-mini' });
  expect(added).toMatchObject({
    name: 'openai/gpt-5-mini',
    default: 'openai/gpt-5-mini',
    key: 'vault',
    test: { streaming: true, tools: true, json: true, notes: [] },
  });
  expect(configOf(workspace).models).toEqual({
    'openai/gpt-5-mini': {
      provider: 'openai',
      model: 'gpt-5-mini',
      base_url: provider.url,
      api_key: { vault: 'model-openai' },
    },
  });
  expect(contains(workspace.home, KEY)).toBe(false);

  const { data: listed } = await workspace.answer<ModelList>('model', 'list');
  expect(listed.models).toMatchObject([
    {
      name: 'openai/gpt-5-mini',
      isDefault: true,
      from: 'user',
      price: { input: 0.25, output: 2 },
      priceFrom: 'published',
      contextTokens: 200_000,
    },
  ]);
  // The stored key is found again for a second model of the provider.
  const second = await workspace.answer<AddModelAnswer>(
    ...['model', 'add', 'openai', '--url', provider.url, '--model', 'gpt-4.1'],
  );
  expect(second.data).toMatchObject({ name: 'openai/gpt-4.1', default: 'openai/gpt-5-mini', key: 'vault' });
  expect((await workspace.answer<{ default: string }>('model', 'use', 'gpt-4.1')).data.default).toBe(
    'openai/gpt-4.1',
  );
  const tested = await workspace.answer<ModelTestView>('model', 'test');
  expect(tested.data).toMatchObject({ name: 'openai/gpt-4.1', tools: true });
  expect(new Set(provider.keys)).toEqual(new Set([KEY]));

  const first = await workspace.answer<RemoveModelAnswer>('model', 'remove', 'openai/gpt-4.1');
  expect(first.data).toMatchObject({ keyErased: false, default: 'openai/gpt-5-mini' });
  const last = await workspace.answer<RemoveModelAnswer>('model', 'remove', 'openai/gpt-5-mini');
  expect(last.data).toMatchObject({ keyErased: true });
  expect(await workspace.answer<ModelList>('model')).toMatchObject({ data: { models: [] } });
});

test('a model that does not answer is not added, and its key is not stored', async () => {
  const provider = await fakeProvider({ key: KEY });
  const workspace = new Workspace();
  const args = [
    'model',
    'add',
    'openai',
    '--url',
    provider.url,
    '--model',
    'model-1',
    '--key-stdin',
    '--json',
  ];
  const refused = toRefusal(await workspace.okaWith({ input: 'sk-wrong-0123456789abcdefzz' }, ...args));
  expect(refused).toMatchObject({
    exitCode: 6,
    error: {
      code: 'models.key_rejected',
      message:
        'openai rejected the API key (401 "Incorrect API key provided: sk-…zz"). Set a new one: oka model add openai',
    },
  });
  expect((await workspace.answer<ModelList>('model', 'list')).data.models).toEqual([]);
  const missing = await workspace.refusal('model', 'add', 'openai', '--model', 'model-1');
  expect(missing.error.message).toBe(
    'No API key for openai. Set OPENAI_API_KEY, or pass the key with --key-env <variable> or --key-stdin.',
  );
});

test('what a model cannot do is recorded, and a goal that needs tools still works', async () => {
  const says = '{"tool": "files.list", "input": {"path": "."}}';
  const provider = await fakeProvider({ rejectsTools: true, says });
  const workspace = Workspace.trusted();
  const args = ['model', 'add', 'openai-compatible', '--url', provider.url, '--name', 'small'];
  const { data } = await workspace.answer<AddModelAnswer>(...args);
  expect(data.test).toMatchObject({
    tools: false,
    streaming: true,
    notes: ['It cannot call tools. Oka describes the tools in the prompt instead.'],
  });
  expect(configOf(workspace).models['small']).toMatchObject({ tools: false });
  const run = await workspace.answer<RunAnswer>('do', 'look around', '--budget', 'steps=4');
  // The model repeats its call until the budget ends, which shows that the call was made.
  expect(workspace.mirror().filter(({ data: { tool } }) => tool === 'files.list').length).toBeGreaterThan(0);
  expect(run.data.run.failure?.code).not.toBe('models.tools_unsupported');
  const asked = provider.asked.at(-1);
  expect(asked?.tools).toBeUndefined();
  expect(JSON.stringify(asked?.messages)).toContain('You can call these tools');
});

test('the daemon uses a model that was added while it runs', async () => {
  const provider = await fakeProvider({ key: KEY, says: 'Hello from the new model.' });
  const workspace = Workspace.trusted();
  await workspace.answer('up');
  const before = await workspace.answer('do', 'tell me a joke about cats');
  expect(before.data.run).toMatchObject({ status: 'failed', failure: { code: 'agent.goal_not_understood' } });
  expect(before.data.run.failure?.message).toContain('oka model add');

  await addModel(workspace, provider, { key: KEY });
  const after = await workspace.answer('do', 'tell me a joke about cats');
  expect(after.data).toMatchObject({ run: { status: 'completed' }, output: 'Hello from the new model.' });

  const other = await fakeProvider({ key: 'another-key-of-the-provider', says: 'Hello from elsewhere.' });
  await addModel(workspace, other, { key: 'another-key-of-the-provider' });
  const moved = await workspace.answer('do', 'tell me a joke about dogs');
  expect(moved.data.output).toBe('Hello from elsewhere.');
  const { data } = await workspace.answer<{ daemon: unknown }>('status');
  expect(data.daemon).not.toBeNull();
  await workspace.answer('down');
});

test('doctor asks the model, works outside a workspace, and skips models on request', async () => {
  const provider = await fakeProvider({ key: KEY });
  const workspace = new Workspace();
  await addModel(workspace, provider, { key: 'sk-wrong-0123456789abcdefzz' }, '--no-test');
  const asked = await workspace.answer<DoctorAnswer>('doctor');
  const modelCheck = ({ checks }: DoctorAnswer) => checks.find(({ name }) => name === 'model openai/model-1');
  expect({ exitCode: asked.exitCode, ok: asked.data.ok }).toEqual({ exitCode: 1, ok: false });
  expect(modelCheck(asked.data)).toEqual({
    name: 'model openai/model-1',
    ok: false,
    detail:
      'openai rejected the API key (401 "Incorrect API key provided: sk-…zz"). Set a new one: oka model add openai',
  });
  expect(asked.data.checks).toContainEqual({
    name: 'workspace',
    ok: true,
    warning: true,
    detail: `${workspace.root} is no workspace; create one: oka init`,
  });
  const skipped = await workspace.answer<DoctorAnswer>('doctor', '--no-models');
  expect(modelCheck(skipped.data)).toMatchObject({ ok: true, detail: 'configured, not asked, the default' });

  await addModel(workspace, provider, { key: KEY });
  const mended = await workspace.answer<DoctorAnswer>('doctor');
  expect(modelCheck(mended.data)?.detail).toMatch(/^answered in [\d.]+ s, the default$/);
});

test.skipIf(noTerminal)(
  'the picker prompts for provider, key and model, and again for a rejected key',
  async () => {
    const provider = await fakeProvider({
      key: KEY,
      models: ['gpt-5-mini', 'gpt-4.1', 'text-embedding-3-small'],
    });
    const workspace = new Workspace();
    const terminal = new Terminal(workspace, ['model', 'add', '--url', provider.url]);
    await terminal.sees(/OpenAI[\s\S]*Any URL/);
    terminal.press('Enter');
    await terminal.sees(/API key of OpenAI/);
    terminal.type('sk-wrong-0123456789abcdefzz');
    terminal.press('Enter');
    await terminal.sees(/openai rejected the API key[\s\S]*sk-…zz[\s\S]*◆ {2}API key of OpenAI/);
    terminal.type(KEY);
    terminal.press('Enter');
    await terminal.sees(/Model \(type to filter 2\)/);
    terminal.type('mini');
    await terminal.sees(/gpt-5-mini[^\n]*400k context[^\n]*\$0\.25/);
    terminal.press('Enter');
    const screen = await terminal.sees(/Default model for all workspaces: openai\/gpt-5-mini/);
    expect(screen).toMatch(/✓ answered in [\d.]+ s · streaming ✓ · tools ✓ · JSON ✓/);
    expect(screen).not.toContain(KEY);
    expect(await terminal.exitCode()).toBe(0);
    expect(configOf(workspace).default_model).toBe('openai/gpt-5-mini');
  },
);
