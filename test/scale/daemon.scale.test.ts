import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { daemonSocket } from '../../src/config/index.ts';
import { Follower, send } from '../http/web-kit.ts';
import { onClusters, type ScaleWorld, until } from './scale-world.ts';

const OKA = fileURLToPath(new URL('../../bin/oka.cjs', import.meta.url));

interface Shown {
  readonly run: { readonly id: string; readonly status: string };
}

/** `oka up` on the workspace, and its HTTP API. */
class Daemon {
  readonly process: ChildProcess;
  readonly #stateFile: string;
  readonly #world: ScaleWorld;

  constructor(world: ScaleWorld) {
    this.#world = world;
    const { workspace, home } = world;
    this.#stateFile = `${daemonSocket({ workspace, home }, {}).path}.web.json`;
    this.process = spawn(process.execPath, [OKA, '-C', workspace, 'up', '--foreground'], {
      env: { ...process.env, OKA_HOME: home },
      stdio: 'ignore',
    });
  }

  get state(): { readonly port: number; readonly token: string } {
    return JSON.parse(readFileSync(this.#stateFile, 'utf8'));
  }

  get #bearer(): Record<string, string> {
    return { authorization: `Bearer ${this.state.token}` };
  }

  /** The headers of a browser that has opened the link of `oka web`; a person's decisions need them. */
  async browser(): Promise<Record<string, string>> {
    const { workspace, home } = this.#world;
    const { stdout } = await promisify(execFile)(
      process.execPath,
      [OKA, '-C', workspace, 'web', '--no-open', '--json'],
      { env: { ...process.env, OKA_HOME: home } },
    );
    const { data } = JSON.parse(stdout) as { data: { url: string } };
    const { port } = this.state;
    const { headers } = await send(port, data.url.slice(data.url.indexOf('/open')));
    const cookie = (headers['set-cookie']?.[0] ?? '').split(';', 1)[0] as string;
    return { cookie, origin: `http://127.0.0.1:${port}` };
  }

  listens(): Promise<true> {
    return until(async () => existsSync(this.#stateFile) || undefined);
  }

  async post<T>(path: string, body: object, who = this.#bearer): Promise<T> {
    const headers = { ...who, 'content-type': 'application/json' };
    const { port } = this.state;
    const { status, text } = await send(port, path, { method: 'POST', headers, body: JSON.stringify(body) });
    expect(status, text).toBeLessThan(300);
    return JSON.parse(text) as T;
  }

  async get<T>(path: string): Promise<T> {
    return JSON.parse((await send(this.state.port, path, { headers: this.#bearer })).text) as T;
  }

  follow(query: string): Promise<Follower> {
    return Follower.open(this.state.port, `/v1/events${query}`, this.#bearer);
  }

  async stop(): Promise<void> {
    if (this.process.exitCode !== null) return;
    const ended = once(this.process, 'exit');
    this.process.kill('SIGTERM');
    await ended;
  }
}

onClusters((world) => {
  let daemon: Daemon;
  beforeAll(async () => {
    daemon = new Daemon(world());
    await daemon.listens();
  });
  afterAll(() => daemon?.stop());

  it('runs a graph by HTTP on a worker, takes the answer to its question, and streams what the worker wrote', async () => {
    world().graph('asking', 'q', [
      { node_id: 'q', type: 'approval', question: 'Go on?', options: ['yes', 'no'], next: 'write' },
      {
        ...{ node_id: 'write', type: 'tool', tool: 'files.write' },
        ...{ args: { path: 'answered.txt', content: 'x' }, next: 'end' },
      },
    ]);
    const stream = await daemon.follow('');
    await stream.until(() => stream.received.length > 0);
    const { run } = await daemon.post<Shown>('/v1/graphs/asking/run', { input: {} });
    const asked = await until(async () => {
      const shown = await daemon.get<Shown>(`/v1/runs/${run.id}`);
      return shown.run.status === 'waiting' ? shown : undefined;
    });
    expect(asked.run.status).toBe('waiting');
    await daemon.post(`/v1/approvals/${run.id}/approve`, { answer: 'yes' }, await daemon.browser());
    await until(async () => {
      const shown = await daemon.get<Shown>(`/v1/runs/${run.id}`);
      return shown.run.status === 'completed' || undefined;
    });
    expect(existsSync(join(world().workspace, 'answered.txt'))).toBe(true);
    const drivers = await world().driversOf(run.id);
    const workers = world().workers.map(({ process: worker }) => String(worker.pid));
    expect(drivers.length).toBeGreaterThan(0);
    expect(drivers.filter((pid) => !workers.includes(pid))).toEqual([]);
    const typesOf = (): readonly unknown[] =>
      stream.events
        .filter(({ data }) => (data as { stream: string }).stream === `run/${run.id}`)
        .map(({ data }) => (data as { type: string }).type);
    await stream.until(() => typesOf().includes('run.completed'));
    expect(typesOf()).toEqual(expect.arrayContaining(['run.started', 'run.claimed', 'run.completed']));
  });
});
