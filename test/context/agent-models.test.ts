import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { Oka } from '../../src/runtime/index.ts';
import { type FakeProviderOptions, fakeProvider } from '../models/fake-provider.ts';
import { tempFolder } from '../support/temp-folder.ts';

type Sent = {
  readonly temperature?: number;
  readonly top_p?: number;
  readonly stream?: boolean;
  readonly messages: readonly { readonly role: string; readonly content: string }[];
};

const ENTRY = { provider: 'openai-compatible', model: 'model-1' };
const PRICE = { input: 0, output: 100_000 };

/** A trusted workspace with agents and the user's configuration. */
async function workspaceWith(agents: Readonly<Record<string, string>>, config: object): Promise<Oka> {
  const [workspace, home] = [tempFolder(), join(tempFolder(), 'home')];
  const put = (path: string, content: string): void => {
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, content);
  };
  put(join(workspace, 'src/main.txt'), 'it starts here');
  put(join(home, 'config.json'), JSON.stringify(config));
  for (const [name, fields] of Object.entries(agents))
    put(
      join(workspace, `.oka/agents/${name}.md`),
      `---\nname: ${name}\ncontextRole: writer\n${fields}\n---\nYou are ${name}, and brief.\n`,
    );
  const oka = new Oka({ workspace, home });
  onTestFinished(() => oka.close());
  await oka.init({ trust: true });
  await oka.context.scan({ force: false, by: 'me' });
  return oka;
}

const server = async (options: FakeProviderOptions = {}) => {
  const fake = await fakeProvider(options);
  return { ...fake, sent: fake.asked as unknown as readonly Sent[] };
};

const question = { node: 'src/main.txt', prompt: 'What is it?', type: 'note' };

test('an agent generates with the configured model that it names, its persona, temperature and top_p, and streams', async () => {
  const { url, sent, keys } = await server({ says: 'It starts things.', key: 'the-secret-key' });
  const oka = await workspaceWith({ ada: 'model: house\ntemperature: 0.3\ntop_p: 0.8' }, {});
  await oka.models.add({
    ...{
      name: 'house',
      provider: 'openai-compatible',
      model: 'model-1',
      url,
      key: { value: 'the-secret-key' },
    },
    ...{ test: false, makeDefault: false, by: 'me' },
  });
  let streamed = '';
  const onText = (text: string): void => {
    streamed += text;
  };
  const { frame, run } = await oka.context.generate({ ...question, agent: 'ada', onText });
  expect(run.status).toBe('completed');
  expect(frame).toMatchObject({ content: 'It starts things.', agent: 'ada' });
  expect(frame?.producers).toMatchObject([{ provider: 'openai-compatible', model: 'model-1', run: run.id }]);
  expect(streamed).toBe('It starts things.');
  expect(sent[0]).toMatchObject({ temperature: 0.3, top_p: 0.8, stream: true });
  expect(sent[0]?.messages[0]?.content).toMatch(/^You are ada, and brief\.\n\nYou write one note/);
  expect(keys).toEqual(['the-secret-key']);
  expect(await oka.agents.show('ada')).toMatchObject({
    ...{ model: 'house', topP: 0.8, answeredBy: 'openai-compatible/model-1', problems: [] },
  });
});

test('an agent with an unconfigured model fails with a list of the configured ones', async () => {
  const { url } = await server();
  const models = { house: { ...ENTRY, base_url: url }, garden: { ...ENTRY, base_url: url } };
  const oka = await workspaceWith({ ada: 'model: hous' }, { models });
  const { agents } = await oka.agents.check('ada');
  const message = 'No model "hous". Did you mean "house"? Known models: house, garden.';
  expect(agents[0]?.problems).toMatchObject([
    { code: 'agent.model_unusable', message: expect.stringContaining(message) },
  ]);
  const { run } = await oka.context.generate({ ...question, agent: 'ada' });
  expect(run.failure).toMatchObject({
    code: 'models.not_configured',
    message: expect.stringContaining(message),
  });
});

