import { type ErrorData, isOkaError, OkaError } from '../kernel/index.ts';
import type { ModelsErrorCode } from './types.ts';

interface ModelErrorOptions {
  readonly data?: ErrorData;
  readonly cause?: unknown;
  /** Overrides the default of the code. */
  readonly transient?: boolean;
  /** The wait that the provider requests. */
  readonly retryAfterMs?: number;
}

const TRANSIENT: Readonly<Record<ModelsErrorCode, boolean>> = {
  'models.not_configured': false,
  'models.request_failed': true,
  'models.rate_limited': true,
  'models.context_exceeded': false,
  'models.refused': false,
  'models.malformed': false,
  'models.stream_cut': true,
  'models.script_invalid': false,
};

/** Creates an error of this domain; `transient` defaults by code. */
export function modelError(
  code: ModelsErrorCode,
  message: string,
  { data, cause, transient, retryAfterMs }: ModelErrorOptions = {},
): OkaError<ModelsErrorCode> {
  return new OkaError(code, message, {
    data: { ...data, ...(retryAfterMs === undefined ? {} : { retryAfterMs }) },
    transient: transient ?? TRANSIENT[code],
    ...(cause === undefined ? {} : { cause }),
  });
}

/** The wait that a failed provider requested; undefined if it gave none. */
export function retryAfterOf(error: unknown): number | undefined {
  const wait = isOkaError(error) ? error.data['retryAfterMs'] : undefined;
  return typeof wait === 'number' && Number.isFinite(wait) && wait >= 0 ? wait : undefined;
}
