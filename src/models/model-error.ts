import { isOkaError, OkaError, type OkaErrorOptions } from '../kernel/index.ts';
import type { ModelsErrorCode } from './types.ts';

interface ModelErrorOptions extends OkaErrorOptions {
  /** The wait that the provider requests. */
  readonly retryAfterMs?: number;
  /** Why no answer can be had now, if the provider is rate limited or overloaded. */
  readonly busy?: string;
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
  { data, retryAfterMs, busy, ...options }: ModelErrorOptions = {},
): OkaError<ModelsErrorCode> {
  return new OkaError(code, message, {
    data: {
      ...data,
      ...(retryAfterMs === undefined ? {} : { retryAfterMs }),
      ...(busy === undefined ? {} : { busy }),
    },
    transient: TRANSIENT.includes(code),
    ...options,
  });
}

/** Whether the provider is rate limited or overloaded, so that it charges nothing and the same request succeeds later. */
export function isBusy(error: unknown): boolean {
  return isOkaError(error) && error.data['busy'] !== undefined;
}

/** The wait that a failed provider requested; undefined if it gave none. */
export function retryAfterOf(error: unknown): number | undefined {
  const wait = isOkaError(error) ? error.data['retryAfterMs'] : undefined;
  return typeof wait === 'number' && Number.isFinite(wait) && wait >= 0 ? wait : undefined;
}
