// Owns: from a URL to the addresses that a request may connect to. I1 A name is resolved once per hop, and the very
// addresses that were checked are connected to.
import type { LookupFunction } from 'node:net';
import { OkaError, type OkaErrorOptions } from '../../kernel/index.ts';
import type { ToolsErrorCode } from '../../tools/index.ts';
import { refusedAddress } from './public-address.ts';

export interface ResolvedAddress {
  readonly address: string;
  readonly family: 4 | 6;
}

/** Finds the addresses of a name; rejects when there is no such name. */
export type ResolveName = (name: string) => Promise<readonly ResolvedAddress[]>;

/** An error about one URL; what may be secret in it is left out. */
export function httpError(
  code: ToolsErrorCode,
  url: URL,
  message: string,
  options: OkaErrorOptions = {},
): OkaError<ToolsErrorCode> {
  return new OkaError(code, message, { ...options, data: { host: url.host, ...options.data } });
}

/** A URL that may be asked at all; anything else is refused by its letters alone. */
export function parseUrl(text: string, base?: URL): URL {
  const url = URL.canParse(text, base?.href) ? new URL(text, base?.href) : undefined;
  const refuse = (why: string): OkaError<ToolsErrorCode> =>
    new OkaError('http.invalid_url', `${why}; give an address such as https://example.org/path.`, {
      data: url === undefined ? {} : { scheme: url.protocol, host: url.host },
    });
  if (url === undefined) throw refuse('this is no address of a server');
  if (url.protocol !== 'http:' && url.protocol !== 'https:')
    throw refuse(`only http and https are spoken, not ${url.protocol}`);
  if (url.username !== '' || url.password !== '')
    throw refuse(`the address of ${url.host} holds a user or a password, which belong into a header`);
  url.hash = '';
  return url;
}

/** The addresses to connect to, all found to be public unless the host is one that the user allows. */
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
        `${url.hostname} is not a public server: its address ${address} is ${why}; only the user's own configuration can allow it.`,
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
    httpError('http.failed', url, `no address was found for ${host}; check the name and the network.`, {
      cause,
      transient: (cause as NodeJS.ErrnoException | undefined)?.code === 'EAI_AGAIN',
    });
  const found = await resolve(host).catch((error: unknown) => {
    throw notFound(error);
  });
  if (found.length === 0) throw notFound();
  return found;
}

/** True for a host and port that the user's own configuration names. */
export function isAllowed(url: URL, allowPrivate: readonly string[]): boolean {
  const port = url.port || (url.protocol === 'https:' ? '443' : '80');
  return allowPrivate.includes(`${url.hostname}:${port}`);
}

/** Answers with addresses that are known already, whatever name is asked for. */
export function pinnedLookup(addresses: readonly ResolvedAddress[]): LookupFunction {
  return (_name, options, callback) => {
    const [first] = addresses as readonly [ResolvedAddress];
    if (options.all) callback(null, [...addresses]);
    else callback(null, first.address, first.family);
  };
}
