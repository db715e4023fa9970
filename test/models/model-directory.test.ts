import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { ConfiguredModels } from '../../src/adapters/models/index.ts';
import type { ModelEntry, ProviderEnvironment, RemoteEntry } from '../../src/adapters/models/types.ts';
import { providerEnvironment } from '../../src/config/index.ts';
import { createRedactor } from '../../src/kernel/index.ts';
import { ASSUMED_PRICE, collectAnswer, type FoundModel } from '../../src/models/index.ts';
import { ManualClock, settle } from '../support/manual-clock.ts';
import { seededRandom } from '../support/seeded-random.ts';
import { tempFolder } from '../support/temp-folder.ts';
import { emulatorSaying, failureOf, KEY, question, signal, startEmulator } from './wires.ts';

const NOTHING = providerEnvironment({});

function directory(
  models: Readonly<Record<string, ModelEntry>>,
  more: {
    readonly environment?: ProviderEnvironment;
    readonly folder?: string;
    readonly clock?: ManualClock;
    readonly vault?: Readonly<Record<string, string>>;
  } = {},
): ConfiguredModels {
  return new ConfiguredModels({
    models,
    prices: {},
    defaultModel: Object.keys(models)[0],
    folder: more.folder ?? '.',
    clock: more.clock ?? new ManualClock(),
    random: seededRandom(),
    environment: more.environment ?? NOTHING,
    secret: async (name) => more.vault?.[name],
    hasSecret: async (name) => more.vault?.[name] !== undefined,
  });
}

const user = { from: 'user' as const };

function script(folder: string, name: string, content: unknown): ModelEntry {
  writeFileSync(join(folder, name), typeof content === 'string' ? content : JSON.stringify(content));
  return { provider: 'scripted', script: name };
}

describe('finding a model', () => {
  it('accepts a configured name, and requests the model of the configuration', async () => {
    const emulator = await emulatorSaying({ content: 'Hello.' });
    const models = directory(
      {
        quick: {
          provider: 'openai',
          model: 'gpt-of-the-house',
          baseUrl: `${emulator.url}/v1`,
          apiKey: { env: 'HOUSE_KEY' },
          price: { input: 1, output: 1 },
          ...user,
        },
      },
      { environment: providerEnvironment({ HOUSE_KEY: KEY }) },
    );
    const { provider, model } = await models.find(undefined);
    expect(model).toBe('gpt-of-the-house');
    const answer = await provider.complete({ ...question('hi'), model: 'something else' }, signal);
    expect(answer).toMatchObject({ text: 'Hello.', provider: 'openai', model: 'gpt-of-the-house' });
    expect(emulator.getLastRequest()?.body).toMatchObject({ model: 'gpt-of-the-house' });
  });

  it.each([
    ['openai/gpt-x', { OPENAI_API_KEY: KEY, OPENAI_BASE_URL: 'URL/v1' }, 'openai'],
    ['anthropic/claude-x', { ANTHROPIC_API_KEY: KEY, ANTHROPIC_BASE_URL: 'URL' }, 'anthropic'],
    ['ollama/llama-x:8b', { OLLAMA_HOST: 'URL' }, 'ollama'],
  ])('accepts %s without any configuration', async (name, variables, provider) => {
    const emulator = await emulatorSaying({ content: 'Hello.' });
    const environment = providerEnvironment(
      Object.fromEntries(
        Object.entries(variables).map(([key, value]) => [key, value.replace('URL', emulator.url)]),
      ),
    );
    const models = directory({}, { environment });
    const found = await models.find(name);
    expect(found.model).toBe(name.slice(provider.length + 1));
    expect(
      await collectAnswer(found.provider.stream(question('hi', { model: found.model }), signal)),
    ).toMatchObject({
      text: 'Hello.',
      provider,
      model: found.model,
    });
    const headers = JSON.stringify(emulator.getLastRequest()?.headers ?? {});
    if (provider !== 'ollama') expect(headers.toLowerCase()).toMatch(/authorization|x-api-key/);
  });

  it('reads a key from the vault, and redacts it from then on', async () => {
    const emulator = await emulatorSaying({ content: 'Hello.' });
    const redactor = createRedactor();
    const uses: unknown[] = [];
    const models = new ConfiguredModels({
      prices: {},
      models: {
        house: {
          provider: 'openai-compatible',
          model: 'm',
          baseUrl: `${emulator.url}/v1`,
          apiKey: { vault: 'house' },
          ...user,
        },
      },
      defaultModel: 'house',
      folder: '.',
      clock: new ManualClock(),
      random: seededRandom(),
      environment: NOTHING,
      secret: async (name, use) => {
        uses.push({ name, ...use });
        return KEY;
      },
      hasSecret: async () => true,
      redactor,
    });
    const { provider } = await models.find('house');
    await provider.complete(question('hi'), signal);
    const host = new URL(emulator.url).host;
    expect(uses).toEqual([{ name: 'house', tool: 'model:openai-compatible', from: 'user', host }]);
    expect(redactor.text(`said ${KEY}`)).not.toContain(KEY);
  });

  it('lists the known models and a suggestion when there is no such model', async () => {
    const models = directory({ smart: { provider: 'ollama', model: 'm', ...user } });
    expect(await failureOf(models.find('smrat'))).toMatchObject({
      code: 'models.not_configured',
      message: expect.stringContaining('Did you mean "smart"?'),
    });
    expect(await failureOf(models.find('constructor'))).toMatchObject({ code: 'models.not_configured' });
    expect(await failureOf(directory({}).find(undefined))).toMatchObject({
      code: 'models.not_configured',
      message: expect.stringContaining('No model is configured'),
    });
  });

  it('retries after the pause that the provider requested', async () => {
    const clock = new ManualClock();
    const emulator = await startEmulator();
    emulator.on(
      { endpoint: 'chat', sequenceIndex: 0 },
      { status: 429, error: { message: 'slow' }, retryAfter: 3 },
    );
    emulator.on({ endpoint: 'chat' }, { content: 'Now.' });
    const environment = providerEnvironment({ OLLAMA_HOST: emulator.url });
    const { provider } = await directory({}, { environment, clock }).find('ollama/m');
    const start = clock.now();
    let answered = false;
    const answer = provider.complete(question('hi'), signal).finally(() => {
      answered = true;
    });
    while (!answered) {
      await settle();
      if (emulator.getRequests().length === 1) clock.advance(1_000);
    }
    expect((await answer).text).toBe('Now.');
    expect(clock.now() - start).toBeGreaterThanOrEqual(3_000);
  });
});

