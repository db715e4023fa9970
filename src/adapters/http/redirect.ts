import { type HttpMethod, isCredentialHeader } from '../../tools/index.ts';

/** The request of one hop. */
export interface Hop {
  readonly url: URL;
  readonly method: HttpMethod;
  readonly headers: Headers;
  readonly body?: string;
}

const REDIRECTS: ReadonlySet<number> = new Set([301, 302, 303, 307, 308]);
const ABOUT_BODY = ['content-type', 'content-encoding', 'content-language', 'content-location'];

/** The redirect target of an answer. */
export function redirectTarget(status: number, location: string | null): string | undefined {
  return REDIRECTS.has(status) && location !== null ? location : undefined;
}

/** The next hop, with method and headers changed as browsers do. No secret is sent to another origin. */
export function followRedirect(hop: Hop, status: number, url: URL, secretHeaders: readonly string[]): Hop {
  const headers = new Headers(hop.headers);
  if (url.origin !== hop.url.origin)
    for (const name of [...[...headers.keys()].filter(isCredentialHeader), ...secretHeaders])
      headers.delete(name);
  const becomesGet =
    (status === 303 && hop.method !== 'HEAD') ||
    ((status === 301 || status === 302) && hop.method === 'POST');
  if (!becomesGet) return { ...hop, url, headers };
  for (const name of ABOUT_BODY) headers.delete(name);
  return { url, method: 'GET', headers };
}
