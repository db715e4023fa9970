import { expect, test } from 'vitest';
import { listModels } from '../../src/adapters/models/list-models.ts';
import { cutKeys } from '../../src/adapters/models/to-model-error.ts';
import { MODEL_PROVIDERS } from '../../src/config/types.ts';
import { systemClock } from '../../src/kernel/index.ts';
import { factsOf, keyNameOf, MODEL_TABLE, PROVIDER_IDS } from '../../src/models/index.ts';
import { checkName } from '../../src/vault/credential-values.ts';
import { fakeProvider } from './fake-provider.ts';
import { signal } from './wires.ts';

test('the configuration accepts every provider of the catalogue and no other', () => {
  expect([...MODEL_PROVIDERS]).toEqual([...PROVIDER_IDS]);
});

test('every known model belongs to a provider, and a dated version has the price of its plain name', () => {
  for (const name of Object.keys(MODEL_TABLE)) expect(PROVIDER_IDS).toContain(name.split('/')[0]);
  expect(factsOf('openai/gpt-4.1-2025-04-14')).toBe(factsOf('openai/gpt-4.1'));
  expect(factsOf('mistral/mistral-small-latest')?.price).toEqual({ input: 0.1, output: 0.3 });
});

test.each(['127.0.0.1:8080', 'Models.Example:443', '[::1]:1', 'a_b'])(
  'a key for %s can be stored',
  (host) => {
    expect(() => checkName(keyNameOf('openai-compatible', host))).not.toThrow();
  },
);

test('a list contains context, price and tools where the provider reports them', async () => {
  const { url } = await fakeProvider({
    models: [
      {
        id: 'a/b',
        context_length: 131_072,
        pricing: { prompt: '0.00000025', completion: '0.000002' },
        supported_parameters: ['tools'],
      },
      { id: 'models/plain', max_model_len: 8_192, pricing: { prompt: '-1', completion: '' } },
    ],
  });
  const entry = { provider: 'openrouter', model: 'unknown', from: 'user' } as const;
  expect(await listModels({ entry, baseUrl: url }, { clock: systemClock, signal })).toEqual([
    { id: 'a/b', createdAt: 0, contextTokens: 131_072, price: { input: 0.25, output: 2 }, tools: true },
    { id: 'plain', createdAt: 0, contextTokens: 8_192 },
  ]);
});

test('keys in the message of a provider are removed, also when they are masked', () => {
  const message =
    'Incorrect API key provided: sk-abcd*********wxyz. Key sk-live-0123456789 of house-key-of-ours.';
  expect(cutKeys(message, 'house-key-of-ours')).toBe(
    'Incorrect API key provided: sk-…yz. Key sk-…89 of hou…rs.',
  );
  expect(cutKeys('The model does not exist.', undefined)).toBe('The model does not exist.');
});
