import { expect, it } from 'vitest';
import { providerEnvironment, webListen } from './environment.ts';

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

it.each(['OKA_PROJECT_TOKEN', 'OKA_PROJECT_TOKEN_SHOP', 'OKA_LEDGER_URL', 'OKA_VAULT_PASSPHRASE'])(
  'hides the value of %s from configurations',
  (name) => {
    expect(providerEnvironment({ [name]: 'secret' }).get(name)).toBeUndefined();
  },
);

it('reads where the web server listens', () => {
  expect(webListen({})).toBeUndefined();
  expect(webListen({ OKA_WEB_LISTEN: '' })).toBeUndefined();
  expect(webListen({ OKA_WEB_LISTEN: '0.0.0.0:4321' })).toEqual({ address: '0.0.0.0', port: 4321 });
  expect(webListen({ OKA_WEB_LISTEN: '[::]:4321' })).toEqual({ address: '::', port: 4321 });
});

it.each([
  '4321',
  '0.0.0.0',
  '0.0.0.0:0',
  '0.0.0.0:70000',
  '1.2.3:80',
  '1.2.3.256:80',
  '[:::]:80',
  'daemon:4321',
  ':::80',
])('refuses %j as the address of the web server', (given) => {
  expect(() => webListen({ OKA_WEB_LISTEN: given })).toThrow('expected address:port, e.g. 0.0.0.0:4321');
});
