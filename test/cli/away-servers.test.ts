import { once } from 'node:events';
import { type AddressInfo, createServer, type Socket } from 'node:net';
import { expect, onTestFinished, test } from 'vitest';
import { type Watched, Workspace } from './oka-process.ts';

/** The address of a server that accepts connections and never answers, and a promise of its first connection. */
async function silentServer(): Promise<{ url: string; reached: Promise<unknown> }> {
  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    sockets.add(socket);
    socket.on('error', () => undefined);
  });
  const reached = once(server, 'connection');
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => {
    for (const socket of sockets) socket.destroy();
    server.close();
  });
  return { url: urlOf((server.address() as AddressInfo).port), reached };
}

/** The address of a server that refuses connections. */
async function closedServer(): Promise<{ url: string }> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, 'close');
  return { url: urlOf(port) };
}

const urlOf = (port: number): string => `postgres://oka@127.0.0.1:${port}/shop`;

function start(url: string, ...args: readonly string[]): Watched {
  const workspace = Workspace.trusted();
  return workspace.startIn(workspace.root, { OKA_LEDGER_URL: url }, ...args);
}

const READING = [
  ['status'],
  ['runs', 'list'],
  ['runs', 'show', 'last'],
  ['memory', 'fact', 'list'],
  ['approvals', 'list'],
  ['chat', 'list'],
] as const;

test.each([
  ['refuses connections', closedServer],
  ['accepts connections and never answers', silentServer],
])(
  'a PostgreSQL server that %s ends reading commands with an error that names the next step',
  async (_, serve) => {
    const { url } = await serve();
    const ended = await Promise.all(READING.map((args) => start(url, ...args, '--json').ended));
    for (const one of ended) {
      expect(one.exitCode).toBe(1);
      const { error } = JSON.parse(one.stdout);
      expect(error.code).toBe('ledger.unavailable');
      expect(error.message).toMatch(/^PostgreSQL at 127\.0\.0\.1:\d+\/shop is not reachable: .+\. Start it/);
    }
  },
);

test('doctor reports a PostgreSQL server that never answers', async () => {
  const { url } = await silentServer();
  const { stdout } = await start(url, 'doctor', '--json').ended;
  expect(JSON.parse(stdout).data.checks).toContainEqual(
    expect.objectContaining({ name: 'ledger', ok: false, code: 'ledger.unavailable' }),
  );
});

test.each([
  ['SIGTERM', 143, ['runs', 'list']],
  ['SIGINT', 130, ['runs', 'list']],
  ['SIGINT', 130, ['status']],
  ['SIGTERM', 143, ['memory', 'fact', 'add', 'the sky is blue']],
  ['SIGINT', 130, ['do', 'what can you do?']],
] as const)('%s ends a command that waits for a server, with %d: %j', async (signal, exitCode, args) => {
  const { url, reached } = await silentServer();
  const working = start(url, ...args);
  await reached;
  working.kill(signal);
  expect(await working.ended).toMatchObject({ exitCode, signal: null });
});
