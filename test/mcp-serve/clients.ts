import { PassThrough } from 'node:stream';
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { StdioServerTransport } from '@modelcontextprotocol/server/stdio';
import { onTestFinished } from 'vitest';
import { offerSource, serveHttp, serveStreams } from '../../src/adapters/mcp-server/index.ts';
import { systemRandom } from '../../src/kernel/index.ts';
import { IDENTITY, type SmallOffer } from './small-offer.ts';

/** Both revisions of the protocol that are spoken, and how a client comes to speak them. */
export const REVISIONS = ['2025-11-25', '2026-07-28'] as const;
export type Revision = (typeof REVISIONS)[number];

export function newClient(revision: Revision): Client {
  const mode = revision === '2025-11-25' ? 'legacy' : { pin: revision };
  const client = new Client({ name: 'tests', version: '1' }, { versionNegotiation: { mode } });
  onTestFinished(() => client.close());
  return client;
}

export interface Conversation {
  readonly input: PassThrough;
  readonly output: PassThrough;
  readonly troubles: string[];
  readonly ended: Promise<void>;
  end(): void;
}

/** A server that speaks over a pair of streams in this process. */
export function converse(
  serve: (streams: {
    readonly input: PassThrough;
    readonly output: PassThrough;
    readonly signal: AbortSignal;
    readonly onWarning: (what: string) => void;
  }) => Promise<void>,
): Conversation {
  const [input, output] = [new PassThrough(), new PassThrough()];
  const troubles: string[] = [];
  const stop = new AbortController();
  const ended = serve({ input, output, signal: stop.signal, onWarning: (what) => troubles.push(what) });
  // A server that could not begin leaves its client waiting no longer than that.
  ended.catch((error: Error) => output.destroy(error));
  onTestFinished(async () => {
    stop.abort();
    await ended;
  });
  return { input, output, troubles, ended, end: () => stop.abort() };
}

export function converseAbout(offer: SmallOffer): Conversation {
  return converse((streams) => serveStreams(offerSource(offer, IDENTITY), streams));
}

/** The transport reads lines from one stream and writes them to another, so it serves the other side as well. */
export async function connect(conversation: Conversation, revision: Revision): Promise<Client> {
  const client = newClient(revision);
  await client.connect(new StdioServerTransport(conversation.output, conversation.input));
  return client;
}

export const TOKEN = 'a token for tests';

export async function listenWith(offer: SmallOffer, newSessionId = () => systemRandom.hex(16)) {
  const troubles: string[] = [];
  const service = await serveHttp(offerSource(offer, IDENTITY), {
    port: 0,
    token: TOKEN,
    newSessionId,
    onWarning: (what) => troubles.push(what),
  });
  onTestFinished(() => service.close());
  return { ...service, troubles };
}

export async function connectHttp(url: string, revision: Revision, token = TOKEN): Promise<Client> {
  const client = newClient(revision);
  const requestInit = { headers: { authorization: `Bearer ${token}` } };
  await client.connect(new StreamableHTTPClientTransport(new URL(url), { requestInit }));
  return client;
}
