import { isOkaError, OkaError, type OkaErrorOptions } from '../kernel/index.ts';
import type { ModelsErrorCode } from './types.ts';

interface ModelErrorOptions extends OkaErrorOptions {
  /** The wait that the provider requests. */
  readonly retryAfterMs?: number;
}

const TRANSIENT: readonly ModelsErrorCode[] = [
  'models.request_failed',
  'models.rate_limited',
  'models.stream_cut',
  'models.unreachable',
  'models.silent',
];

/** Creates an error of this domain; `transient` defaults by code. */
export function modelError(
  code: ModelsErrorCode,
  message: string,
  { data, retryAfterMs, ...options }: ModelErrorOptions = {},
): OkaError<ModelsErrorCode> {
  return new OkaError(code, message, {
    data: { ...data, ...(retryAfterMs === undefined ? {} : { retryAfterMs }) },
    transient: TRANSIENT.includes(code),
    ...options,
  });
}

/** The wait that a failed provider requested; undefined if it gave none. */
export function retryAfterOf(error: unknown): number | undefined {
  const wait = isOkaError(error) ? error.data['retryAfterMs'] : undefined;
  return typeof wait === 'number' && Number.isFinite(wait) && wait >= 0 ? wait : undefined;
}
