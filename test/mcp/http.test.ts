import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { fileURLToPath } from 'node:url';
import { toNodeHandler } from '@modelcontextprotocol/node';
import { createMcpHandler, McpServer } from '@modelcontextprotocol/server';
import { expect, it, onTestFinished } from 'vitest';
import * as z from 'zod';
import type { HttpLaunch } from '../../src/tools/mcp/types.ts';
import { Watched } from '../cli/oka-process.ts';
import { call, mcpKit } from './mcp-kit.ts';

type Listener = (request: IncomingMessage, response: ServerResponse) => void;

/** A server of the test's own; gone with it. */
async function serve(
  listener: Listener,
  port = 0,
): Promise<{ server: Server; port: number; launch: HttpLaunch }> {
  const server = createServer(listener);
  await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve));
  onTestFinished(() => void server.close().closeAllConnections());
  const { port: bound } = server.address() as AddressInfo;
  return { server, port: bound, launch: at(bound) };
}

function at(port: number, headers: Readonly<Record<string, string>> = {}): HttpLaunch {
  return { transport: 'http', url: `http://127.0.0.1:${port}/mcp`, headers };
}

/** The everything server over HTTP, on a port that was free a moment ago. */
async function startEverything(port?: number): Promise<{ port: number; process: Watched }> {
  const { server, port: free } = await serve(() => undefined, port);
  await new Promise((resolve) => server.close(resolve));
  const program = fileURLToPath(
    new URL('../../node_modules/@modelcontextprotocol/server-everything/dist/index.js', import.meta.url),
  );
  const process_ = new Watched([process.execPath, program, 'streamableHttp'], {
    cwd: '/',
    env: { PATH: process.env['PATH'], PORT: String(free) },
  });
  await process_.said('listening on port');
  return { port: free, process: process_ };
}

/** A server of the newest protocol. `refuses` are answers that stand in for its own. */
function modern(): Listener {
  const handler = createMcpHandler(
    () => {
      const server = new McpServer({ name: 'modern', version: '1' });
      server.registerTool('add', { inputSchema: z.object({ a: z.number(), b: z.number() }) }, ({ a, b }) => ({
        content: [{ type: 'text', text: String(a + b) }],
      }));
      return server;
    },
    { legacy: 'reject' },
  );
  const listen = toNodeHandler(handler);
  return (request, response) => void listen(request as never, response);
}

it('drives the everything server over streamable HTTP, also after a restart of the server', async () => {
  const first = await startEverything();
  const kit = mcpKit();
  await kit.approve('everything', at(first.port));
  const { run } = await kit.run(
    call('mcp.everything.echo', { message: 'hello' }),
    call('mcp.everything.get-structured-content', { location: 'New York' }),
  );
  expect(run.evidence).toMatchObject([
    { output: { text: 'Echo: hello' } },
    { output: { structured: { conditions: expect.any(String) } } },
  ]);
  first.process.kill('SIGKILL');
  await first.process.ended;
  await startEverything(first.port);
  expect(await kit.call('everything', 'echo', { message: 'again' })).toMatchObject({
    content: [{ text: 'Echo: again' }],
  });
});

it('fails the call during which an HTTP server dies', async () => {
  const { port, process: everything } = await startEverything();
  const kit = mcpKit();
  await kit.approve('everything', at(port));
  const lost = expect(
    kit.call('everything', 'trigger-long-running-operation', { duration: 3_600, steps: 3_600 }),
  ).rejects.toMatchObject({ code: 'mcp.connection_lost', data: { arrived: true } });
  await everything.said('Establishing new SSE stream', 'stdout');
  await kit.call('everything', 'echo', { message: 'it has begun' });
  everything.kill('SIGKILL');
  await lost;
});

it('speaks the newest protocol over HTTP', async () => {
  const { launch } = await serve(modern());
  const kit = mcpKit();
  expect(await kit.connections.inspect('modern', launch)).toMatchObject({ protocol: '2026-07-28' });
  await kit.approve('modern', launch);
  expect(await kit.call('modern', 'add', { a: 2, b: 2 })).toMatchObject({ content: [{ text: '4' }] });
});

it('sends the headers of the file with every request, with their values filled in', async () => {
  const seen = new Set<string | undefined>();
  const listener = modern();
  const { port } = await serve((request, response) => {
    seen.add(request.headers.authorization);
    listener(request, response);
  });
  const kit = mcpKit({ secret: async () => 'token-1' });
  await kit.approve('modern', at(port, { authorization: `Bearer \${vault:modern}` }));
  await kit.call('modern', 'add', { a: 1, b: 1 });
  expect([...seen]).toEqual(['Bearer token-1']);
});

it('follows no redirect to another origin', async () => {
  const visited: string[] = [];
  const other = await serve((request, response) => {
    visited.push(String(request.url));
    response.end();
  });
  const { launch } = await serve((_, response) => {
    response.writeHead(307, { location: `http://127.0.0.1:${other.port}/mcp` }).end();
  });
  const kit = mcpKit();
  await expect(kit.connections.inspect('moved', launch)).rejects.toMatchObject({ code: 'mcp.unreachable' });
  expect(visited).toEqual([]);
});

it.each([
  ['a body', 'application/json'],
  ['an event', 'text/event-stream'],
])('disconnects when %s has no end', async (_, type) => {
  const { launch } = await serve((request, response) => {
    request.resume();
    response.writeHead(200, { 'content-type': type });
    const more = (): void => void (response.destroyed || response.write('x'.repeat(65_536), () => more()));
    more();
  });
  const kit = mcpKit({ limits: { maxMessageBytes: 1_000_000 } });
  await expect(kit.connections.inspect('endless', launch)).rejects.toMatchObject({ code: 'mcp.too_large' });
});

it.each([
  [401, /credentials/],
  [503, /503/],
])('says why a server that answers %s cannot be reached', async (status, why) => {
  const { launch } = await serve((_, response) => void response.writeHead(status).end('no'));
  await expect(mcpKit().connections.inspect('closed', launch)).rejects.toMatchObject({
    code: 'mcp.unreachable',
    message: expect.stringMatching(why),
  });
});

it('reports that no server answers', async () => {
  const { server, port } = await serve(() => undefined);
  await new Promise((resolve) => server.close(resolve));
  await expect(mcpKit().connections.inspect('gone', at(port))).rejects.toMatchObject({
    code: 'mcp.unreachable',
    message: expect.stringContaining('ECONNREFUSED'),
  });
});

it.each(['file:///etc/passwd', 'http://user:word@127.0.0.1/', 'nowhere'])(
  'refuses the address %s',
  async (url) => {
    await expect(
      mcpKit().connections.inspect('strange', { transport: 'http', url, headers: {} }),
    ).rejects.toMatchObject({ code: 'mcp.invalid_server' });
  },
);
