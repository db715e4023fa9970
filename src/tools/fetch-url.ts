import * as z from 'zod';
import {
  type CredentialProvider,
  requireCapability,
  type Tool,
  type ToolAnnotations,
  type ToolContext,
} from '../engine/index.ts';
import { OkaError } from '../kernel/index.ts';
import { decodeBody, mediaTypeIn } from './decode-body.ts';
import { defineTool } from './define-tool.ts';
import type { ToolsErrorCode } from './errors.ts';
import { type Http, type HttpAnswer, isCredentialHeader } from './http-ports.ts';

const NAME = 'http.fetch';
const DEFAULT_BYTES = 1024 * 1024;
const MOST_BYTES = 16 * 1024 * 1024;
const TIMEOUT_MS = 60_000;
const SECRET = /\{\{\s*vault\.([A-Za-z0-9][A-Za-z0-9_.-]*)\s*\}\}/g;
const MENTIONS_SECRET = /\{\{\s*vault\./;

const input = z.strictObject({
  url: z.string().min(1).max(8_192).describe('an http or https address of a public server'),
  method: z.enum(['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS']).default('GET'),
  headers: z
    .record(z.string(), z.string())
    .default({})
    .describe('a value may hold {{vault.NAME}}, which is replaced by that secret'),
  body: z.string().optional(),
  max_bytes: z.int().min(1).max(MOST_BYTES).default(DEFAULT_BYTES).describe('how much of the body to keep'),
});
type FetchInput = z.output<typeof input>;

const ACTS: ToolAnnotations = {
  readOnly: false,
  destructive: false,
  idempotent: false,
  cacheable: false,
  risk: 'medium',
};
const LOOKS: ToolAnnotations = { ...ACTS, readOnly: true, idempotent: true, risk: 'low' };

export const fetchUrl: Tool = defineTool({
  name: NAME,
  description:
    'Makes an HTTP request to a public server and gives status, headers and body; private addresses are refused.',
  input,
  output: z.strictObject({
    url: z.string().describe('where the answer came from, after redirects'),
    status: z.int(),
    headers: z.record(z.string(), z.string()),
    media_type: z.string(),
    body: z.string().exactOptional().describe('the text of the answer'),
    artifact: z.string().exactOptional().describe('where the answer is kept, when it is not text'),
    bytes: z.int(),
    truncated: z.boolean(),
    redirects: z.array(z.string()),
  }),
  annotations: ACTS,
  sideEffect: 'external_mutation',
  untrusted: true,
  timeoutMs: 2 * TIMEOUT_MS,
  reaches: (given) => hostIn((given as Partial<FetchInput>).url ?? ''),
  forInput: (given) =>
    onlyLooks(given as Partial<FetchInput>)
      ? { sideEffect: 'read', annotations: LOOKS }
      : { sideEffect: 'external_mutation', annotations: ACTS },
  async handler(given, context) {
    refuseMisplaced(given);
    const { url, method, body, max_bytes: maxBytes } = given;
    const { headers, secretHeaders } = await resolveHeaders(given, context);
    const request = { url, method, headers, secretHeaders, maxBytes, timeoutMs: TIMEOUT_MS };
    const http = requireCapability<Http>(context, 'http');
    const answer = await http.fetch(body === undefined ? request : { ...request, body }, context.signal);
    return { ...describe(answer), ...(await contentOf(answer, context)) };
  },
});

function hostIn(url: string): string | undefined {
  return URL.canParse(url) ? new URL(url).host : undefined;
}

/** Whether a request changes nothing and says nothing secret. */
function onlyLooks({ method = 'GET', headers = {}, body }: Partial<FetchInput>): boolean {
  if ((method !== 'GET' && method !== 'HEAD') || body !== undefined) return false;
  return !Object.entries(headers).some(
    ([name, value]) => isCredentialHeader(name) || MENTIONS_SECRET.test(value),
  );
}

function refuseMisplaced({ url, method, body, headers }: FetchInput): void {
  for (const [where, text] of Object.entries({ url, body: body ?? '', name: Object.keys(headers).join(' ') }))
    if (MENTIONS_SECRET.test(text))
      throw invalid(`a secret may stand in the value of a header only, not in the ${where}`);
  if (body !== undefined && (method === 'GET' || method === 'HEAD'))
    throw invalid(`a ${method} request has no body; leave it out, or use another method`);
}

function invalid(message: string): OkaError<ToolsErrorCode> {
  return new OkaError('http.invalid_request', `${message}.`);
}

/** The headers with their secrets in place, and the names of those that have one. */
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
      throw invalid(`the header ${header} holds {{vault.…}} with a name that no secret has; correct it`);
  }
  return { headers: resolved, secretHeaders };
}

async function secretFor(name: string, url: string, context: ToolContext): Promise<string> {
  const host = URL.canParse(url) ? new URL(url).host : '';
  const purpose = { tool: NAME, run: context.runId, host };
  const value = await requireCapability<CredentialProvider>(context, 'secrets').resolve(name, purpose);
  if (value !== undefined) return value;
  throw new OkaError<ToolsErrorCode>(
    'http.secret_missing',
    `there is no secret "${name}"; add it with: oka vault add ${name}.`,
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
