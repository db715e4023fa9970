import { isOkaError, OkaError, type OkaErrorOptions } from '../../kernel/index.ts';
import type { ToolsErrorCode } from '../../tools/index.ts';

/** An error about one path of the workspace. */
export function fileError(
  code: ToolsErrorCode,
  path: string,
  message: string,
  options: OkaErrorOptions = {},
): OkaError<ToolsErrorCode> {
  return new OkaError(code, message, { ...options, data: { path: clean(path), ...options.data } });
}

/** True for an error of the operating system with one of these codes. */
export function isSystemError(error: unknown, ...codes: readonly string[]): boolean {
  return error instanceof Error && codes.includes((error as NodeJS.ErrnoException).code ?? '');
}

/** Says in our words what the operating system refused. */
export function toFileError(error: unknown, path: string): unknown {
  if (isOkaError(error) || !(error instanceof Error)) return error;
  const system = (error as NodeJS.ErrnoException).code;
  if (system === undefined) return error;
  return refusal(system, path, error);
}

/** The error for what the operating system calls `system`. */
export function refusal(system: string, path: string, cause?: unknown): OkaError<ToolsErrorCode> {
  const [code, message] = explain(system, printable(path));
  return fileError(code, path, message, { cause, data: { system }, transient: TRANSIENT.has(system) });
}

const TRANSIENT: ReadonlySet<string> = new Set(['EMFILE', 'ENFILE', 'EAGAIN', 'EBUSY', 'EINTR']);

function explain(system: string, path: string): readonly [ToolsErrorCode, string] {
  switch (system) {
    case 'ENOENT':
      return ['files.not_found', `there is nothing at ${path}; look with files.list what is there.`];
    case 'ENOTDIR':
      return ['files.not_a_folder', `a part of ${path} is a file, not a folder; correct the path.`];
    case 'EISDIR':
    case 'ENXIO':
    case 'EOPNOTSUPP':
      return ['files.not_a_file', `${path} is not a regular file; name a file.`];
    case 'ENOTEMPTY':
    case 'EEXIST':
      return ['files.not_a_file', `${path} is a folder with something in it; remove what is inside first.`];
    case 'ELOOP':
      return [
        'files.not_a_file',
        `${path} is a link, and links are not followed; name the file that it points to.`,
      ];
    case 'EACCES':
    case 'EPERM':
    case 'EROFS':
      return [
        'files.denied',
        `the system denies access to ${path} (${system}); change its permissions or choose another path.`,
      ];
    case 'ENOSPC':
    case 'EDQUOT':
      return [
        'files.disk_full',
        `no space is left for ${path}, so nothing was changed; free some space and try again.`,
      ];
    case 'ENAMETOOLONG':
    case 'EINVAL':
      return ['files.invalid_path', `the system does not take ${path} as a path; shorten or correct it.`];
    default:
      return [
        'files.io_failed',
        `the system could not work on ${path} (${system}); try again, and check the disk if it stays so.`,
      ];
  }
}

/** The error for a name that is taken. */
export function taken(path: string): OkaError<ToolsErrorCode> {
  return fileError(
    'files.exists',
    path,
    `something stands at ${printable(path)} already, and it is not replaced; choose another name, or delete it first.`,
  );
}

/** A path as it may stand in a sentence. */
export function printable(path: string): string {
  return `"${clean(path)}"`;
}

/** Without control, bidi and zero-width characters, and not longer than a line. */
function clean(path: string): string {
  const visible = path.replace(/\p{C}/gu, '�');
  return visible.length > 200 ? `${visible.slice(0, 200)}…` : visible;
}
