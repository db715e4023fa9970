const NOT_THERE = new Set(['ENOENT', 'ENOTDIR', 'ELOOP', 'NOT_A_FILE']);

/** Why something is no node that is neither a file, a folder nor a link. */
export const SPECIAL = 'it is neither a file, a folder nor a link';

/** Why something could not be looked at; undefined when it is just not there any more, which needs no telling. */
export function refusalOf(code: string): string | undefined {
  if (NOT_THERE.has(code)) return undefined;
  if (code === 'EACCES' || code === 'EPERM') return 'it may not be read; check its permissions';
  if (code === 'ENAMETOOLONG') return 'its path is longer than this system can reach';
  return `the system answers ${code} when it is read`;
}
