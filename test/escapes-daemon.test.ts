// What the daemon and whoever starts it must not be made to do: by a cloned folder, by a caller that hangs, is slow or goes
// away, by another daemon, or by a disk that is full.
import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  closeSync,
  existsSync,
  linkSync,
  mkdirSync,
  openSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
  writeSync,
} from 'node:fs';
import { connect, createServer, type Server as NetServer } from 'node:net';
import { dirname, join } from 'node:path';
import { Hono } from 'hono';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { TaskGraphJson } from '../src/adapters/workspace/index.ts';
import { type CallLine, type OkaApi, unpackCall } from '../src/api/index.ts';
import { startInBackground } from '../src/cli/background-process.ts';
import { probeDaemon } from '../src/cli/daemon-link.ts';
import { daemonSocket } from '../src/config/index.ts';
import { Calls } from '../src/daemon/calls.ts';
import { printedLog, rotateLog } from '../src/daemon/daemon-log.ts';
import { freshSecrets } from '../src/daemon/fresh-secrets.ts';
import { lineSender } from '../src/daemon/server.ts';
import { listenOnSocket, SocketServer, socketRemover } from '../src/daemon/socket-server.ts';
import { type Json, systemClock } from '../src/kernel/index.ts';
import { tempFolder } from './support/temp-folder.ts';

const bodyOf = (request: Json) => ({ arguments: [request], listeners: [], signals: [], absent: [] });
const TAIL = bodyOf({ last: 1, follow: true });
const DO = bodyOf({ goal: 'go', simulate: false, budgets: {}, patienceMs: 0 });

describe('starting a process in the background', () => {
  const REPORT = 'process.send({ code: "config.not_trusted", message: "no", data: {} })';
  const start = (workspace: string, program = REPORT) =>
    startInBackground({
      workspace,
      command: ['-e', program],
      log: join(workspace, '.oka', 'run', 'daemon.log'),
      rival: 'daemon.running',
      notStarted: 'daemon.not_started',
      isReady: async () => false,
    });

  test('creates nothing in a folder that is not a workspace, and the process reports why it ended', async () => {
    const folder = tempFolder();
    await expect(start(folder)).rejects.toMatchObject({ code: 'config.not_trusted' });
    expect(existsSync(join(folder, '.oka'))).toBe(false);
  });

  test.runIf(process.platform === 'linux')(
    'reports why the process ended, also if Node sees its exit before its last message',
    async () => {
      const folder = tempFolder();
      const [pid, go] = [join(folder, 'pid'), join(folder, 'go')];
      const program = `const fs = require('node:fs');
        fs.writeFileSync('pid', String(process.pid));
        while (!fs.existsSync('go'));
        ${REPORT}`;
      const starting = expect(start(folder, program)).rejects.toMatchObject({ code: 'config.not_trusted' });
      while (!existsSync(pid) || readFileSync(pid, 'utf8') === '')
        await new Promise((resolve) => setImmediate(resolve));
      // Node looks for all exited processes when one of them has exited, after it has read what was there before.
      const other = spawn('echo', ['done'], { stdio: ['ignore', 'pipe', 'ignore'] });
      other.stdout.once('data', () => {
        writeFileSync(go, '');
        blockUntilExited(readFileSync(pid, 'utf8'));
      });
      blockUntilExited(String(other.pid));
      await starting;
    },
  );

  test('writes nothing to the target of a link at .oka', async () => {
    const [folder, elsewhere] = [tempFolder(), tempFolder()];
    symlinkSync(elsewhere, join(folder, '.oka'));
    await expect(start(folder)).rejects.toMatchObject({ code: 'config.not_trusted' });
    expect(existsSync(join(elsewhere, 'run'))).toBe(false);
  });

  test('neither appends to nor truncates a file with another hard link', async () => {
    const folder = tempFolder();
    mkdirSync(join(folder, '.oka', 'run'), { recursive: true });
    const precious = join(folder, 'precious.txt');
    writeFileSync(precious, 'x'.repeat(2_000_000));
    linkSync(precious, join(folder, '.oka', 'run', 'daemon.log'));
    await expect(start(folder)).rejects.toMatchObject({ code: 'config.link_refused' });
    expect(readFileSync(precious).length).toBe(2_000_000);
  });

  test('does not block on a pipe in place of its log', async () => {
    const folder = tempFolder();
    mkdirSync(join(folder, '.oka', 'run'), { recursive: true });
    execFileSync('mkfifo', [join(folder, '.oka', 'run', 'daemon.log')]);
    await expect(start(folder)).rejects.toMatchObject({ code: 'config.link_refused' });
  });
});

