import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { onTestFinished } from 'vitest';
import type { LedgerHead, MirrorRecord, RowChange } from '../../src/ledger/index.ts';
import { MemoryReplica, parseMirrorLine } from '../../src/ledger/index.ts';
import { NOTES } from '../../src/ledger/replication/replication-kit.conformance.ts';

/** What the endpoint does with a request: the usual, or something of its own. */
export type Whim = (
  response: ServerResponse,
  request: { readonly kind: string; readonly body: PostedBatch; readonly take: () => Promise<LedgerHead> },
) => Promise<'usual' | 'own'> | 'usual' | 'own';

interface PostedEvent {
  readonly archived?: true;
  readonly data: string;
  readonly body?: string;
}

export interface PostedBatch {
  readonly version: number;
  readonly kind: 'batch' | 'question';
  readonly workspace: string;
  readonly after: { readonly seq: number; readonly head: string };
  readonly from: number;
  readonly to: number;
  readonly head: string;
  readonly key: string;
  readonly events: readonly PostedEvent[];
  readonly changes: readonly (RowChange & { readonly seq: number })[];
}

/** An endpoint as docs/formats/replication.md asks for, on a real server, with whims. */
export class TestEndpoint {
  readonly replica = new MemoryReplica([NOTES]);
  readonly batches: PostedBatch[] = [];
  readonly headers: IncomingMessage['headers'][] = [];
  whim: Whim = () => 'usual';
  readonly #server: Server;

  private constructor() {
    this.#server = createServer((request, response) => {
      this.#serve(request, response).catch(() => response.destroy());
    });
  }

  static async open(): Promise<TestEndpoint> {
    const endpoint = new TestEndpoint();
    await endpoint.listen(0);
    onTestFinished(() => endpoint.close());
    return endpoint;
  }

  listen(port: number): Promise<void> {
    return new Promise((resolve) => this.#server.listen(port, '127.0.0.1', resolve));
  }

  get port(): number {
    return (this.#server.address() as AddressInfo).port;
  }

  get url(): string {
    return `http://127.0.0.1:${this.port}/replica`;
  }

  async close(): Promise<void> {
    this.#server.closeAllConnections();
    if (this.#server.listening) await new Promise((resolve) => this.#server.close(resolve));
  }

  async #serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const pieces: Buffer[] = [];
    for await (const piece of request) pieces.push(piece as Buffer);
    const body = JSON.parse(Buffer.concat(pieces).toString('utf8')) as PostedBatch;
    this.headers.push(request.headers);
    if (body.kind === 'batch') this.batches.push(body);
    const take = async (): Promise<LedgerHead> => this.#take(body);
    const answered = await this.whim(response, { kind: body.kind, body, take });
    if (answered !== 'usual') return;
    const { seq, hash } = await take();
    const { events, archived } = await this.replica.tally(body.workspace);
    const fits = body.kind === 'question' || seq >= body.to;
    response.writeHead(fits ? 200 : 409, { 'content-type': 'application/json' });
    response.end(JSON.stringify({ seq, head: hash, events, archived }));
  }

  async #take(body: PostedBatch): Promise<LedgerHead> {
    if (body.kind === 'question') return this.replica.position(body.workspace);
    const { workspace, after, to, head, key } = body;
    const records = body.events.map(toRecord);
    return this.replica.ship({
      workspace,
      after: { seq: after.seq, hash: after.head },
      head: { seq: to, hash: head },
      records,
      key,
    });
  }
}

/** The line of the mirror that the posted event says, which is checked as any other. */
function toRecord(posted: PostedEvent): MirrorRecord {
  if (posted.archived) return parseMirrorLine(JSON.stringify({ ...posted }, ['seq', 'archived', 'chain']));
  const { data, body, ...rest } = posted as PostedEvent & Record<string, unknown>;
  const { seq, stream, index, type, at, actor, ends, salt, bodyDigest, chain } = rest;
  const line = { seq, stream, index, type, at, actor, ends, data: JSON.parse(data) };
  const content = body === undefined ? {} : { body: JSON.parse(body), salt };
  return parseMirrorLine(
    JSON.stringify({ ...line, ...content, ...(bodyDigest === undefined ? {} : { bodyDigest }), chain }),
  );
}

/** Passes when the endpoint has been sent a batch from now on. */
export function nextBatch(endpoint: TestEndpoint): Promise<void> {
  return new Promise((resolve) => {
    endpoint.whim = (_, { kind }) => {
      if (kind === 'batch') resolve();
      return 'usual';
    };
  });
}
