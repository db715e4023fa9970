// Owns: resolving a URL to the addresses that a request may connect to. I1 A name is resolved once per hop, and only the
// checked addresses are connected to.
import type { LookupFunction } from 'node:net';
import { OkaError, type OkaErrorOptions } from '../../kernel/index.ts';
import type { ToolsErrorCode } from '../../tools/index.ts';
import { refusedAddress } from './public-address.ts';

export interface ResolvedAddress {
  readonly address: string;
  readonly family: 4 | 6;
}

/** Resolves a name; rejects if it does not exist. */
export type ResolveName = (name: string) => Promise<readonly ResolvedAddress[]>;

/** An error about one URL, without parts that may be secret. */
export function httpError(
  code: ToolsErrorCode,
  url: URL,
  message: string,
  options: OkaErrorOptions = {},
): OkaError<ToolsErrorCode> {
  return new OkaError(code, message, { ...options, data: { host: url.host, ...options.data } });
}

/** Parses a URL and rejects unsupported ones. */
export function parseUrl(text: string, base?: URL): URL {
  const url = URL.canParse(text, base?.href) ? new URL(text, base?.href) : undefined;
  const refuse = (why: string): OkaError<ToolsErrorCode> =>
    new OkaError('http.invalid_url', `${why}. Use an address such as https://example.org/path.`, {
      data: url === undefined ? {} : { scheme: url.protocol, host: url.host },
    });
  if (url === undefined) throw refuse('Invalid URL');
  if (url.protocol !== 'http:' && url.protocol !== 'https:')
    throw refuse(`Only http and https are supported, not ${url.protocol}`);
  if (url.username !== '' || url.password !== '')
    throw refuse(`The address of ${url.host} contains a user or a password, which belong in a header`);
  url.hash = '';
  return url;
}

/** The addresses to connect to, all public unless the user allows the host. */
export async function pinAddress(
  url: URL,
  resolve: ResolveName,
  allowPrivate: readonly string[],
): Promise<readonly ResolvedAddress[]> {
  const addresses = await addressesOf(url, resolve);
  if (isAllowed(url, allowPrivate)) return addresses;
  for (const { address } of addresses) {
    const why = refusedAddress(address);
    if (why !== undefined)
      throw httpError(
        'http.address_refused',
        url,
        `${url.hostname} is not a public server: its address ${address} is ${why}. Only the user's own configuration can allow it ("allow_private").`,
        { data: { address } },
      );
  }
  return addresses;
}

async function addressesOf(url: URL, resolve: ResolveName): Promise<readonly ResolvedAddress[]> {
  const host = url.hostname.replace(/^\[(.*)\]$/, '$1');
  if (host.includes(':')) return [{ address: host, family: 6 }];
  if (/^\d+\.\d+\.\d+\.\d+$/.test(host)) return [{ address: host, family: 4 }];
  const notFound = (cause?: unknown): OkaError<ToolsErrorCode> =>
    httpError('http.failed', url, `No address found for ${host}. Check the name and the network.`, {
      cause,
      transient: (cause as NodeJS.ErrnoException | undefined)?.code === 'EAI_AGAIN',
    });
  const found = await resolve(host).catch((error: unknown) => {
    throw notFound(error);
  });
  if (found.length === 0) throw notFound();
  return found;
}

/** True for a host and port in the user's configuration. */
export function isAllowed(url: URL, allowPrivate: readonly string[]): boolean {
  const port = url.port || (url.protocol === 'https:' ? '443' : '80');
  return allowPrivate.includes(`${url.hostname}:${port}`);
}

/** A lookup that returns the checked addresses for any name. */
export function pinnedLookup(addresses: readonly ResolvedAddress[]): LookupFunction {
  return (_name, options, callback) => {
    const [first] = addresses as readonly [ResolvedAddress];
    if (options.all) callback(null, [...addresses]);
    else callback(null, first.address, first.family);
  };
}
