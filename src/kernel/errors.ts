/** JSON-safe details of an error. */
export type ErrorData = Readonly<Record<string, unknown>>;

export interface OkaErrorOptions {
  readonly data?: ErrorData;
  readonly cause?: unknown;
  /** Whether a retry may succeed. */
  readonly transient?: boolean;
}

/** The only error class. Callers match on `code`; users read `message`, which ends with the next step. */
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

/** Codes that the kernel raises. */
export type KernelErrorCode =
  | 'kernel.not_canonical'
  | 'kernel.template_invalid'
  | 'kernel.template_missing'
  | 'kernel.path_refused'
  | 'kernel.bug';

/** True for an OkaError, with `code` (or one of them) if given. Works across bundles and processes. */
export function isOkaError<Code extends string>(
  error: unknown,
  code?: Code | readonly Code[],
): error is OkaError<Code> {
  return (
    error instanceof Error &&
    error.name === 'OkaError' &&
    typeof (error as OkaError).code === 'string' &&
    (code === undefined || [code].flat().some((one) => one === (error as OkaError).code))
  );
}

/** An error as the ledger stores it. */
export interface Failure {
  readonly code: string;
  readonly message: string;
  readonly data?: ErrorData;
  readonly transient?: boolean;
}

const MAX_MESSAGE_LENGTH = 16_384;
const MAX_DATA_LENGTH = 262_144;

/** Converts any thrown value to a failure, with a message and data short enough to record; values other than OkaError get `fallbackCode`. */
export function toFailure(error: unknown, fallbackCode: string): Failure {
  if (!isOkaError(error)) {
    const message = error instanceof Error ? textOf(error.message) : textOf(error);
    return { code: fallbackCode, message: shorten(message) };
  }
  const data = plainData(error.data);
  return {
    code: error.code.toWellFormed(),
    message: shorten(textOf(error.message)),
    ...(data === undefined ? {} : { data }),
    ...(error.transient === true ? { transient: true } : {}),
  };
}

function shorten(message: string): string {
  if (message.length <= MAX_MESSAGE_LENGTH) return message.toWellFormed();
  return `${message.slice(0, MAX_MESSAGE_LENGTH)}… (${message.length} characters)`.toWellFormed();
}

/** The data if it is valid JSON of limited length; otherwise omitted, because the message already describes the failure. */
function plainData(data: unknown): ErrorData | undefined {
  try {
    const text = JSON.stringify(data);
    if (text.length > MAX_DATA_LENGTH) return undefined;
    const copy = JSON.parse(text) as ErrorData;
    return Object.keys(copy).length > 0 && JSON.stringify(copy).isWellFormed() ? copy : undefined;
  } catch {
    return undefined;
  }
}

/** Converts any value to text, even if its own conversion throws. */
export function textOf(value: unknown): string {
  try {
    return String(value);
  } catch {
    return 'a value that cannot be converted to text';
  }
}
