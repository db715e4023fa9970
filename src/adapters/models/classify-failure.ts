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
}

const CONTEXT_KINDS = /context_length_exceeded|exceed_context_size|request_too_large|model_context_window/i;
const CONTEXT_WORDS =
  /maximum context length|context (?:length|window|size)|prompt is too long|input is too long|too many tokens|exceeds? the (?:available )?context|input length .{0,40}exceed/i;
const REFUSAL_KINDS = /content_filter|content_policy|responsible_ai|safety_violation|\brefusal\b/i;
const LIMIT_KINDS = /rate_limit|too_many_requests/i;

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
  if (status === 429 || LIMIT_KINDS.test(kind)) return { code: 'models.rate_limited', transient: true };
  if (status === 401) return { code: 'models.not_configured', transient: false };
  if (REFUSAL_KINDS.test(kind)) return { code: 'models.refused', transient: false };
  const asked = status === undefined || status === 400 || status === 413 || status === 422 || status >= 500;
  if (asked && (status === 413 || CONTEXT_KINDS.test(kind) || CONTEXT_WORDS.test(message)))
    return { code: 'models.context_exceeded', transient: false };
  if (status === 404) return { code: 'models.not_configured', transient: false };
  const transient =
    status === undefined || status >= 500 || status === 408 || status === 409 || status === 425;
  return { code: 'models.request_failed', transient };
}
