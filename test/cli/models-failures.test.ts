import { expect, test } from 'vitest';
import type { DoctorAnswer, ExplainAnswer } from '../../src/api/index.ts';
import { fakeProvider } from '../models/fake-provider.ts';
import { closedAddress } from '../models/wires.ts';
import { addModel } from './models-kit.ts';
import { Workspace } from './oka-process.ts';

/** A trusted workspace with one model that is configured by hand. */
function withModel(url: string, more: object = {}): Workspace {
  const workspace = Workspace.trusted();
  const models = { house: { provider: 'openai-compatible', model: 'model-1', base_url: url, ...more } };
  workspace.putAtHome('config.json', JSON.stringify({ models }));
  return workspace;
}

/** What a person reads of one failing model in the three places where they meet it. */
async function sentences(workspace: Workspace): Promise<{ code: string; sentences: readonly string[] }> {
  const run = await workspace.answer('do', 'tell me a joke about cats');
  const tested = await workspace.refusal('model', 'test');
  const { data } = await workspace.answer<DoctorAnswer>('doctor');
  const check = data.checks.find(({ name }) => name.startsWith('model '));
  expect(run.data.run.failure?.code).toBe(tested.error.code);
  expect([run.exitCode, tested.exitCode, data.ok, check?.ok]).toEqual([6, 6, false, false]);
  const all = [run.data.run.failure?.message ?? '', tested.error.message, check?.detail ?? ''];
  return { code: tested.error.code, sentences: [...new Set(all)] };
}

test('a rejected key is reported with the message of the provider and without the key', async () => {
  const provider = await fakeProvider({ key: 'sk-right-0123456789abcdef' });
  const workspace = Workspace.trusted();
  await addModel(workspace, provider, { key: 'sk-wrong-0123456789abcdef3f' }, '--no-test');
  expect(await sentences(workspace)).toEqual({
    code: 'models.key_rejected',
    sentences: [
      'openai rejected the API key (401 "Incorrect API key provided: sk-…3f"). Set a new one: oka model add openai',
    ],
  });
});

test('an unreachable provider is reported with its address', async () => {
  const url = `${await closedAddress()}/v1`;
  expect(await sentences(withModel(url))).toEqual({
    code: 'models.unreachable',
    sentences: [
      `openai-compatible (model-1) is not reachable at ${url}: the connection was refused. Check the network and the address, then try: oka model test`,
    ],
  });
});

test('an unknown model is reported with the message of the provider', async () => {
  const { url } = await fakeProvider({ models: ['another'] });
  expect(await sentences(withModel(url))).toEqual({
    code: 'models.unknown_model',
    sentences: [
      `openai-compatible has no model "model-1" (404 "The model 'model-1' does not exist"). Choose another: oka model add openai-compatible`,
    ],
  });
});

test('a request to a silent model fails after its timeout', async () => {
  const { url } = await fakeProvider({ isSilent: true });
  expect(await sentences(withModel(url, { timeout_seconds: 0.3 }))).toEqual({
    code: 'models.silent',
    sentences: [
      'openai-compatible (model-1) sent nothing for 0.3 seconds. Try again, or increase "timeout_seconds" of the model.',
    ],
  });
});

test('an answer that is cut is reported as cut', async () => {
  const { url } = await fakeProvider({ cuts: true });
  const workspace = withModel(url);
  const run = await workspace.answer('do', 'tell me a joke about cats');
  const tested = await workspace.refusal('model', 'test');
  const cut = 'The connection to openai-compatible (model-1) ended in the middle of its answer. Try again.';
  expect([run.exitCode, run.data.run.failure]).toMatchObject([
    6,
    {
      code: 'models.stream_cut',
      message: `${cut} What was received is the artifact unfinished-answer-2.txt of the run.`,
    },
  ]);
  expect(tested).toMatchObject({ exitCode: 6, error: { code: 'models.stream_cut', message: cut } });
  const { data } = await workspace.answer<DoctorAnswer>('doctor');
  expect(data).toMatchObject({ ok: false });
  expect(data.checks.find(({ name }) => name === 'model house')?.detail).toMatch(
    /is not reachable at .*closed/,
  );
});

test('a model without tools works, and the record explains the second request', async () => {
  const { url } = await fakeProvider({ rejectsTools: true });
  const workspace = withModel(url);
  const run = await workspace.answer('do', 'tell me a joke about cats');
  expect(run.data).toMatchObject({ run: { status: 'completed' }, output: 'It is done.' });
  const { data } = await workspace.answer<ExplainAnswer>('runs', 'explain', run.data.run.id);
  expect(JSON.stringify(data)).toContain(
    'openai-compatible (model-1) cannot call tools (400 \\"model-1 does not support tools\\"). Oka describes the tools in the prompt instead.',
  );
  const tested = await workspace.oka('model', 'test');
  expect(tested.stdout).toMatch(/✓ answered in [\d.]+ s · streaming ✓ · tools ✗ · JSON ✓/);
  expect(tested.stdout).toContain('It cannot call tools. Oka describes the tools in the prompt instead.');
});
