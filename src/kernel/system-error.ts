// Owns: messages and next steps for errors of the operating system. Domains and adapters that know more about the failed
// operation raise their own error instead.
import { isOkaError, OkaError } from './errors.ts';

export type SystemErrorCode =
  | 'system.disk_full'
  | 'system.read_only'
  | 'system.denied'
  | 'system.io_failed'
  | 'system.too_many_files'
  | 'system.not_found'
  | 'system.wrong_kind'
  | 'system.bad_path'
  | 'system.busy';

/** Why the system refused, and what the user can do. */
interface SystemRefusal {
  readonly code: SystemErrorCode;
  readonly why: string;
  readonly next: string;
}

const AGAIN = 'then run the command again';

const REFUSALS: Readonly<Record<SystemErrorCode, readonly [errnos: string, why: string, next: string]>> = {
  'system.disk_full': ['ENOSPC EDQUOT EFBIG', 'the disk is full', `Free some space, ${AGAIN}`],
  'system.read_only': [
    'EROFS',
    'the file system is read-only',
    `Mount it for writing, or choose another folder with -C, ${AGAIN}`,
  ],
  'system.denied': ['EACCES EPERM', 'the system denies access', `Check the permissions, ${AGAIN}`],
  'system.io_failed': [
    'EIO ENXIO ENODEV ESTALE',
    'the disk cannot be read or written',
    `Check the disk and the system log, ${AGAIN}`,
  ],
  'system.too_many_files': [
    'EMFILE ENFILE ENOMEM',
    'too many files are open',
    `Close other programs or raise the limit with ulimit -n, ${AGAIN}`,
  ],
  'system.not_found': ['ENOENT', 'it does not exist', `Check the path, ${AGAIN}`],
  'system.wrong_kind': [
    'ENOTDIR EISDIR ENOTEMPTY EEXIST',
    'a file is where a folder should be, or the other way round',
    `Move it away, ${AGAIN}`,
  ],
  'system.bad_path': [
    'ELOOP ENAMETOOLONG EINVAL',
    'the system does not accept the path',
    `Shorten or correct it, ${AGAIN}`,
  ],
  'system.busy': ['EBUSY EAGAIN ETXTBSY EINTR', 'another program uses it', `Wait a moment, ${AGAIN}`],
};

const BY_ERRNO: ReadonlyMap<string, SystemRefusal> = new Map(
  Object.entries(REFUSALS).flatMap(([code, [errnos, why, next]]) =>
    errnos.split(' ').map((errno) => [errno, { code: code as SystemErrorCode, why, next }] as const),
  ),
);

/** The action of a system call whose own name is unclear. */
const ACTIONS: Readonly<Record<string, string>> = {
  access: 'access',
  copyfile: 'copy',
  fdatasync: 'write',
  fstat: 'access',
  fsync: 'write',
  ftruncate: 'write',
  lstat: 'access',
  mkdir: 'create',
  mkdtemp: 'create',
  realpath: 'access',
  rename: 'replace',
  rm: 'delete',
  rmdir: 'delete',
  scandir: 'list',
  spawn: 'start',
  stat: 'access',
  statfs: 'access',
  symlink: 'create',
  unlink: 'delete',
};

/** The meaning of a code such as ENOSPC; undefined for codes that are not about files or disks. */
export function systemRefusal(errno: string | undefined): SystemRefusal | undefined {
  return errno === undefined ? undefined : BY_ERRNO.get(errno);
}

/** Converts a system error on files or disks to an OkaError with the path and the next step; undefined for others. */
export function explainSystemError(error: unknown): OkaError<SystemErrorCode> | undefined {
  if (isOkaError(error) || !(error instanceof Error)) return undefined;
  const { code: errno, syscall, path, dest } = error as NodeJS.ErrnoException & { readonly dest?: string };
  const refusal = syscall === undefined ? undefined : systemRefusal(errno);
  if (refusal === undefined || syscall === undefined) return undefined;
  const what = dest ?? path ?? 'a file of the workspace';
  const { code, why, next } = refusal;
  return new OkaError(code, `Cannot ${ACTIONS[syscall] ?? syscall} ${what}: ${why} (${errno}). ${next}.`, {
    data: { system: errno, call: syscall, ...((dest ?? path) ? { path: what } : {}) },
    cause: error,
    transient: code === 'system.busy' || code === 'system.too_many_files',
  });
}

/** Runs `work` and adds `path` to a system error that does not name its file. */
export function withErrorPath<T>(path: string, work: () => T): T {
  try {
    return work();
  } catch (error) {
    const { syscall, path: known } = error as NodeJS.ErrnoException;
    if (error instanceof Error && syscall !== undefined && known === undefined)
      Object.assign(error, { path });
    throw error;
  }
}
