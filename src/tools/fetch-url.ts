import * as z from 'zod';
import {
  type Binding,
  type CredentialProvider,
  requireCapability,
  type Tool,
  type ToolAnnotations,
  type ToolContext,
} from '../engine/index.ts';
import { OkaError } from '../kernel/index.ts';
import { decodeText } from './decode-text.ts';
import { defineTool } from './define-tool.ts';
import type { ToolsErrorCode } from './errors.ts';
import { type Http, type HttpAnswer, type HttpRequest, isCredentialHeader } from './ports.ts';

const NAME = 'http.fetch';
const DEFAULT_BYTES = 1024 * 1024;
const MAX_BYTES = 16 * 1024 * 1024;
const TIMEOUT_MS = 60_000;
const SECRET = /\{\{\s*vault\.([A-Za-z0-9][A-Za-z0-9_.-]*)\s*\}\}/g;
const MENTIONS_SECRET = /\{\{\s*vault\./;

const input = z.strictObject({
  url: z.string().min(1).max(8_192).describe('an http or https URL of a public server'),
  method: z.enum(['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS']).default('GET'),
  headers: z
    .record(z.string(), z.string())
    .default({})
    .describe('{{vault.NAME}} in a value is replaced by that secret'),
  body: z.string().optional(),
  max_bytes: z.int().min(1).max(MAX_BYTES).default(DEFAULT_BYTES).describe('the maximum size of the body'),
});
type FetchInput = z.output<typeof input>;

const CHANGES: ToolAnnotations = {
  readOnly: false,
  destructive: false,
  idempotent: false,
  cacheable: false,
  risk: 'medium',
};
const READS: ToolAnnotations = { ...CHANGES, readOnly: true, idempotent: true, risk: 'low' };

export const fetchUrl: Tool = defineTool({
  name: NAME,
  description:
    'Sends an HTTP request to a public server and returns status, headers and body; private addresses are refused.',
  input,
  output: z.strictObject({
    url: z.string().describe('the final URL, after redirects'),
    status: z.int(),
    headers: z.record(z.string(), z.string()),
    media_type: z.string(),
    body: z.string().exactOptional().describe('the body, if it is text'),
    artifact: z.string().exactOptional().describe('the artifact with the body, if it is not text'),
    bytes: z.int(),
    truncated: z.boolean(),
    redirects: z.array(z.string()),
  }),
  annotations: CHANGES,
  sideEffect: 'external_mutation',
  untrusted: true,
  timeoutMs: 2 * TIMEOUT_MS,
  effect: ({ method, url }) => ({ kind: 'request', what: `${method} ${url}`, method, url }),
  reaches: (given) => [hostIn((given as Partial<FetchInput>).url ?? '') ?? []].flat(),
  widens: (given) => widenedBy(given as Partial<FetchInput>),
  binds: bindingOf,
  forInput: (given) =>
    isReadOnly(given as Partial<FetchInput>)
      ? { sideEffect: 'read', annotations: READS }
      : { sideEffect: 'external_mutation', annotations: CHANGES },
  check: refuseMisplaced,
  async handler(given, context) {
    refuseMisplaced(given);
    const { url, method, body, max_bytes: maxBytes } = given;
    const { headers, secretHeaders } = await resolveHeaders(given, context);
    const mayFollow = followedBy(given, context);
    const request = { url, method, headers, secretHeaders, maxBytes, timeoutMs: TIMEOUT_MS, mayFollow };
    const http = requireCapability<Http>(context, 'http');
    const answer = await http.fetch(body === undefined ? request : { ...request, body }, context.signal);
    return { ...describe(answer), ...(await contentOf(answer, context)) };
  },
});

/**
 * A redirect is a request of its own: it is followed where the call would be allowed without a question, or where it stays on
 * the host that the call was allowed for. Policy may deny either.
 */
function followedBy(given: FetchInput, { judge }: ToolContext): HttpRequest['mayFollow'] {
  return async ({ url, method, body }, from) => {
    const isSameOrigin = url.origin === from.origin;
    const kept = Object.entries(given.headers).filter((header) => isSameOrigin || !isCredential(header));
    const { body: _, ...rest } = given;
    const input = { ...rest, url: url.href, method, headers: Object.fromEntries(kept) };
    const verdict = await judge?.(body === undefined ? input : { ...input, body });
    if (verdict?.decision === 'allow' || (verdict?.decision === 'ask' && isSameHost(url, from))) return;
    const why =
      verdict?.decision === 'ask'
        ? verdict.why
        : `policy forbids that: ${verdict?.why ?? 'nothing allows it'}`;
    throw new OkaError<ToolsErrorCode>(
      'http.redirect_refused',
      `${from.host} redirects to ${url.host}, and the redirect was not followed: ${why}. To request it, call ${NAME} with ${method} ${url.href}.`,
      { data: { from: from.host, host: url.host, url: url.href, method } },
    );
  };
}

/** Whether a redirect stays on the host: the same port, or from http to https on their default ports. */
function isSameHost(to: URL, from: URL): boolean {
  return to.host === from.host && (to.protocol === from.protocol || to.protocol === 'https:');
}

/** What a remembered approval covers: reading from the host, or requests of one method to it. */
async function bindingOf(given: FetchInput): Promise<Binding> {
  const host = hostIn(given.url);
  const hasCredentials = widenedBy(given).some(([field]) => field === 'headers');
  const binding = { part: 'all', files: [] } as const;
  if (host === undefined || hasCredentials) return binding;
  if (isReadOnly(given))
    return { ...binding, scope: { host, reads: true }, covers: `requests that only read from ${host}` };
  const { method } = given;
  return { ...binding, scope: { host, method }, covers: `${method} requests to ${host}, with any content` };
}

function hostIn(url: string): string | undefined {
  return URL.canParse(url) ? new URL(url).host : undefined;
}

/** A row that names only a host covers reading from it, without credentials. */
function widenedBy({
  method = 'GET',
  headers = {},
  body,
}: Partial<FetchInput>): readonly (readonly string[])[] {
  const isRead = (method === 'GET' || method === 'HEAD' || method === 'OPTIONS') && body === undefined;
  const credentials = Object.entries(headers).filter(isCredential);
  return [...(isRead ? [] : [['method']]), ...credentials.map(([name]) => ['headers', name])];
}

/** Whether a request changes nothing and contains no secret. */
function isReadOnly({ method = 'GET', headers = {}, body }: Partial<FetchInput>): boolean {
  if ((method !== 'GET' && method !== 'HEAD') || body !== undefined) return false;
  return !Object.entries(headers).some(isCredential);
}

function isCredential([name, value]: [string, string]): boolean {
  return isCredentialHeader(name) || MENTIONS_SECRET.test(value);
}

function refuseMisplaced({ url, method, body, headers }: FetchInput): void {
  for (const [where, text] of Object.entries({ url, body: body ?? '', name: Object.keys(headers).join(' ') }))
    if (MENTIONS_SECRET.test(text))
      throw invalid(`A secret is allowed only in the value of a header, not in the ${where}`);
  if (body !== undefined && (method === 'GET' || method === 'HEAD'))
    throw invalid(`A ${method} request has no body. Remove it, or use another method`);
}

function invalid(message: string): OkaError<ToolsErrorCode> {
  return new OkaError('http.invalid_request', `${message}.`);
}

/** Fills in the secrets, and lists the headers that have one. */
async function resolveHeaders(
  { url, headers }: FetchInput,
  context: ToolContext,
): Promise<{ headers: Record<string, string>; secretHeaders: readonly string[] }> {
  const resolved: Record<string, string> = { ...headers };
  const secretHeaders: string[] = [];
  for (const [header, value] of Object.entries(headers)) {
    if (!MENTIONS_SECRET.test(value)) continue;
    secretHeaders.push(header);
    const values = new Map<string, string>();
    for (const [, name = ''] of value.matchAll(SECRET)) values.set(name, await secretFor(name, url, context));
    resolved[header] = value.replace(SECRET, (_, name: string) => values.get(name) ?? '');
    if (MENTIONS_SECRET.test(resolved[header]))
      throw invalid(`The header ${header} has an invalid secret name in {{vault.…}}. Correct it`);
  }
  return { headers: resolved, secretHeaders };
}

async function secretFor(name: string, url: string, context: ToolContext): Promise<string> {
  const purpose = { tool: NAME, run: context.runId, host: hostIn(url) ?? '' };
  const value = await requireCapability<CredentialProvider>(context, 'secrets').resolve(name, purpose);
  if (value !== undefined) return value;
  throw new OkaError<ToolsErrorCode>(
    'http.secret_missing',
    `No secret "${name}". Add it with: oka vault add ${name}.`,
    { data: { secret: name } },
  );
}

function describe(answer: HttpAnswer) {
  const { url, status, headers, truncated, redirects } = answer;
  return {
    url,
    status,
    headers: { ...headers },
    media_type: mediaTypeIn(headers['content-type']),
    bytes: answer.body.length,
    truncated,
    redirects: [...redirects],
  };
}

async function contentOf(
  { headers, body, url, truncated }: HttpAnswer,
  context: ToolContext,
): Promise<{ body: string } | { artifact: string } | Record<never, never>> {
  const type = headers['content-type'];
  const text = decodeBody(body, type, truncated);
  if (text !== undefined) return { body: text };
  const about = { name: new URL(url).pathname.split('/').pop() || 'body', mediaType: mediaTypeIn(type) };
  return { artifact: (await context.emitArtifact(body, about)).digest };
}

const TEXT =
  /^text\/|[/+](json|xml|yaml|javascript|ecmascript|x-www-form-urlencoded|graphql|toml|csv)$|\/jsonl$|\/x-ndjson$/;
const MARKUP_HEAD_BYTES = 1_024;

/** The media type of a Content-Type header, without parameters. */
function mediaTypeIn(header: string | undefined): string {
  return header?.split(';', 1)[0]?.trim().toLowerCase() || 'application/octet-stream';
}

/** Decodes a body by its byte order mark, or the charset of its header or markup; undefined if it is not text. */
function decodeBody(body: Uint8Array, header: string | undefined, truncated: boolean): string | undefined {
  const charset = /;\s*charset\s*=\s*"?([^\s;"]+)/i.exec(header ?? '')?.[1] ?? charsetInMarkup(body, header);
  if (charset === undefined && !TEXT.test(mediaTypeIn(header))) return decodeText(body, truncated);
  const decoder = decoderFor(markOf(body) ?? charset);
  // Drops an incomplete last character.
  return decoder.decode(body, { stream: truncated });
}

function charsetInMarkup(body: Uint8Array, header: string | undefined): string | undefined {
  if (!/^(text\/html|.*xml)$/.test(mediaTypeIn(header))) return undefined;
  const start = new TextDecoder('latin1').decode(body.subarray(0, MARKUP_HEAD_BYTES));
  return /<(?:meta|\?xml)[^>]{0,200}?(?:charset|encoding)\s*=\s*["']?([A-Za-z0-9_:.-]+)/i.exec(start)?.[1];
}

/** The encoding of the byte order mark. */
function markOf(body: Uint8Array): string | undefined {
  const [first, second, third] = body;
  if (first === 0xef && second === 0xbb && third === 0xbf) return 'utf-8';
  if (first === 0xff && second === 0xfe) return 'utf-16le';
  if (first === 0xfe && second === 0xff) return 'utf-16be';
  return undefined;
}

function decoderFor(charset: string | undefined): InstanceType<typeof TextDecoder> {
  try {
    return new TextDecoder(charset);
  } catch {
    return new TextDecoder();
  }
}