/** Blocks this thread, so that Node reads nothing meanwhile. The process stays a zombie until Node collects it. */
function blockUntilExited(pid: string): void {
  while (!/\) Z /.test(readFileSync(`/proc/${pid}/stat`, 'utf8')));
}

test('a task graph file that is a pipe is not read, and is replaced', () => {
  const folder = tempFolder();
  const file = new TaskGraphJson(folder);
  execFileSync('mkfifo', [file.file]);
  expect(file.read()).toBe('');
  file.write('{}\n');
  expect(file.read()).toBe('{}\n');
});

describe('calls', () => {
  /** An API of which one operation is there. */
  const api = (parts: object): OkaApi => parts as unknown as OkaApi;

  test('a disconnect ends a call that only listens; a call that works is completed', async () => {
    const run = later<void>();
    const calls = new Calls(
      api({
        ledger: { tail: () => endless(() => new Promise(() => undefined)) },
        do: () => run.promise.then(() => 'done'),
      }),
    );
    const told: CallLine[] = [];
    const tell = async (line: CallLine): Promise<void> => void told.push(line);
    const listening = calls.answer('a', 'ledger.tail', TAIL, tell);
    const working = calls.answer('b', 'do', DO, tell);
    calls.disconnect('a');
    calls.disconnect('b');
    await listening;
    expect(calls.count).toBe(1);
    run.resolve();
    await working;
    expect(told).toEqual([{ done: true }, { done: true, answer: 'done' }]);
  });

  test('items are produced only as fast as they are read', async () => {
    let taken = 0;
    const items = endless(async () => {
      taken += 1;
      return { n: taken };
    });
    const calls = new Calls(api({ ledger: { tail: () => items } }));
    const answering = calls.answer('a', 'ledger.tail', TAIL, () => new Promise(() => undefined));
    // The schemas of the call are loaded first.
    while (taken === 0) await new Promise((resolve) => setImmediate(resolve));
    for (let i = 0; i < 100; i += 1) await Promise.resolve();
    expect(taken).toBe(1);
    calls.stopListening();
    await answering;
    expect(calls.count).toBe(0);
  });

  test('an id in use is refused, and the call that has it continues', async () => {
    const first = later<string>();
    const calls = new Calls(api({ do: () => first.promise }));
    const told: CallLine[] = [];
    const tell = async (line: CallLine): Promise<void> => void told.push(line);
    const working = calls.answer('a', 'do', DO, tell);
    await calls.answer('a', 'do', DO, tell);
    expect(told).toMatchObject([{ error: { code: 'daemon.bad_call' } }]);
    expect(calls.cancel('a')).toBe(true);
    first.resolve('ok');
    await working;
    expect(told[1]).toEqual({ done: true, answer: 'ok' });
  });

  test('listener output does not pile up for a client that does not read, and the answer still arrives', async () => {
    const written: string[] = [];
    const open = later<void>();
    const tell = lineSender({
      write: async (text) => {
        await open.promise;
        written.push(text);
      },
    });
    const long = 'x'.repeat(1_000_000);
    for (let i = 0; i < 100; i += 1) void tell({ heard: '0.onText', arguments: [long] });
    const last = tell({ done: true });
    open.resolve();
    await last;
    expect(written.length).toBeLessThan(12);
    expect(written.at(-1)).toBe('{"done":true}\n');
  });

  test('a path that is not among the arguments is ignored', () => {
    const to = { onCall: () => undefined, signal: new AbortController().signal };
    const far = {
      arguments: [{}],
      listeners: ['4294967294', '0.__proto__'],
      signals: ['7'],
      absent: ['9.x'],
    };
    const values = unpackCall(far, to);
    expect(values).toHaveLength(1);
    expect(Object.getPrototypeOf(values[0])).toBe(Object.prototype);
  });
});

test('values added to the vault while a daemon runs are known before the next call', async () => {
  const file = join(tempFolder(), 'vault');
  let learned = 0;
  const secrets = freshSecrets(file, async () => {
    learned += 1;
  });
  const calls = new Calls({ do: async () => learned } as unknown as OkaApi, secrets);
  const told: CallLine[] = [];
  const tell = async (line: CallLine): Promise<void> => void told.push(line);
  await calls.answer('a', 'do', DO, tell);
  await calls.answer('b', 'do', DO, tell);
  writeFileSync(file, 'a value');
  await calls.answer('c', 'do', DO, tell);
  expect(told).toEqual([1, 1, 2].map((answer) => ({ done: true, answer })));
});

async function* endless<T>(next: () => Promise<T>): AsyncGenerator<T> {
  for (;;) yield await next();
}

