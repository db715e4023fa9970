import { OkaError } from '../../kernel/index.ts';
import type { ToolsErrorCode } from '../../tools/index.ts';

/** Headers that belong to the connection. */
const REFUSED =
  /^(host|connection|keep-alive|content-length|transfer-encoding|te|trailer|upgrade|expect|via|proxy-.*|accept-encoding|sec-.*)$/i;
const USER_AGENT = 'oka';

/** Builds the headers; rejects those that would change the target or the framing of the message. */
export function requestHeaders(given: Readonly<Record<string, string>>, url: URL): Headers {
  const headers = new Headers({ 'user-agent': USER_AGENT, accept: '*/*' });
  for (const [name, value] of Object.entries(given)) {
    if (REFUSED.test(name)) throw refuse(name, url);
    try {
      headers.set(name, value);
    } catch {
      throw refuse(name, url);
    }
  }
  return headers;
}

/** Names the header but not its value, which may be secret. */
function refuse(name: string, url: URL): OkaError<ToolsErrorCode> {
  return new OkaError(
    'http.header_refused',
    `Invalid header ${JSON.stringify(name)} for ${url.host}. Remove it, or correct its characters.`,
    { data: { host: url.host, header: name } },
  );
}
