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
  const [code, message] = explain(system, printable(path));
  return fileError(code, path, message, { cause, data: { system }, transient: TRANSIENT.has(system) });
}

const TRANSIENT: ReadonlySet<string> = new Set(['EMFILE', 'ENFILE', 'EAGAIN', 'EBUSY', 'EINTR']);

function explain(system: string, path: string): readonly [ToolsErrorCode, string] {
  switch (system) {
    case 'ENOENT':
      return ['files.not_found', `${path} does not exist. List existing files with files.list.`];
    case 'ENOTDIR':
      return ['files.not_a_folder', `A part of ${path} is a file, not a folder. Correct the path.`];
    case 'EISDIR':
    case 'ENXIO':
    case 'EOPNOTSUPP':
      return ['files.not_a_file', `${path} is not a regular file. Use a file.`];
    case 'ENOTEMPTY':
    case 'EEXIST':
      return ['files.not_a_file', `${path} is a folder that is not empty. Remove its content first.`];
    case 'ELOOP':
      return ['files.not_a_file', `${path} is a symbolic link, which is not followed. Use its target.`];
    case 'EACCES':
    case 'EPERM':
    case 'EROFS':
      return [
        'files.denied',
        `Access to ${path} denied (${system}). Change its permissions or use another path.`,
      ];
    case 'ENOSPC':
    case 'EDQUOT':
      return [
        'files.disk_full',
        `No space left for ${path}; nothing was changed. Free some space and try again.`,
      ];
    case 'ENAMETOOLONG':
    case 'EINVAL':
      return ['files.invalid_path', `The system does not accept the path ${path}. Shorten or correct it.`];
    default:
      return [
        'files.io_failed',
        `Access to ${path} failed (${system}). Try again, and check the disk if it keeps failing.`,
      ];
  }
}

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