test('a frame records every provider that produced it, a fallback too', async () => {
  const [broken, one, other] = [await server({ key: 'another' }), await server(), await server()];
  const models = {
    first: { ...ENTRY, base_url: broken.url, fallback: ['second'] },
    second: { provider: 'openai', model: 'model-1', base_url: one.url, api_key: { env: 'PATH' } },
    third: { ...ENTRY, base_url: other.url },
  };
  const oka = await workspaceWith({ ada: 'model: first' }, { models });
  const { frame } = await oka.context.generate({ ...question, agent: 'ada' });
  const fallback = { provider: 'openai', model: 'model-1', fallbackFor: ['openai-compatible'] };
  expect(frame?.producers).toMatchObject([fallback]);
  const again = await oka.context.generate({ ...question, agent: 'ada', model: 'third' });
  expect(again.frame?.id).toBe(frame?.id);
  expect(again.frame?.producers).toMatchObject([
    fallback,
    { provider: 'openai-compatible', run: again.run.id },
  ]);
  // Its answer is known now, whoever asks the same of it.
  const known = await oka.context.generate({ ...question, agent: 'ada', model: 'third' });
  expect(known).toMatchObject({ asked: false, output: { provider: 'openai-compatible' } });
  expect(known.frame?.producers).toHaveLength(2);
  expect(await oka.ledger.verify({ full: true })).toMatchObject({ faults: [] });
});

test('a model that answers without text makes no frame', async () => {
  const { url } = await server({ says: ' ' });
  const oka = await workspaceWith(
    { ada: 'model: house' },
    { models: { house: { ...ENTRY, base_url: url } } },
  );
  const { run, frame } = await oka.context.generate({ ...question, agent: 'ada' });
  expect(frame).toBeUndefined();
  expect(run.failure).toMatchObject({ code: 'models.answer_empty' });
  expect(await oka.context.listFrames({ node: 'src/main.txt' }).catch(() => [])).toEqual([]);
});

test.each([
  ['a configured model', 'model: house', { house: { price: PRICE } }, {}],
  [
    'a model of its own',
    'provider: openai-compatible\nmodel: model-1\nfallback: [house]',
    { house: { price: PRICE } },
    { prices: { 'openai-compatible/model-1': PRICE } },
  ],
])('the money cap of a conversation holds for an agent with %s', async (_, fields, own, more) => {
  const { url, asked } = await server({ says: 'Good day.' });
  const models = Object.fromEntries(
    Object.entries(own).map(([name, entry]) => [
      name,
      { ...ENTRY, base_url: url, max_output_tokens: 10, ...entry },
    ]),
  );
  // Each answer costs 0.5 and reserves 1.
  const config = { models, conversation_limits: { cost_usd: 1.2 }, ...more };
  const oka = await workspaceWith({ ada: fields }, config);
  await oka.chat.create({ name: 'room', by: 'me' });
  const stop = new AbortController();
  let onTurn: () => void = () => undefined;
  const hosting = oka.chat.host({ signal: stop.signal, onTurn: () => onTurn() });
  const say = async (text: string): Promise<void> => {
    const ended = new Promise<void>((resolve) => {
      onTurn = resolve;
    });
    await oka.chat.send({ conversation: 'room', text, by: 'me' });
    await ended;
  };
  await say('@ada hello');
  await say('@ada hello again');
  stop.abort();
  await hosting;
  expect(asked).toHaveLength(1);
  const { costUsd, turns, budgets } = await oka.chat.usage('room');
  expect(costUsd).toBeCloseTo(0.5);
  expect(turns[0]).toMatchObject({ status: 'done' });
  expect(turns[1]?.status).not.toBe('done');
  expect(budgets).toContainEqual({ scope: 'conversation', name: 'cost_usd', used: 0.5, limit: 1.2 });
});
