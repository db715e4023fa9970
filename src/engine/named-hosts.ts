// Owns: which hosts a person names by what they write, and whether these cover a host.
// Does not own: who wrote it. I1 A host counts only where the text has a URL or a hostname that parses to exactly it:
// not as part of another name, of another URL's path or query, of an e-mail address or of a file name.

import type { Json } from '../kernel/index.ts';

const URLS = /\bhttps?:\/\/[^\s<>"'`|\\^{}]+/gi;
/** Characters that end a sentence or a bracket, not a URL. */
const TRAILING = /[).,;:!?\]*_]+$/;
const SEPARATORS = /[\s<>"'`|\\^{}(),;!?*]+/;
const BARE =
  /^(?:[\p{L}\p{N}](?:[\p{L}\p{N}-]*[\p{L}\p{N}])?\.)+[\p{L}\p{N}-]*\p{L}[\p{L}\p{N}-]*\.?(?::\d{1,5})?(?:[/#?]|$)/u;
const BARE_ADDRESS = /^(?:\d{1,3}(?:\.\d{1,3}){3}|localhost|\[[0-9a-f:.]+\])(?::\d{1,5})?(?:[/#?]|$)/i;
/** Endings of files that are also top-level domains. Such a name counts as a host only in a URL. */
const FILE_ENDINGS: ReadonlySet<string> = new Set(
  'cc cat map md ml mm mov pl pm ps pub py rs sh so tf zip'.split(' '),
);

/** The hosts that the URLs in a text name. */
export function hostsInUrls(text: string): ReadonlySet<string> {
  return new Set([...text.matchAll(URLS)].flatMap(([url]) => hostOfUrl(url.replace(TRAILING, '')) ?? []));
}

/** The hosts that a text names in URLs or as bare hostnames, with their ports unless these are the default. */
function namedHosts(text: string): ReadonlySet<string> {
  const hosts = new Set(hostsInUrls(text));
  for (const word of text.replaceAll(URLS, ' ').split(SEPARATORS)) {
    const host = bareHost(word.replace(/[.:]+$/, ''));
    if (host !== undefined) hosts.add(host);
  }
  return hosts;
}

/** The hosts that a person names by writing this, such as a goal or the input of a graph. */
export function hostsNamedBy(words: Json): readonly string[] {
  const found = new Set<string>();
  // Without recursion, because a value may be nested deeper than the stack.
  const left: Json[] = [words];
  for (let value = left.pop(); value !== undefined; value = left.pop()) {
    if (typeof value === 'string') for (const host of namedHosts(value)) found.add(host);
    else if (value !== null && typeof value === 'object')
      for (const part of Object.values(value)) left.push(part as Json);
  }
  return [...found];
}

/** Whether one of these names is the destination, or a domain that the destination is in. Ports must be equal. */
export function coversHost(named: Iterable<string>, destination: string): boolean {
  const wanted = hostOfUrl(`http://${destination}`);
  if (wanted === undefined) return false;
  for (const host of named) if (wanted === host || isBelow(wanted, host)) return true;
  return false;
}

function isBelow(host: string, domain: string): boolean {
  const isDomain = /\.[^.:\]]*\p{L}[^.:\]]*(?::\d+)?$/u.test(domain);
  return isDomain && host.endsWith(`.${domain}`);
}

function bareHost(word: string): string | undefined {
  if (BARE_ADDRESS.test(word)) return hostOfUrl(`http://${word}`);
  if (!BARE.test(word)) return undefined;
  const host = hostOfUrl(`http://${word}`);
  const ending = host?.replace(/:\d+$/, '').split('.').at(-1);
  return ending === undefined || FILE_ENDINGS.has(ending) ? undefined : host;
}

/** The host of a URL as the browser standard reads it, without a trailing dot; with its port unless it is the default. */
function hostOfUrl(text: string): string | undefined {
  if (!URL.canParse(text)) return undefined;
  const { hostname, port } = new URL(text);
  const host = hostname.replace(/\.$/, '');
  return host === '' ? undefined : port === '' ? host : `${host}:${port}`;
}
