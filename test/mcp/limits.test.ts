import { statSync } from 'node:fs';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { json } from 'node:stream/consumers';
import { expect, it, onTestFinished } from 'vitest';
import { flood } from '../support/flood.ts';
import { ManualClock } from '../support/manual-clock.ts';
import { tempFolder } from '../support/temp-folder.ts';
import { call, fixture, mcpKit } from './mcp-kit.ts';

const MIB = 1024 * 1024;
/** What a server can send beyond the limit before it notices: the buffers between the processes. */
const SLACK = MIB;

const ECHO = { name: 'echo', does: 'echo' };

it('stops reading a line without an end at the limit', async () => {
  const sent = join(tempFolder(), 'sent');
  const kit = mcpKit({ limits: { maxMessageBytes: MIB } });
  await kit.approve('endless', fixture({ sent, tools: [{ name: 'endless', does: 'endless' }, ECHO] }));
  await expect(kit.call('endless', 'endless')).rejects.toMatchObject({
    code: 'mcp.too_large',
    message: expect.stringMatching(/1048576.*Request less data/),
  });
  // The next call starts the server again; until then the earlier one has ended.
  expect(await kit.call('endless', 'echo', { n: 1 })).toMatchObject({ isError: false });
  expect(statSync(sent).size * 1_024).toBeLessThan(MIB + SLACK);
});

it('refuses an answer that is nested too deeply', async () => {
  const kit = mcpKit();
  await kit.approve('deep', fixture({ tools: [{ name: 'deep', does: 'deep' }, ECHO] }));
  const { run } = await kit.run(call('mcp.deep.deep', { depth: 20_000 }), call('mcp.deep.echo', { n: 1 }));
  expect(run.ended?.status).toBe('completed');
  expect(run.evidence).toMatchObject([
    { failure: { code: 'mcp.too_large', message: expect.stringContaining('nested deeper than 1,000') } },
    { output: { text: '{"n":1}' } },
  ]);
});

it('accepts an answer of moderate depth', async () => {
  const kit = mcpKit();
  await kit.approve('deep', fixture({ tools: [{ name: 'deep', does: 'deep' }] }));
  const { run } = await kit.run(call('mcp.deep.deep', { depth: 3 }));
  expect(run.evidence).toMatchObject([{ output: { structured: { a: { a: { a: 1 } } } } }]);
});

it('limits the time of a call, whatever messages the server sends meanwhile', async () => {
  const clock = new ManualClock();
  const kit = mcpKit({ clock, limits: { callMs: 5_000 } });
  await kit.approve('chatty', fixture({ tools: [{ name: 'chatter', does: 'chatter' }, ECHO] }));
  const late = expect(kit.call('chatty', 'chatter')).rejects.toMatchObject({ code: 'mcp.timeout' });
  for (let step = 0; step < 5; step++) {
    await kit.call('chatty', 'echo');
    clock.advance(1_000);
  }
  await late;
});

it('closes an event stream whose comments only keep a call alive when its time is over', async () => {
  const clock = new ManualClock();
  let begin = (_: Promise<number>): void => undefined;
  const flooded = new Promise<number>((resolve) => {
    begin = resolve;
  });
  let started = (): void => undefined;
  const calling = new Promise<void>((resolve) => {
    started = resolve;
  });
  const url = await serveLegacy((response) => {
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    begin(flood(response, ': wait\n\n'));
    started();
  });
  const kit = mcpKit({ clock, limits: { callMs: 5_000 } });
  await kit.approve('alive', { transport: 'http', url, headers: {} });
  const late = expect(kit.call('alive', 'wait')).rejects.toMatchObject({ code: 'mcp.timeout' });
  await calling;
  clock.advance(5_000);
  await late;
  // Ends only when the connection is closed.
  expect(await flooded).toBeGreaterThan(0);
});

/** A server of the protocol 2025-11-25 with one tool; `onCall` answers its calls. */
async function serveLegacy(onCall: (response: ServerResponse) => void): Promise<string> {
  const results: Readonly<Record<string, unknown>> = {
    initialize: {
      protocolVersion: '2025-11-25',
      capabilities: { tools: {} },
      serverInfo: { name: 'legacy', version: '1' },
    },
    'tools/list': { tools: [{ name: 'wait', inputSchema: { type: 'object' } }] },
  };
  const answer = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    if (request.method !== 'POST') return void response.writeHead(405).end();
    const { id, method } = (await json(request)) as { id?: number; method: string };
    if (method === 'tools/call') return onCall(response);
    if (id === undefined) return void response.writeHead(202).end();
    const result = results[method];
    const outcome = result === undefined ? { error: { code: -32_601, message: 'unknown' } } : { result };
    response.writeHead(200, { 'content-type': 'application/json' });
    response.end(JSON.stringify({ jsonrpc: '2.0', id, ...outcome }));
  };
  const server = createServer((request, response) => void answer(request, response));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => void server.close().closeAllConnections());
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/mcp`;
}