describe('fallbacks', () => {
  it('answer in order, and the answer names the provider', async () => {
    const folder = tempFolder();
    const emulator = await emulatorSaying({ content: 'From Claude.' });
    const models = directory(
      {
        first: { provider: 'openai', model: 'gpt', fallback: ['second'], ...user },
        second: {
          provider: 'anthropic',
          model: 'claude',
          baseUrl: emulator.url,
          apiKey: { env: 'K' },
          fallback: ['third', 'first'],
          ...user,
        },
        third: script(folder, 'third.json', { turns: [{ text: 'From the script.' }] }),
      },
      { folder, environment: providerEnvironment({ K: KEY }) },
    );
    const { provider } = await models.find('first');
    expect(await provider.complete(question('hi'), signal)).toMatchObject({
      text: 'From Claude.',
      provider: 'anthropic',
      model: 'claude',
    });
    emulator.clearFixtures();
    emulator.on({ endpoint: 'chat' }, { status: 401, error: { message: 'no' } });
    expect(await collectAnswer(provider.stream(question('hi'), signal))).toMatchObject({
      text: 'From the script.',
      provider: 'scripted',
      model: 'third',
    });
  });

  it('embed with the first provider that can', async () => {
    const emulator = await startEmulator();
    const models = directory({
      first: { provider: 'anthropic', model: 'claude', fallback: ['second'], ...user },
      second: {
        provider: 'openai-compatible',
        model: 'm',
        embeddingModel: 'e',
        baseUrl: `${emulator.url}/v1`,
        ...user,
      },
    });
    const { provider } = await models.find('first');
    expect(await provider.embed?.(['one', 'two'], signal)).toHaveLength(2);
  });
});

describe('the price of a model', () => {
  const at = (provider: RemoteEntry['provider'], baseUrl?: string): Promise<FoundModel> =>
    directory({ m: { provider, model: 'm', from: 'user', ...(baseUrl && { baseUrl }) } }).find('m');
  const loopback = 'http://127.0.0.1:1/v1';

  it.each(['ollama', 'lmstudio', 'llamacpp', 'vllm'] as const)(
    'of the local provider %s is zero',
    async (local) => {
      expect(await at(local, loopback)).toMatchObject({ price: { input: 0, output: 0 } });
    },
  );

  it('is assumed behind a loopback address of any other provider, and that of a fallback counts too', async () => {
    const remote = { provider: 'openai-compatible', model: 'm', baseUrl: loopback, from: 'user' } as const;
    expect(await at('openai-compatible', loopback)).toMatchObject({ price: ASSUMED_PRICE, isAssumed: true });
    const priced = { ...remote, model: 'n', price: { input: 1, output: 1 }, fallback: ['m'] };
    const found = await directory({ n: priced, m: remote }).find('n');
    expect(found).toMatchObject({ price: ASSUMED_PRICE, isAssumed: true });
  });
});

