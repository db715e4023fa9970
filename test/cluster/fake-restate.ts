// The ingress of a Restate server that answers as a test tells it. It listens on a free port of 127.0.0.1.
import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { onTestFinished } from 'vitest';

/** `ok` answers; `forbidden` refuses the caller; `lost` ends the connection without an answer. */
export type Reply = 'ok' | 'forbidden' | 'lost' | 'no_worker';

const REFUSAL = JSON.stringify({ code: 'cluster.forbidden', message: 'not the token', data: {} });

export class FakeRestate {
  /** Called with each target, such as `/oka_run/shop%2F01…/drive`. */
  reply: (target: string) => Reply | Promise<Reply> = () => 'ok';
  readonly calls: string[] = [];
  readonly #server: Server;

  private constructor() {
    this.#server = createServer((request, response) => void this.#answer(request.url ?? '', response));
  }

  static async start(): Promise<FakeRestate> {
    const made = new FakeRestate();
    made.#server.listen(0, '127.0.0.1');
    await once(made.#server, 'listening');
    onTestFinished(() => {
      made.#server.close();
      made.#server.closeAllConnections();
    });
    return made;
  }

  get url(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  async #answer(target: string, response: import('node:http').ServerResponse): Promise<void> {
    if (target.startsWith('/restate/health')) {
      response.end('{}');
      return;
    }
    this.calls.push(target);
    const reply = await this.reply(target);
    if (reply === 'lost') response.destroy();
    else if (reply === 'no_worker') response.writeHead(404).end('{}');
    else if (reply === 'forbidden')
      response
        .writeHead(403, { 'content-type': 'application/json' })
        .end(JSON.stringify({ code: 403, message: REFUSAL }));
    else
      response
        .writeHead(200, { 'content-type': 'application/json' })
        .end('{"status":"running","ended":false}');
  }
}
