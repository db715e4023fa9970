// A web server of a daemon in this process, on a real ledger and with a fake API, and a client that sends any header.
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { type IncomingMessage, type RequestOptions, request } from 'node:http';
import { connect, type Socket } from 'node:net';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import type { HttpRoute, OkaApi } from '../../src/api/index.ts';
import { Calls } from '../../src/daemon/calls.ts';
import { WebServer, type WebServerOptions } from '../../src/daemon/http/web-server.ts';
import { type Clock, systemClock, systemRandom } from '../../src/kernel/index.ts';
import type { OpenLedger } from '../../src/runtime/index.ts';
import { LedgerFeed } from '../../src/runtime/ledger/ledger-feed.ts';
import { openForThisTest } from '../support/open-test-ledger.ts';
import { tempFolder } from '../support/temp-folder.ts';

export interface Answer {
  readonly status: number;
  readonly headers: IncomingMessage['headers'];
  readonly text: string;
}

export interface Asked {
  readonly method?: string;
  readonly headers?: Record<string, string>;
  readonly body?: string;
  readonly address?: string;
}

/** One route for each kind of access. */
export const ROUTES: readonly HttpRoute[] = [
  {
    operation: 'runs.show',
    method: 'GET',
    path: '/v1/runs/{run}',
    access: 'token',
    summary: '',
    defaults: {},
  },
  {
    operation: 'memory.addFact',
    method: 'POST',
    path: '/v1/facts',
    access: 'token',
    summary: '',
    defaults: {},
  },
  {
    operation: 'trust.approve',
    method: 'POST',
    path: '/v1/trust',
    access: 'browser',
    summary: '',
    defaults: {},
  },
];

/** Sends a request as it is, without what a browser or `fetch` would add. */
export function send(
  port: number,
  path: string,
  { method = 'GET', headers = {}, body, address = '127.0.0.1' }: Asked = {},
): Promise<Answer> {
  const options: RequestOptions = { host: address, port, path, method, headers, agent: false };
  return new Promise((resolve, reject) => {
    const sent = request(options, (response) => {
      let text = '';
      response.setEncoding('utf8').on('data', (part: string) => {
        text += part;
      });
      response.on('end', () =>
        resolve({ status: response.statusCode ?? 0, headers: response.headers, text }),
      );
      response.on('error', reject);
    });
    sent.on('error', reject);
    sent.end(body);
  });
}

export interface ServerSent {
  readonly event: string;
  readonly id?: number;
  readonly data: Readonly<Record<string, unknown>>;
}

/** An open event stream. */
export class Follower {
  readonly response: IncomingMessage;
  readonly received: ServerSent[] = [];
  readonly ended: Promise<unknown>;
  lastId: number | undefined;
  #rest = '';
  #onNews: () => void = () => undefined;

  constructor(response: IncomingMessage) {
    this.response = response;
    this.ended = once(response, 'close');
    response.on('error', () => undefined);
    response.setEncoding('utf8').on('data', (part: string) => this.#read(part));
    response.on('close', () => this.#onNews());
    onTestFinished(() => void response.destroy());
  }

  static async open(port: number, path: string, headers: Record<string, string>): Promise<Follower> {
    const sent = request({ host: '127.0.0.1', port, path, headers, agent: false });
    sent.on('error', () => undefined);
    sent.end();
    const [response] = (await once(sent, 'response')) as [IncomingMessage];
    return new Follower(response);
  }

  /** The ledger events so far. */
  get events(): readonly ServerSent[] {
    return this.received.filter(({ event }) => event === 'ledger');
  }

  get positions(): readonly number[] {
    return this.events.map(({ id }) => id as number);
  }

  async until(isThere: () => boolean): Promise<void> {
    while (!isThere()) {
      if (this.response.destroyed) throw new Error(`the stream ended after ${this.received.length} events`);
      await new Promise<void>((resolve) => {
        this.#onNews = resolve;
      });
    }
  }

  close(): void {
    this.response.destroy();
  }

  #read(part: string): void {
    const messages = (this.#rest + part).split('\n\n');
    this.#rest = messages.pop() ?? '';
    for (const message of messages) this.#note(message);
    this.#onNews();
  }

  #note(message: string): void {
    const fields = Object.fromEntries(message.split('\n').map((line) => line.split(/: ?(.*)/s)));
    if (fields['id'] !== undefined) this.lastId = Number(fields['id']);
    if (fields['data'] === undefined) return;
    this.received.push({
      event: fields['event'],
      ...(fields['id'] === undefined ? {} : { id: Number(fields['id']) }),
      data: JSON.parse(fields['data']),
    });
  }
}

export interface WebOptions extends Partial<WebServerOptions> {
  readonly api?: object;
  readonly ledger?: OpenLedger;
}

class CountingFeed extends LedgerFeed {
  reads = 0;

