import { type ErrorData, OkaError } from '../../kernel/index.ts';
import type { FrameErrorCode } from './types.ts';

export function frameError(
  code: FrameErrorCode,
  message: string,
  data: ErrorData = {},
  cause?: unknown,
): OkaError<FrameErrorCode> {
  return new OkaError(code, message, cause === undefined ? { data } : { data, cause });
}

export function invalid(field: string, message: string): OkaError<FrameErrorCode> {
  return frameError('context.invalid', message, { field });
}