describe('the socket', () => {
  test('a daemon that lost its lease leaves the socket of the next one alone', async () => {
    const path = join(tempFolder('oka-s-'), 'd.sock');
    const first = await listenOnSocket(new Hono(), path);
    const removeFirst = socketRemover(path);
    const second = await listenOnSocket(new Hono(), path);
    const removeSecond = socketRemover(path);
    await new Promise((resolve) => first.close(resolve));
    removeFirst();
    expect(existsSync(path)).toBe(true);
    await new Promise((resolve) => second.close(resolve));
    removeSecond();
    expect(existsSync(path)).toBe(false);
  });

  test('a removed socket is created again, and open connections stay open', async () => {
    const folder = join(tempFolder('oka-s-'), 'oka');
    const path = join(folder, 'd.sock');
    const server = await SocketServer.open(new Hono(), { folder, path });
    const early = connect(path);
    await once(early, 'connect');
    rmSync(folder, { recursive: true });
    await server.restore();
    await server.restore();
    const late = connect(path);
    await once(late, 'connect');
    expect(early.destroyed).toBe(false);
    early.destroy();
    late.destroy();
    server.close();
    await server.drain();
    expect(existsSync(path)).toBe(false);
  });

  test('where no socket can be created, the daemon says why and what to do', async () => {
    const folder = tempFolder('oka-s-');
    const file = join(folder, 'oka');
    writeFileSync(file, '');
    const deep = join(folder, 'a'.repeat(100));
    for (const [place, why] of [
      [file, `${file} cannot be created (EEXIST), so`],
      [join(file, 'below'), 'cannot be created (ENOTDIR), so'],
      [deep, 'is too long for a socket: '],
    ] as const) {
      const opening = SocketServer.open(new Hono(), { folder: place, path: join(place, 'd.sock') });
      await expect(opening).rejects.toMatchObject({
        code: 'daemon.socket_refused',
        message: expect.stringContaining(why),
      });
    }
  });

  test('a file where the folder of sockets would be means that no daemon runs', async () => {
    const folder = tempFolder('oka-s-');
    writeFileSync(join(folder, 'oka'), '');
    vi.stubEnv('XDG_RUNTIME_DIR', folder);
    onTestFinished(() => void vi.unstubAllEnvs());
    expect(await probeDaemon({ workspace: '/w', home: '/h' })).toBeUndefined();
  });

  test('a hanging daemon is distinguished from none, within a time limit', async () => {
    vi.stubEnv('XDG_RUNTIME_DIR', tempFolder('oka-s-'));
    onTestFinished(() => void vi.unstubAllEnvs());
    const place = { workspace: '/w', home: '/h' };
    expect(await probeDaemon(place)).toBeUndefined();
    const hanging = await listenSilently(daemonSocket(place).path);
    expect(await probeDaemon(place, 20)).toMatchObject({ silent: 'unresponsive' });
    hanging.close();
  });
});

/** Accepts connections and says nothing. */
async function listenSilently(path: string): Promise<NetServer> {
  mkdirSync(dirname(path), { recursive: true });
  const server = createServer((socket) => socket.on('error', () => undefined));
  await new Promise<void>((resolve) => {
    server.listen(path, resolve);
  });
  return server;
}

test('a log that cannot be written does not stop the daemon', () => {
  const full = Object.assign(new Error('no space left on device'), { code: 'ENOSPC' });
  const print = vi.spyOn(process.stdout, 'write').mockImplementation(() => {
    throw full;
  });
  onTestFinished(() => print.mockRestore());
  printedLog({ clock: systemClock, hide: (text) => text })('warning', 'something');
  expect(print).toHaveBeenCalledOnce();
});

test('a large log is rotated, and output to another file is left alone', () => {
  const folder = tempFolder();
  const [log, elsewhere] = [join(folder, 'daemon.log'), join(folder, 'mine.log')];
  for (const path of [log, elsewhere]) writeFileSync(path, 'long ago\n');
  const descriptor = openSync(log, 'a');
  rotateLog(log, descriptor, 100);
  expect(existsSync(`${log}.old`)).toBe(false);
  rotateLog(log, descriptor, 5);
  writeSync(descriptor, 'now\n');
  closeSync(descriptor);
  expect(readFileSync(`${log}.old`, 'utf8')).toBe('long ago\n');
  expect(readFileSync(log, 'utf8')).toBe('now\n');
  const other = openSync(elsewhere, 'a');
  rotateLog(log, other, 5);
  closeSync(other);
  expect(readFileSync(elsewhere, 'utf8')).toBe('long ago\n');
});

/** A promise that is settled from outside. */
function later<T>(): { readonly promise: Promise<T>; readonly resolve: (value: T) => void } {
  let resolve: (value: T) => void = () => undefined;
  const promise = new Promise<T>((settle) => {
    resolve = settle;
  });
  return { promise, resolve };
}