  override readAfter(position: number, limit: number): ReturnType<LedgerFeed['readAfter']> {
    this.reads += 1;
    return super.readAfter(position, limit);
  }
}

export class Web {
  readonly server: WebServer;
  readonly ledger: OpenLedger;
  readonly feed: CountingFeed;
  readonly stateFile: string;
  /** Says something as the model of a run. */
  readonly say: (run: string, text: string) => void;

  private constructor(parts: Pick<Web, 'server' | 'ledger' | 'feed' | 'stateFile' | 'say'>) {
    this.server = parts.server;
    this.ledger = parts.ledger;
    this.feed = parts.feed;
    this.stateFile = parts.stateFile;
    this.say = parts.say;
  }

  static async open({ api = {}, ledger = openForThisTest(), ...options }: WebOptions = {}): Promise<Web> {
    const listeners = new Set<(piece: { run: string; text: string }) => void>();
    const listen = (listener: (piece: { run: string; text: string }) => void) => {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    };
    const stateFile = options.stateFile ?? join(tempFolder(), 'web.json');
    const feed = new CountingFeed(ledger, { listen });
    const server = await WebServer.open({
      calls: new Calls(api as OkaApi),
      feed,
      clock: systemClock as Clock,
      random: systemRandom,
      routes: ROUTES,
      inputOf: async (_, { params, body }) => [{ ...params, ...(body as object) }],
      openApi: async () => ({ openapi: '3.1.0' }),
      session: { workspace: 'garden', folder: '/garden', version: '1' },
      status: () => ({}) as never,
      onWarning: () => undefined,
      ...options,
      stateFile,
    });
    const web = new Web({
      feed,
      server,
      ledger,
      stateFile,
      say: (run, text) => {
        for (const listener of listeners) listener({ run, text });
      },
    });
    onTestFinished(() => web.stop());
    return web;
  }

  #stopped: Promise<void> | undefined;

  stop(): Promise<void> {
    this.#stopped ??= (async () => {
      this.server.close();
      await this.server.drain();
    })();
    return this.#stopped;
  }

  /** How often the ledger was read. */
  get reads(): number {
    return this.feed.reads;
  }

  get token(): string {
    return JSON.parse(readFileSync(this.stateFile, 'utf8')).token;
  }

  get bearer(): Record<string, string> {
    return { authorization: `Bearer ${this.token}` };
  }

  get host(): string {
    return `127.0.0.1:${this.server.port}`;
  }

  ask(path: string, asked: Asked = {}): Promise<Answer> {
    return send(this.server.port, path, asked);
  }

  /** The path of a new one-time link. */
  link(to?: string): string {
    return this.server.newLink(to).url.slice(this.server.url.length);
  }

  /** The cookie of a browser that has opened a link. */
  async cookie(): Promise<string> {
    const { headers } = await this.ask(this.link());
    return (headers['set-cookie']?.[0] ?? '').split(';', 1)[0] as string;
  }

  follow(query = '', headers: Record<string, string> = {}): Promise<Follower> {
    return Follower.open(this.server.port, `/v1/events${query}`, { ...this.bearer, ...headers });
  }

  /** A bare connection, to send half a request. */
  connect(): Socket {
    const socket = connect(this.server.port, '127.0.0.1').on('error', () => undefined);
    onTestFinished(() => void socket.destroy());
    return socket;
  }

  /** Records events of a stream. */
  async record(stream: string, ...types: readonly string[]): Promise<void> {
    const events = types.map((type) => ({ type, data: {} }));
    await this.ledger.store.commit({ actor: 'test', sync: 'normal', appends: [{ stream, events }] });
  }
}

export function problemOf({ text, headers }: Answer): { readonly code: string; readonly detail: string } {
  if (headers['content-type'] !== 'application/problem+json') throw new Error(`no problem: ${text}`);
  return JSON.parse(text);
}
