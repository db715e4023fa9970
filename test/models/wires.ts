import { createServer, type RequestListener, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { type FixtureOpts, type FixtureResponse, LLMock } from '@copilotkit/aimock';
import { onTestFinished } from 'vitest';
import { openRemote } from '../../src/adapters/models/open-remote.ts';
import type { RemoteEntry } from '../../src/adapters/models/types.ts';
import { type Clock, createRedactor, systemClock } from '../../src/kernel/index.ts';
import type { ModelProvider, ModelRequest } from '../../src/models/index.ts';

export const KEY = 'key-that-nobody-may-see';
export const signal = new AbortController().signal;

/** A way in which models are spoken to, and where the emulator speaks it. */
export interface WireFormat {
  readonly provider: RemoteEntry['provider'];
  readonly path: string;
  /** Whether the emulator answers embeddings as the provider does. */
  readonly embeds: boolean;
}

export const WIRE_FORMATS: readonly WireFormat[] = [
  { provider: 'openai', path: '/v1', embeds: true },
  { provider: 'anthropic', path: '/v1', embeds: false },
  { provider: 'ollama', path: '/api', embeds: false },
  { provider: 'openai-compatible', path: '/v1', embeds: true },
];

export const TOOLS = [
  {
    name: 'files.read',
    description: 'Reads a file.',
    inputSchema: { type: 'object', properties: { path: { type: 'string' } }, required: ['path'] },
  },
  {
    name: 'files_read',
    description: 'Another tool, of an awkward name.',
    inputSchema: { type: 'object', properties: { path: { type: 'string' } } },
  },
] as const;

export const CITY = {
  name: 'city',
  schema: {
    type: 'object',
    properties: { city: { type: 'string' } },
    required: ['city'],
    additionalProperties: false,
  },
} as const;

/** An emulator that answers every question alike; it ends with the test. */
export async function emulatorSaying(response: FixtureResponse, options?: FixtureOpts): Promise<LLMock> {
  const emulator = await startEmulator();
  emulator.on({ endpoint: 'chat' }, response, options);
  return emulator;
}

/** An emulator without answers; it ends with the test. */
export async function startEmulator(): Promise<LLMock> {
  const emulator = await LLMock.create({ port: 0, host: '127.0.0.1', logLevel: 'silent' });
  onTestFinished(() => emulator.stop());
  return emulator;
}

/** A plain server; it ends with the test. */
export async function serve(listener: RequestListener): Promise<string> {
  const server: Server = createServer(listener);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(
    () =>
      new Promise<void>((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  );
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

/** A server that answers when it has read what it was sent. */
export function serveBodies(answer: (body: string, response: ServerResponse) => void): Promise<string> {
  return serve((incoming, response) => {
    void text(incoming).then((body) => answer(body, response));
  });
}

/** An address at which nobody listens. */
export async function closedAddress(): Promise<string> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  await new Promise((resolve) => server.close(resolve));
  return `http://127.0.0.1:${port}`;
}

/** The provider of a wire format at a server, asked once for each question. */
export function providerAt(
  { provider, path }: WireFormat,
  url: string,
  options: {
    readonly clock?: Clock;
    readonly entry?: Partial<RemoteEntry>;
    readonly fetch?: typeof fetch;
  } = {},
): Promise<ModelProvider> {
  const entry: RemoteEntry = { provider, model: 'model-1', from: 'user', ...options.entry };
  const key = { value: KEY, place: 'HOUSE_KEY' };
  return openRemote(
    { entry, baseUrl: url + path, key },
    {
      clock: options.clock ?? systemClock,
      redactor: createRedactor(),
      ...(options.fetch === undefined ? {} : { fetch: options.fetch }),
    },
  );
}

/** A question of one message. */
export function question(content: string, more: Partial<ModelRequest> = {}): ModelRequest {
  return { model: 'model-1', messages: [{ role: 'user', content }], ...more };
}

/** What some work failed with. */
export async function failureOf(work: Promise<unknown>): Promise<unknown> {
  try {
    return { answered: await work };
  } catch (error) {
    return error;
  }
}
