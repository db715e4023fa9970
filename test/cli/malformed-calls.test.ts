// Bytes that a client of a real daemon should not send, written to its Unix socket without an HTTP client in between.
import { once } from 'node:events';
import { connect } from 'node:net';
import { text } from 'node:stream/consumers';
import { expect, onTestFinished, test } from 'vitest';
import type { CallLine } from '../../src/api/index.ts';
import { daemonSocket } from '../../src/config/index.ts';
import type { Json } from '../../src/kernel/index.ts';
import { kill } from '../support/kill.ts';
import { Workspace } from './oka-process.ts';

interface Daemon {
  readonly socket: string;
  readonly pid: number;
}

async function startDaemon(): Promise<Daemon> {
  const workspace = Workspace.trusted();
  const { data } = await workspace.answer<{ pid: number }>('up');
  onTestFinished(() => kill(data.pid));
  return {
    socket: daemonSocket({ workspace: workspace.root, home: workspace.home }, {}).path,
    pid: data.pid,
  };
}

/** Writes bytes to the socket; resolves with everything that the daemon sends until it closes the connection. */
async function exchange({ socket }: Daemon, bytes: string | Uint8Array): Promise<string> {
  const connection = connect(socket);
  connection.write(bytes);
  return text(connection);
}

/** The last line of the answer to a call whose body is this text. */
async function sendCall(daemon: Daemon, operation: string, body: string): Promise<CallLine> {
  const head = [
    `POST /v1/calls/raw-1/${operation} HTTP/1.1`,
    'Host: localhost',
    'Content-Type: application/json',
    `Content-Length: ${Buffer.byteLength(body)}`,
    'Connection: close',
  ];
  const answer = await exchange(daemon, `${head.join('\r\n')}\r\n\r\n${body}`);
  expect(answer).toMatch(/^HTTP\/1\.1 200 OK\r\n/);
  return JSON.parse(answer.match(/^\{.*\}$/gm)?.at(-1) as string) as CallLine;
}

const bodyOf = (...input: Json[]): string =>
  JSON.stringify({ arguments: input, listeners: [], signals: [], absent: [] });

const readCall = { tool: 'files.read', input: { path: 'README.md' }, simulate: false, patienceMs: 0 };

/** A daemon that still works answers this call. */
async function expectAnswers(daemon: Daemon): Promise<void> {
  expect(await sendCall(daemon, 'tools.call', bodyOf(readCall))).toMatchObject({
    done: true,
    answer: { run: { status: 'completed' }, output: { content: expect.stringContaining('Garden') } },
  });
  expect(JSON.parse(await statusOf(daemon))).toMatchObject({ pid: daemon.pid });
}

async function statusOf(daemon: Daemon): Promise<string> {
  const answer = await exchange(
    daemon,
    'GET /v1/status HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n',
  );
  return answer.slice(answer.indexOf('\r\n\r\n'));
}

test('a malformed call ends with an error that names the operation and the field, and the daemon still answers', async () => {
  const daemon = await startDaemon();
  for (const [operation, body, field] of [
    ['do', bodyOf({ goal: 7, simulate: false, budgets: {}, patienceMs: 0 }), 'goal'],
    ['tools.call', bodyOf({ ...readCall, patienceMs: 'long' }), 'patienceMs'],
    ['do', bodyOf({ simulate: false, budgets: {}, patienceMs: 0 }), 'goal'],
    ['runs.pause', bodyOf('r1'), 'by'],
    ['do', bodyOf(), 'request'],
  ] as const)
    expect(await sendCall(daemon, operation, body), body).toEqual({
      error: {
        code: 'daemon.bad_call',
        message: expect.stringContaining(`${operation}: ${field}: `),
        data: { operation, field },
      },
    });
  expect(await sendCall(daemon, 'runs.everything', bodyOf())).toMatchObject({
    error: { code: 'daemon.bad_call', data: { operation: 'runs.everything' } },
  });
  await expectAnswers(daemon);
});

test('bytes that are no request close their connection only', async () => {
  const daemon = await startDaemon();
  const garbage = Uint8Array.from({ length: 4_096 }, (_, i) => (i * 167 + 13) % 256);
  for (const bytes of [garbage, '\0\0\0\0\r\n\r\n', `${bodyOf(readCall)}\n`])
    expect(await exchange(daemon, bytes)).toMatch(/^HTTP\/1\.1 400 Bad Request\r\n/);
  for (const body of ['{', '\u0000', '"text"', 'null', '[]', '{"arguments":7}'])
    expect(await sendCall(daemon, 'tools.call', body)).toMatchObject({
      error: { code: 'daemon.bad_call', message: expect.stringContaining('Invalid call') },
    });
  const leaving = connect(daemon.socket);
  leaving.write(
    'POST /v1/calls/raw-2/tools.call HTTP/1.1\r\nHost: localhost\r\nContent-Length: 500\r\n\r\n{"arg',
  );
  await once(leaving, 'connect');
  leaving.destroy();
  await expectAnswers(daemon);
});
