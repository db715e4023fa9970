import { describe, expect, it } from 'vitest';
import { findModels } from '../../src/adapters/models/index.ts';
import { providerEnvironment } from '../../src/config/index.ts';
import { flood } from '../support/flood.ts';
import { ManualClock, settle } from '../support/manual-clock.ts';
import { closedAddress, KEY, serve, signal } from './wires.ts';

/** A server that lists models, and keeps the headers with which it was asked. */
async function listing(lists: Readonly<Record<string, unknown>>) {
  const asked: Record<string, unknown>[] = [];
  const url = await serve(({ url: path = '', headers }, response) => {
    asked.push(headers);
    const body = lists[path];
    response.writeHead(body === undefined ? 404 : 200, { 'content-type': 'application/json' });
    response.end(JSON.stringify(body ?? {}));
  });
  return { url, asked };
}

/** What is found with these variables; no Ollama runs unless they say where. */
async function find(variables: Readonly<Record<string, string>>, clock = new ManualClock()) {
  const environment = providerEnvironment({ OLLAMA_HOST: await closedAddress(), ...variables });
  return findModels({ environment, clock, signal });
}

describe('findModels', () => {
  it('finds nothing where there are no keys and no Ollama', async () => {
    expect(await find({})).toEqual([]);
  });

  it('offers a running Ollama with a model that it has', async () => {
    const { url } = await listing({
      '/api/tags': {
        models: [{ name: 'nomic-embed-text:latest' }, { name: 'llama-x:8b' }, { name: 'qwen-x:4b' }],
      },
    });
    expect(await find({ OLLAMA_HOST: url })).toEqual([
      {
        name: 'ollama',
        entry: { provider: 'ollama', model: 'llama-x:8b', embedding_model: 'nomic-embed-text:latest' },
        choices: ['nomic-embed-text:latest', 'llama-x:8b', 'qwen-x:4b'],
        why: expect.stringContaining('llama-x:8b'),
      },
    ]);
  });

  it('offers the newest plain model that a key opens', async () => {
    const { url, asked } = await listing({
      '/v1/models': {
        data: [
          { id: 'gpt-5', created: 5 },
          { id: 'gpt-7-realtime', created: 9 },
          { id: 'gpt-6.1', created: 7 },
          { id: 'text-embedding-9', created: 8 },
        ],
      },
    });
    const found = await find({ OPENAI_API_KEY: KEY, OPENAI_BASE_URL: `${url}/v1` });
    expect(found).toMatchObject([{ name: 'openai', entry: { provider: 'openai', model: 'gpt-6.1' } }]);
    expect(asked[0]).toMatchObject({ authorization: `Bearer ${KEY}` });
  });

  it('offers the newest sonnet of Anthropic', async () => {
    const { url, asked } = await listing({
      '/v1/models': {
        data: [
          { id: 'claude-opus-9', created_at: '2030-03-01T00:00:00Z' },
          { id: 'claude-sonnet-8', created_at: '2030-01-01T00:00:00Z' },
          { id: 'claude-sonnet-9', created_at: '2030-02-01T00:00:00Z' },
        ],
      },
    });
    const found = await find({ ANTHROPIC_API_KEY: KEY, ANTHROPIC_BASE_URL: url });
    expect(found).toMatchObject([{ name: 'anthropic', entry: { model: 'claude-sonnet-9' } }]);
    expect(asked[0]).toMatchObject({ 'x-api-key': KEY });
  });

  it('leaves the model to the person where the provider cannot be asked', async () => {
    const url = `${await closedAddress()}/v1`;
    const found = await find({ OPENAI_API_KEY: KEY, OPENAI_BASE_URL: url });
    expect(found).toEqual([
      {
        name: 'openai',
        entry: { provider: 'openai' },
        choices: [],
        why: expect.stringContaining('OPENAI_API_KEY is set'),
      },
    ]);
    expect(JSON.stringify(found)).not.toContain(KEY);
  });

  it('reads no list without an end', async () => {
    let report = (_: Promise<number>): void => undefined;
    const sent = new Promise<number>((resolve) => {
      report = resolve;
    });
    const url = await serve((incoming, response) => {
      incoming.resume();
      response.write('{"models":["');
      report(flood(response, 'x'.repeat(65_536)));
    });
    expect(await find({ OLLAMA_HOST: url })).toEqual([]);
    expect(await sent).toBeLessThan(20 * 1024 * 1024);
  });

  it('does not wait for a server that does not answer', async () => {
    const clock = new ManualClock();
    const url = await serve((incoming) => void incoming.resume());
    const found = find({ OLLAMA_HOST: url }, clock);
    await settle();
    clock.advance(2_000);
    expect(await found).toEqual([]);
  });
});
