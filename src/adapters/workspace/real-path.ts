import { lstatSync, readlinkSync, realpathSync } from 'node:fs';
import { dirname, join, relative, sep } from 'node:path';

const MAX_LINKS = 100;
/** A path that is certainly not in a workspace. */
const ELSEWHERE = '/';

/**
 * Resolves links in paths of a workspace, as an open would follow them. The result is relative to the workspace, or absolute if it
 * leads outside or cannot be resolved. Parts that do not exist are kept.
 */
export function realPathIn(workspace: string): (path: string) => string {
  let root: string | undefined;
  return (path) => {
    try {
      root ??= realpathSync.native(workspace);
      const real = follow(root, path);
      const inside = relative(root, real);
      if (inside === '') return '.';
      return inside === '..' || inside.startsWith(`..${sep}`) ? real : inside.split(sep).join('/');
    } catch {
      return ELSEWHERE;
    }
  };
}

function follow(root: string, path: string): string {
  const rest = path.split('/').reverse();
  let at = root;
  let links = 0;
  while (rest.length > 0) {
    const name = rest.pop() as string;
    if (name === '' || name === '.') continue;
    if (name === '..') {
      at = dirname(at);
      continue;
    }
    const next = join(at, name);
    if (!isLink(next)) {
      at = next;
      continue;
    }
    links += 1;
    if (links > MAX_LINKS) return ELSEWHERE;
    const target = readlinkSync(next);
    if (target.startsWith('/')) at = '/';
    rest.push(...target.split('/').reverse());
  }
  return at;
}

function isLink(path: string): boolean {
  try {
    return lstatSync(path).isSymbolicLink();
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'ENOENT' || code === 'ENOTDIR') return false;
    throw error;
  }
}
