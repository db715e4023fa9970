export type HttpMethod = 'GET' | 'HEAD' | 'POST' | 'PUT' | 'PATCH' | 'DELETE' | 'OPTIONS';

const CREDENTIAL_HEADERS = /^(authorization|proxy-authorization|cookie|x-api-key|api-key|x-auth-token)$/i;

/** True for a header that says who is asking. */
export function isCredentialHeader(name: string): boolean {
  return CREDENTIAL_HEADERS.test(name);
}

/** A request to a server, before anything about its address is known. */
export interface HttpRequest {
  readonly url: string;
  readonly method: HttpMethod;
  readonly headers: Readonly<Record<string, string>>;
  /** Names of headers that hold a secret: they go to no other origin, and never in clear text. */
  readonly secretHeaders?: readonly string[];
  readonly body?: string;
  /** How much of the decoded body is kept. */
  readonly maxBytes: number;
  readonly timeoutMs: number;
}

export interface HttpAnswer {
  /** Where the answer came from, after redirects. */
  readonly url: string;
  readonly status: number;
  /** Names in lower case; cookies are left out. */
  readonly headers: Readonly<Record<string, string>>;
  /** Decoded as Content-Encoding says. */
  readonly body: Uint8Array;
  readonly truncated: boolean;
  /** The addresses that led to it, in order. */
  readonly redirects: readonly string[];
}

/**
 * Speaks HTTP with public servers; handed in as the capability `http`. An address that is not public is refused, also
 * behind a name or a redirect. Rejects with an OkaError, and with the signal's reason when it is aborted.
 */
export interface Http {
  fetch(request: HttpRequest, signal: AbortSignal): Promise<HttpAnswer>;
}