describe('a project', () => {
  const baseUrl = 'http://127.0.0.1:1/v1';
  const environment = providerEnvironment({ OPENAI_API_KEY: KEY, ANTHROPIC_API_KEY: KEY });

  it.each(['openai', 'anthropic'] as const)(
    'that sets an address of its own does not get the usual key of %s',
    async (provider) => {
      const entry = { provider, model: 'm', baseUrl, from: 'project' } as const;
      expect(await failureOf(directory({ m: entry }, { environment }).find('m'))).toMatchObject({
        code: 'models.not_configured',
        message: expect.stringContaining('api_key'),
      });
      const named = { ...entry, apiKey: { env: 'OPENAI_API_KEY' } };
      expect(await directory({ m: named }, { environment }).check('m')).toHaveLength(1);
      const kept = { ...entry, apiKey: { vault: 'house' } };
      expect(await directory({ m: kept }, { environment, vault: { house: KEY } }).check('m')).toEqual([]);
      expect(await directory({ m: { ...entry, from: 'user' } }, { environment }).check('m')).toEqual([]);
    },
  );

  it('that sets an address of a compatible server sends no key there', async () => {
    const emulator = await emulatorSaying({ content: 'Hello.' });
    const models = directory(
      { m: { provider: 'openai-compatible', model: 'm', baseUrl: `${emulator.url}/v1`, from: 'project' } },
      { environment },
    );
    await (await models.find('m')).provider.complete(question('hi'), signal);
    expect(JSON.stringify(emulator.getLastRequest()?.headers)).not.toMatch(/authorization|api-key/i);
  });
});

describe('checking a model', () => {
  it('finds every problem that would prevent a request, without making one', async () => {
    const folder = tempFolder();
    const models = directory(
      {
        good: { provider: 'ollama', model: 'm', ...user },
        keyless: { provider: 'openai', model: 'm', ...user },
        unset: { provider: 'openai', model: 'm', apiKey: { env: 'NOT_SET' }, ...user },
        locked: { provider: 'anthropic', model: 'm', apiKey: { vault: 'gone' }, ...user },
        homeless: { provider: 'openai-compatible', model: 'm', ...user },
        lost: { provider: 'ollama', model: 'm', fallback: ['godo', 'keyless'], ...user },
        strange: { provider: 'abacus', model: '', ...user } as unknown as ModelEntry,
        round: { provider: 'ollama', model: 'm', fallback: ['about'], ...user },
        about: { provider: 'ollama', model: 'm', fallback: ['round'], ...user },
        broken: script(folder, 'broken.json', '{'),
        invalid: script(folder, 'invalid.json', { turns: [{}] }),
        absent: { provider: 'scripted', script: 'absent.json' },
      },
      { folder },
    );
    const messages = async (name: string): Promise<string[]> =>
      (await models.check(name)).map(({ message }) => message);
    expect(await messages('good')).toEqual([]);
    expect(await messages('keyless')).toEqual([expect.stringContaining('set OPENAI_API_KEY')]);
    expect(await messages('unset')).toEqual([expect.stringContaining('NOT_SET')]);
    expect(await messages('locked')).toEqual([expect.stringContaining('oka vault add gone')]);
    expect(await messages('homeless')).toEqual([expect.stringContaining('base_url')]);
    expect(await messages('lost')).toEqual([
      expect.stringContaining('Did you mean "good"?'),
      expect.stringContaining('set OPENAI_API_KEY'),
    ]);
    expect(await messages('strange')).toEqual([expect.stringContaining('unknown provider "abacus"')]);
    expect(await messages('round')).toEqual([expect.stringContaining('round → about → round')]);
    for (const name of ['broken', 'invalid', 'absent'])
      expect(await models.check(name)).toMatchObject([{ code: 'models.script_invalid', model: name }]);
    expect(await messages('nobody')).toEqual([expect.stringContaining('No model "nobody"')]);
  });
});
