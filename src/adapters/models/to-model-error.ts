import {
  APICallError,
  InvalidResponseDataError,
  JSONParseError,
  TypeValidationError,
} from '@ai-sdk/provider';
import { isOkaError, type OkaError, textOf } from '../../kernel/index.ts';
import { type ModelsErrorCode, modelError, providerFacts } from '../../models/index.ts';
import { classifyFailure, type FailureClass, type ProviderFailure, readFailure } from './classify-failure.ts';
import type { RemoteProviderName } from './types.ts';

/** The called model, for error messages. */
export interface AskedModel {
  readonly provider: RemoteProviderName;
  readonly model: string;
  readonly baseUrl: string;
  /** Where its key was found; undefined without a key. */
  readonly keyPlace: string | undefined;
  /** Redacts secrets in a provider's message. */
  readonly redact: (text: string) => string;
  readonly now: () => number;
}

const MAX_MESSAGE_LENGTH = 500;
const SHORT_MESSAGE = 200;

/** Converts anything that an SDK package threw or streamed as an error. */
export function toModelError(error: unknown, asked: AskedModel): OkaError {
  const ours = chainOf(error).find((one): one is OkaError => isOkaError(one));
  if (ours) return ours;
  if (APICallError.isInstance(error)) return ofCall(error, asked);
  if (isMalformed(error)) return malformed(error, asked);
  const network = networkCodeOf(error);
  if (network !== undefined) return unreachable(network, asked);
  if (error instanceof Error) return unexpected(error, asked);
  return ofFailure(readFailure(error), asked);
}

/** Converts an error response that no SDK package has read. */
export function failedResponse(status: number, body: unknown, asked: AskedModel): OkaError {
  return ofFailure(readFailure(body ?? '', status), asked);
}

function ofCall(error: APICallError, asked: AskedModel): OkaError {
  const { statusCode: status, responseHeaders, responseBody } = error;
  const succeeded = status !== undefined && status < 300;
  if (status === undefined || succeeded) {
    if (chainOf(error.cause).some(isMalformed)) return malformed(error.cause, asked);
    return unreachable(networkCodeOf(error.cause) ?? wordsOf(error.cause), asked);
  }
  const failure = readFailure(responseBody ?? '', status);
  const wait = retryAfterIn(responseHeaders, asked.now());
  return ofFailure({ ...failure, message: failure.message || error.message }, asked, wait);
}

function ofFailure(failure: ProviderFailure, asked: AskedModel, retryAfterMs?: number): OkaError {
  const found = classifyFailure(failure);
  const { status } = failure;
  return modelError(found.code, sentenceFor(found, failure, asked), {
    data: { provider: asked.provider, model: asked.model, ...(status === undefined ? {} : { status }) },
    transient: found.transient,
    ...(found.busy ? { busy: `${nameOf(asked)} ${busyWords(found, status)}` } : {}),
    ...(retryAfterMs === undefined ? {} : { retryAfterMs }),
  });
}

/** Shown with the conversation and recorded for good, so it holds nothing of the provider's message. */
function busyWords({ code }: FailureClass, status: number | undefined): string {
  const what = code === 'models.rate_limited' ? 'is rate limited' : 'is overloaded';
  return status === undefined ? what : `${what} (${status})`;
}

/** What failed, with the provider's own status and message, and what to do next. */
function sentenceFor(found: FailureClass, failure: ProviderFailure, asked: AskedModel): string {
  const { provider, model, keyPlace } = asked;
  const { status } = failure;
  const words = asked.redact(failure.message).slice(0, MAX_MESSAGE_LENGTH).toWellFormed().trim();
  const said = words.replace(/[.\s]+$/, '');
  const quoted = [status, said === '' ? undefined : `"${said}"`].filter((part) => part !== undefined);
  const answer = quoted.length === 0 ? '' : ` (${quoted.join(' ')})`;
  const add = `oka model add ${provider}`;
  switch (found.code) {
    case 'models.key_rejected':
      return keyPlace === undefined
        ? `${provider} requires an API key${answer}. Set one: ${add}`
        : `${provider} rejected the API key${placeOf(keyPlace)}${answer}. Set a new one: ${add}`;
    case 'models.unknown_model': {
      const pull =
        provider === 'ollama' ? `Get it: ollama pull ${model}, or choose another` : 'Choose another';
      return `${provider} has no model "${model}"${answer}. ${pull}: ${add}`;
    }
    case 'models.tools_unsupported':
      return `${nameOf(asked)} cannot call tools${answer}. Oka describes the tools in the prompt instead.`;
    default: {
      const how = status === undefined ? 'failed while answering' : `answered with ${status}`;
      return `${nameOf(asked)} ${how}${said === '' ? '' : `: ${said}`}. ${nextStep(found, failure, asked)}`;
    }
  }
}

/** Where a key is set; the vault goes without saying. */
function placeOf(keyPlace: string): string {
  return keyPlace.startsWith('the vault') ? '' : ` in ${keyPlace}`;
}

function nextStep({ code, transient }: FailureClass, { status }: ProviderFailure, asked: AskedModel): string {
  if (code === 'models.rate_limited') return 'Wait a moment, or use another model.';
  if (code === 'models.context_exceeded') return 'Shorten the prompt, or use a model with a larger context.';
  if (code === 'models.refused') return 'Change the request, or use another model.';
  const { keyPlace } = asked;
  if (status === 403) return `Check the permissions of the key${keyPlace ? ` in ${keyPlace}` : ''}.`;
  if (status === 404) return `Check the address ${asked.baseUrl} and the name of the model.`;
  if (status !== undefined && status >= 300 && status < 400)
    return `Set "base_url" to the address that ${asked.baseUrl} leads to; Oka does not send keys to redirects.`;
  return transient ? 'Try again later.' : 'Correct the request or the configuration of the model.';
}

