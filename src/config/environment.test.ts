import { expect, it } from 'vitest';
import { providerEnvironment } from './environment.ts';

it('reads the standard variables of providers, and any other by name', () => {
  const environment = providerEnvironment({
    OPENAI_API_KEY: 'key-of-openai',
    OPENAI_BASE_URL: 'http://127.0.0.1:1/v1',
    ANTHROPIC_API_KEY: ' key-of-anthropic\n',
    ANTHROPIC_BASE_URL: '',
    OLLAMA_HOST: '127.0.0.1:11434',
    HOUSE_KEY: 'key-of-the-house',
  });
  expect(environment).toMatchObject({
    openaiKey: 'key-of-openai',
    openaiBaseUrl: 'http://127.0.0.1:1/v1',
    anthropicKey: 'key-of-anthropic',
    ollamaHost: '127.0.0.1:11434',
  });
  expect(environment.anthropicBaseUrl).toBeUndefined();
  expect(environment.get('HOUSE_KEY')).toBe('key-of-the-house');
  expect(environment.get('NO_SUCH_KEY')).toBeUndefined();
});
