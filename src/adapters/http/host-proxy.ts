// Owns: the way from a sandbox to the network: an HTTP proxy on a Unix socket that reaches only named hosts.
// I1 A name is resolved here, once per connection, and only a checked public address is connected to.
import { mkdtemp, rm } from 'node:fs/promises';
import type { IncomingMessage, OutgoingHttpHeaders, Server, ServerResponse } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Duplex } from 'node:stream';
import { pinAddress, pinnedLookup, type ResolveName } from './pinned-address.ts';
import { systemResolve } from './pinned-http.ts';

export interface HostProxyOptions {
  /** `example.org`, `*.example.org` for names below it, with `:port` for ports other than 80 and 443. */
  readonly hosts: readonly string[];
  readonly resolve?: ResolveName;
  /** Private `host:port` pairs that are allowed; from the user's own configuration only. */
  readonly allowPrivate?: readonly string[];
}

const DEFAULT_PORTS = ['80', '443'];
/** Headers that concern only one connection. */
const HOP_HEADERS = new Set(
  'connection keep-alive proxy-authenticate proxy-authorization proxy-connection te trailer transfer-encoding upgrade'.split(
    ' ',
  ),
);

/** Starts a proxy; its folder is private to this user. */
export async function openHostProxy(
  options: HostProxyOptions,
): Promise<{ readonly socket: string; close(): Promise<void> }> {
  const { createServer } = await import('node:http');
  const folder = await mkdtemp(join(tmpdir(), 'oka-proxy-'));
  const socket = join(folder, 'socket');
  const open = new Set<Duplex>();
  const server = createServer((request, response) => void forward(request, response, options));
  server.on('connect', (request: IncomingMessage, client: Duplex, head: Buffer) => {
    open.add(client);
    client.on('error', () => client.destroy()).on('close', () => open.delete(client));
    void tunnel(request, client, head, options);
  });
  await listen(server, socket);
  return {
    socket,
    close: async () => {
      for (const client of open) client.destroy();
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
      await rm(folder, { recursive: true, force: true });
    },
  };
}

function listen(server: Server, path: string): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen(path, resolve);
  });
}

/** True if the list names this host and port. */
export function isListed(host: string, port: string, hosts: readonly string[]): boolean {
  const name = host.toLowerCase().replace(/\.$/, '');
  return hosts.some((entry) => {
    const [, pattern = '', own] = /^(.*?)(?::(\d+))?$/.exec(entry.toLowerCase()) ?? [];
    if (own === undefined ? !DEFAULT_PORTS.includes(port) : own !== port) return false;
    return pattern.startsWith('*.') ? name.endsWith(pattern.slice(1)) : name === pattern;
  });
}

/** The checked addresses of a URL; rejects with what to tell the program. */
async function addressesOf(
  url: URL,
  { hosts, resolve = systemResolve, allowPrivate = [] }: HostProxyOptions,
) {
  const port = url.port || (url.protocol === 'https:' ? '443' : '80');
  if (!isListed(url.hostname, port, hosts))
    throw new Error(`${url.hostname}:${port} is not among the hosts that this program may reach`);
  return { port: Number(port), addresses: await pinAddress(url, resolve, allowPrivate) };
}

async function tunnel(
  request: IncomingMessage,
  client: Duplex,
  head: Buffer,
  options: HostProxyOptions,
): Promise<void> {
  try {
    const target = /^(\[[0-9a-f:]+\]|[^:/?#@]+):(\d{1,5})$/i.exec(request.url ?? '');
    if (target === null) throw new Error('the address to connect to is invalid');
    const { port, addresses } = await addressesOf(new URL(`https://${target[1]}:${target[2]}`), options);
    const { connect } = await import('node:net');
    const far = connect({ host: target[1] as string, port, lookup: pinnedLookup(addresses) });
    far.on('error', () => client.destroy());
    client.on('close', () => far.destroy());
    far.on('close', () => client.destroy());
    far.once('connect', () => {
      client.write('HTTP/1.1 200 Connection Established\r\n\r\n');
      far.write(head);
      far.pipe(client).pipe(far);
    });
  } catch (error) {
    const text = `${(error as Error).message}\n`;
    client.end(
      `HTTP/1.1 403 Forbidden\r\nContent-Type: text/plain\r\nContent-Length: ${Buffer.byteLength(text)}\r\nConnection: close\r\n\r\n${text}`,
    );
  }
}

async function forward(
  request: IncomingMessage,
  response: ServerResponse,
  options: HostProxyOptions,
): Promise<void> {
  try {
    const url = new URL(request.url ?? '');
    if (url.protocol !== 'http:') throw new Error('only http:// addresses are passed on');
    const { port, addresses } = await addressesOf(url, options);
    const { request: send } = await import('node:http');
    const far = send({
      host: url.hostname,
      port,
      path: `${url.pathname}${url.search}`,
      method: request.method,
      headers: { ...endToEnd(request.headers), host: url.host, connection: 'close' },
      lookup: pinnedLookup(addresses),
      agent: false,
    });
    far.on('response', (answer) => {
      response.writeHead(answer.statusCode ?? 502, endToEnd(answer.headers));
      answer.pipe(response);
    });
    far.on('error', () => response.destroy());
    response.on('close', () => far.destroy());
    request.pipe(far);
  } catch (error) {
    response.writeHead(403, { 'content-type': 'text/plain' }).end(`${(error as Error).message}\n`);
  }
}

function endToEnd(headers: IncomingMessage['headers']): OutgoingHttpHeaders {
  return Object.fromEntries(Object.entries(headers).filter(([name]) => !HOP_HEADERS.has(name)));
}
