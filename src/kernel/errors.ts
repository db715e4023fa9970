/** JSON-safe facts that an error carries beside its sentence. */
export type ErrorData = Readonly<Record<string, unknown>>;

export interface OkaErrorOptions {
  readonly data?: ErrorData;
  readonly cause?: unknown;
  /** Whether trying the same thing again may succeed. Typed, never guessed from text. */
  readonly transient?: boolean;
}

/** The one error class. Callers match on `code`; people read `message`, which ends with the next step. */
export class OkaError<Code extends string = string> extends Error {
  readonly code: Code;
  readonly data: ErrorData;
  readonly transient: boolean;

  constructor(code: Code, message: string, options: OkaErrorOptions = {}) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause });
    this.name = 'OkaError';
    this.code = code;
    this.data = options.data ?? {};
    this.transient = options.transient ?? false;
  }

  toJSON(): { code: Code; message: string; data: ErrorData } {
    return { code: this.code, message: this.message, data: this.data };
  }
}

/** Codes that the kernel itself raises. */
export type KernelErrorCode =
  | 'kernel.not_canonical'
  | 'kernel.template_invalid'
  | 'kernel.template_missing'
  | 'kernel.path_refused'
  | 'kernel.bug';

/** True when `error` is ours, and carries `code` if one is named. Works across bundles and processes. */
export function isOkaError<Code extends string>(error: unknown, code?: Code): error is OkaError<Code> {
  return (
    error instanceof Error &&
    error.name === 'OkaError' &&
    typeof (error as OkaError).code === 'string' &&
    (code === undefined || (error as OkaError).code === code)
  );
}

/** A recorded failure: what the ledger keeps of an error. */
export interface Failure {
  readonly code: string;
  readonly message: string;
  readonly data?: ErrorData;
  readonly transient?: boolean;
}

/** Turns anything thrown into a recordable failure; unknown throwables get `fallbackCode`. */
export function toFailure(error: unknown, fallbackCode: string): Failure {
  if (isOkaError(error)) {
    return {
      code: error.code,
      message: error.message,
      ...(Object.keys(error.data).length > 0 ? { data: error.data } : {}),
      ...(error.transient ? { transient: true } : {}),
    };
  }
  return { code: fallbackCode, message: error instanceof Error ? error.message : textOf(error) };
}

/** Any value as text; also one that refuses to become text. */
export function textOf(value: unknown): string {
  try {
    return String(value);
  } catch {
    return 'something that cannot be shown as text';
  }
}
