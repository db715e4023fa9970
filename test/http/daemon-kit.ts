// A daemon of the built `oka`, and its web server as a browser and as a program use it.
import { readFileSync } from 'node:fs';
import { expect, onTestFinished } from 'vitest';
import { daemonSocket } from '../../src/config/index.ts';
import { Workspace, type WorkspaceOptions } from '../cli/oka-process.ts';
import { kill } from '../support/kill.ts';
import { type Answer, type Asked, Follower, send } from './web-kit.ts';

export class DaemonWeb {
  readonly workspace: Workspace;
  pid = 0;

  private constructor(workspace: Workspace) {
    this.workspace = workspace;
  }

  /** Starts the daemon; it ends with the test. */
  static async start(options: WorkspaceOptions = {}): Promise<DaemonWeb> {
    const daemon = new DaemonWeb(Workspace.trusted(options));
    await daemon.up();
    return daemon;
  }

  async up(): Promise<void> {
    const { exitCode, data } = await this.workspace.answer<{ pid: number }>('up');
    expect(exitCode).toBe(0);
    this.pid = data.pid;
    onTestFinished(() => kill(data.pid));
  }

  get stateFile(): string {
    const { root, home } = this.workspace;
    return `${daemonSocket({ workspace: root, home }, {}).path}.web.json`;
  }

  get state(): { readonly port: number; readonly token: string } {
    return JSON.parse(readFileSync(this.stateFile, 'utf8'));
  }

  get bearer(): Record<string, string> {
    return { authorization: `Bearer ${this.state.token}` };
  }

  ask(path: string, { headers = {}, ...asked }: Asked = {}): Promise<Answer> {
    return send(this.state.port, path, { ...asked, headers: { ...this.bearer, ...headers } });
  }

  async post<T>(path: string, body: object): Promise<{ status: number; data: T }> {
    const headers = { 'content-type': 'application/json' };
    const { status, text } = await this.ask(path, { method: 'POST', headers, body: JSON.stringify(body) });
    return { status, data: JSON.parse(text) as T };
  }

  /** The cookie of a browser that has opened a link of `oka web`. */
  async cookie(): Promise<string> {
    const { data } = await this.workspace.answer<{ url: string }>('web', '--no-open');
    const { headers } = await send(this.state.port, data.url.slice(data.url.indexOf('/open')));
    return (headers['set-cookie']?.[0] ?? '').split(';', 1)[0] as string;
  }

  follow(query: string, headers: Record<string, string> = {}): Promise<Follower> {
    return Follower.open(this.state.port, `/v1/events${query}`, { ...this.bearer, ...headers });
  }
}