const WORD = /[A-Za-z0-9_*•…-]{6,}/g;
const KEY_SHAPE = /^(?:sk|pk|rk|gsk|xai|key)[-_]\S*\d|^AIza|[*•…]{3,}/;

/** Shortens what a provider repeats of a key, such as `sk-…3f`: a masked key still shows much of it. */
export function cutKeys(text: string, key: string | undefined): string {
  return text.replaceAll(WORD, (word) => {
    const isOurs = key !== undefined && key.length >= 6 && (word === key || word.startsWith(key.slice(0, 6)));
    return isOurs || KEY_SHAPE.test(word) ? `${word.slice(0, 3)}…${word.slice(-2)}` : word;
  });
}

function isMalformed(error: unknown): boolean {
  return (
    JSONParseError.isInstance(error) ||
    TypeValidationError.isInstance(error) ||
    InvalidResponseDataError.isInstance(error) ||
    // The packages read answers recursively, so one that is nested too deeply exhausts the stack.
    error instanceof RangeError
  );
}

/** Uses the innermost cause; the outer ones repeat the whole answer. */
function malformed(error: unknown, asked: AskedModel): OkaError {
  const innermost = chainOf(error).findLast((one): one is Error => one instanceof Error);
  const words = asked.redact(innermost?.message ?? textOf(error)).replace(/\s+/g, ' ');
  return ofCode(
    'models.malformed',
    `gave an unreadable answer: ${words.slice(0, SHORT_MESSAGE)}. Try again`,
    asked,
  );
}

function unreachable(why: string, asked: AskedModel): OkaError {
  const facts = providerFacts(asked.provider);
  const start =
    asked.provider === 'ollama'
      ? 'Start it: ollama serve'
      : facts?.isLocal
        ? `Start ${facts.title}, or correct its address: oka model add ${asked.provider}`
        : 'Check the network and the address, then try: oka model test';
  return ofCode('models.unreachable', `is not reachable at ${asked.baseUrl}: ${why}. ${start}`, asked);
}

function unexpected(error: Error, asked: AskedModel): OkaError {
  const words = asked.redact(error.message).slice(0, MAX_MESSAGE_LENGTH);
  return modelError(
    'models.request_failed',
    `${nameOf(asked)} could not be called: ${words}. Correct the request or the configuration of the model.`,
    { data: { provider: asked.provider, model: asked.model }, transient: false, cause: error },
  );
}

function ofCode(code: ModelsErrorCode, what: string, asked: AskedModel): OkaError {
  const sentence = what.toWellFormed().replace(/[.\s]+$/, '');
  return modelError(
    code,
    `${nameOf(asked)} ${sentence}${/: (?:oka|ollama) [^.]+$/.test(sentence) ? '' : '.'}`,
    {
      data: { provider: asked.provider, model: asked.model },
    },
  );
}

function wordsOf(cause: unknown): string {
  return cause instanceof Error && cause.message !== '' ? cause.message : 'the connection failed';
}

function nameOf({ provider, model }: AskedModel): string {
  return `${provider} (${model})`;
}

const NETWORK_MESSAGES: Readonly<Record<string, string>> = {
  ECONNREFUSED: 'the connection was refused',
  ECONNRESET: 'the connection was reset',
  EPIPE: 'the connection was closed',
  ENOTFOUND: 'host not found',
  EAI_AGAIN: 'host lookup failed',
  ETIMEDOUT: 'the connection timed out',
  EHOSTUNREACH: 'host unreachable',
  ENETUNREACH: 'network unreachable',
  UND_ERR_SOCKET: 'the connection was closed',
  UND_ERR_CONNECT_TIMEOUT: 'the connection timed out',
  UND_ERR_HEADERS_OVERFLOW: 'its response headers are larger than 16 KiB',
};

/** Describes a network failure; undefined for other errors. */
function networkCodeOf(error: unknown): string | undefined {
  for (const one of chainOf(error)) {
    const { code, message } = one as { code?: unknown; message?: unknown };
    if (typeof code === 'string' && Object.hasOwn(NETWORK_MESSAGES, code)) return NETWORK_MESSAGES[code];
    if (typeof code === 'string' && /^(UND_ERR|CERT_|ERR_TLS|DEPTH_ZERO|SELF_SIGNED|UNABLE_TO)/.test(code))
      return code;
    if (message === 'terminated') return 'the connection was closed';
  }
  return undefined;
}

/** An error with all its causes, including those of aggregate errors. */
function chainOf(error: unknown): unknown[] {
  const chain: unknown[] = [];
  const open = [error];
  for (let one = open.shift(); one !== undefined && one !== null && chain.length < 20; one = open.shift()) {
    if (typeof one !== 'object') break;
    chain.push(one);
    const { cause, errors } = one as { cause?: unknown; errors?: unknown };
    if (cause !== undefined) open.push(cause);
    if (Array.isArray(errors)) open.push(...errors);
  }
  return chain;
}

/** The wait that a response requests, from `retry-after-ms` or from `retry-after` in seconds or as a date. */
function retryAfterIn(
  headers: Readonly<Record<string, string | undefined>> | undefined,
  now: number,
): number | undefined {
  const milliseconds = numberIn(headers?.['retry-after-ms']);
  if (milliseconds !== undefined) return milliseconds;
  const text = headers?.['retry-after'];
  const seconds = numberIn(text);
  if (seconds !== undefined) return seconds * 1_000;
  const at = Date.parse(text ?? '');
  return Number.isNaN(at) ? undefined : Math.max(0, at - now);
}

function numberIn(text: string | undefined): number | undefined {
  return text !== undefined && /^\s*\d+(\.\d+)?\s*$/.test(text) ? Number(text) : undefined;
}
