import type { ModelsErrorCode } from '../../models/index.ts';
import { memberOf, readJson } from './read-json.ts';

/** A provider's failure, independent of its wire format. */
export interface ProviderFailure {
  readonly status: number | undefined;
  readonly message: string;
  /** Its `code` and `type`, if present. */
  readonly kinds: readonly string[];
}

/** The error code of a failure, and whether a retry may help. */
export interface FailureClass {
  readonly code: ModelsErrorCode;
  readonly transient: boolean;
  /** The provider is rate limited or overloaded: the same request succeeds later. */
  readonly busy?: true;
}

const CONTEXT_KINDS = /context_length_exceeded|exceed_context_size|request_too_large|model_context_window/i;
const CONTEXT_WORDS =
  /maximum context length|context (?:length|window|size)|prompt is too long|input is too long|too many tokens|exceeds? the (?:available )?context|input length .{0,40}exceed/i;
const REFUSAL_KINDS = /content_filter|content_policy|responsible_ai|safety_violation|\brefusal\b/i;
const KEY_WORDS =
  /(?:invalid|incorrect|wrong|missing).{0,20}(?:api[ _-]?key|x-api-key)|api[ _-]?key (?:is )?(?:not valid|invalid)|invalid_api_key/i;
const MODEL_KINDS = /model_not_found|model_not_exist/i;
const MODEL_WORDS =
  /\bmodels?\b.{0,200}(?:not found|does not exist|not exist|not available|is not supported for)|invalid model|not a valid model/i;
const TOOL_WORDS =
  /(?:does not|doesn't|not) support(?:ed)? .{0,20}(?:tools?|function call)|(?:tools?|function calling|tool use)\b.{0,60}not (?:supported|available)|support(?:s)? tool use|tool choice requires|tools param requires/i;
const LIMIT_KINDS = /rate_limit|too_many_requests/i;
/** A limit that only paying lifts. */
const QUOTA_KINDS = /insufficient_quota|billing/i;
const OVERLOAD_KINDS = /overloaded|resource_exhausted|service_unavailable|capacity_exceeded/i;
const OVERLOAD_WORDS =
  /\boverloaded\b|rate limit|too many requests|(?:at|over|exceeded|out of) capacity|server is busy/i;

/** Reads a provider's error: `{ error: { message, type, code } }`, `{ error: "…" }` or only the inner part. */
export function readFailure(value: unknown, status?: number): ProviderFailure {
  const parsed = typeof value === 'string' ? (readJson(value) ?? value) : value;
  const inner = memberOf(parsed, 'error') ?? parsed;
  const message = typeof inner === 'string' ? inner : memberOf(inner, 'message');
  const kinds = [memberOf(inner, 'code'), memberOf(inner, 'type')].filter((kind) => kind != null).map(String);
  return { status, message: typeof message === 'string' ? message : '', kinds };
}

/** Classifies a failure by its status, and by the provider's message if the status is ambiguous. */
export function classifyFailure({ status, message, kinds }: ProviderFailure): FailureClass {
  const kind = kinds.join(' ');
  if (status === 429 || LIMIT_KINDS.test(kind))
    return {
      code: 'models.rate_limited',
      transient: true,
      ...(QUOTA_KINDS.test(kind) ? {} : { busy: true }),
    };
  if (status === 401 || (isRequestError(status) && KEY_WORDS.test(`${kind} ${message}`)))
    return { code: 'models.key_rejected', transient: false };
  if (status !== undefined && TOOL_WORDS.test(message))
    return { code: 'models.tools_unsupported', transient: false };
  if (REFUSAL_KINDS.test(kind)) return { code: 'models.refused', transient: false };
  const asked = status === undefined || status === 400 || status === 413 || status === 422 || status >= 500;
  if (asked && (status === 413 || CONTEXT_KINDS.test(kind) || CONTEXT_WORDS.test(message)))
    return { code: 'models.context_exceeded', transient: false };
  if (isRequestError(status) && (MODEL_KINDS.test(kind) || MODEL_WORDS.test(message)))
    return { code: 'models.unknown_model', transient: false };
  if (status === 404) return { code: 'models.not_configured', transient: false };
  const transient =
    status === undefined || status >= 500 || status === 408 || status === 409 || status === 425;
  return {
    code: 'models.request_failed',
    transient,
    ...(transient && isOverloaded({ status, message, kinds }) ? { busy: true } : {}),
  };
}

function isOverloaded({ status, message, kinds }: ProviderFailure): boolean {
  if (status === 503 || status === 529) return true;
  return OVERLOAD_KINDS.test(kinds.join(' ')) || OVERLOAD_WORDS.test(message);
}

/** Whether the provider blames the request. */
function isRequestError(status: number | undefined): boolean {
  return status === 400 || status === 403 || status === 404 || status === 422;
}
