import { OkaError } from '../../kernel/index.ts';
import type { ToolsErrorCode } from '../../tools/index.ts';

/** Headers that belong to the connection and not to whoever asks. */
const REFUSED =
  /^(host|connection|keep-alive|content-length|transfer-encoding|te|trailer|upgrade|expect|via|proxy-.*|accept-encoding|sec-.*)$/i;
const USER_AGENT = 'oka';

/** The headers to send; refuses those that would change who is asked or how the message ends. */
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

/** Names the header and not its value, which may be secret. */
function refuse(name: string, url: URL): OkaError<ToolsErrorCode> {
  return new OkaError(
    'http.header_refused',
    `the header ${JSON.stringify(name)} cannot be sent to ${url.host}; leave it out, or correct its letters.`,
    { data: { host: url.host, header: name } },
  );
}
