import { isOkaError, OkaError, type OkaErrorOptions } from '../../kernel/index.ts';
import type { ToolsErrorCode } from '../../tools/index.ts';

export function fileError(
  code: ToolsErrorCode,
  path: string,
  message: string,
  options: OkaErrorOptions = {},
): OkaError<ToolsErrorCode> {
  return new OkaError(code, message, { ...options, data: { path: clean(path), ...options.data } });
}

/** True for a system error with one of these codes. */
export function isSystemError(error: unknown, ...codes: readonly string[]): boolean {
  return error instanceof Error && codes.includes((error as NodeJS.ErrnoException).code ?? '');
}

/** Explains a system error. */
export function toFileError(error: unknown, path: string): unknown {
  if (isOkaError(error) || !(error instanceof Error)) return error;
  const system = (error as NodeJS.ErrnoException).code;
  if (system === undefined) return error;
  return refusal(system, path, error);
}

/** The error for a system code. */
export function refusal(system: string, path: string, cause?: unknown): OkaError<ToolsErrorCode> {
  const [, code, message] = EXPLANATIONS.find(([errnos]) => errnos.includes(system)) ?? UNKNOWN;
  const text = message.replace('PATH', () => printable(path)).replace('ERRNO', system);
  return fileError(code, path, text, { cause, data: { system }, transient: TRANSIENT.has(system) });
}

const TRANSIENT: ReadonlySet<string> = new Set(['EMFILE', 'ENFILE', 'EAGAIN', 'EBUSY', 'EINTR']);

type Explanation = readonly [errnos: readonly string[], code: ToolsErrorCode, message: string];

const EXPLANATIONS: readonly Explanation[] = [
  [['ENOENT'], 'files.not_found', 'PATH does not exist. List existing files with files.list.'],
  [['ENOTDIR'], 'files.not_a_folder', 'A part of PATH is a file, not a folder. Correct the path.'],
  [['EISDIR', 'ENXIO', 'EOPNOTSUPP'], 'files.not_a_file', 'PATH is not a regular file. Use a file.'],
  [
    ['ENOTEMPTY', 'EEXIST'],
    'files.not_a_file',
    'PATH is a folder that is not empty. Remove its content first.',
  ],
  [['ELOOP'], 'files.not_a_file', 'PATH is a symbolic link, which is not followed. Use its target.'],
  [
    ['EACCES', 'EPERM', 'EROFS'],
    'files.denied',
    'Access to PATH denied (ERRNO). Change its permissions or use another path.',
  ],
  [
    ['ENOSPC', 'EDQUOT'],
    'files.disk_full',
    'No space left for PATH; nothing was changed. Free some space and try again.',
  ],
  [
    ['ENAMETOOLONG', 'EINVAL'],
    'files.invalid_path',
    'The system does not accept the path PATH. Shorten or correct it.',
  ],
];
const UNKNOWN: Explanation = [
  [],
  'files.io_failed',
  'Access to PATH failed (ERRNO). Try again, and check the disk if it keeps failing.',
];

export function alreadyExists(path: string): OkaError<ToolsErrorCode> {
  return fileError(
    'files.exists',
    path,
    `${printable(path)} already exists. Use another name, or delete it first.`,
  );
}

/** Formats a path for a message. */
export function printable(path: string): string {
  return `"${clean(path)}"`;
}

/** Replaces control, bidi and zero-width characters, and limits the length. */
function clean(path: string): string {
  const visible = path.replace(/\p{C}/gu, '�');
  return visible.length > 200 ? `${visible.slice(0, 200)}…` : visible;
}
