import { isAbsolute, relative, resolve, sep } from 'node:path';
import { foldName } from '../../kernel/index.ts';
import { fileError, printable } from './file-error.ts';

/** `repository`: a write by git, which may change metadata of repositories. */
export type Purpose = 'read' | 'write' | 'repository';

const MAX_PATH_LENGTH = 4_096;

/** Resolves `path` lexically to a path below `root`. `.` is the workspace itself. */
export function pathInWorkspace(path: string, root: string): string {
  if (path.trim() === '' || path.includes('\0') || path.length > MAX_PATH_LENGTH) {
    throw fileError(
      'files.invalid_path',
      path,
      `${printable(path)} is not a valid path. Use a path relative to the workspace.`,
    );
  }
  const inside = relative(root, resolve(root, path));
  if (inside === '..' || inside.startsWith(`..${sep}`) || isAbsolute(inside)) throw outside(path);
  return inside === '' ? '.' : inside.split(sep).join('/');
}

/** Whether `path` is `root` or below it. */
export function isWithin(root: string, path: string): boolean {
  return path === root || path.startsWith(root.endsWith(sep) ? root : root + sep);
}

export function outside(path: string): Error {
  return fileError(
    'files.outside_workspace',
    path,
    `${printable(path)} is outside the workspace. Use a path inside it.`,
  );
}

/** Rejects protected paths, whether they exist or not. */
export function rejectProtected(inside: string, purpose: Purpose): void {
  const parts = inside.split('/').map(foldName);
  const guarded =
    parts.find((part) => HIDDEN.has(part) && !(purpose === 'repository' && part === '.git')) ??
    (purpose !== 'read' && GUARDED_AT_ROOT.has(parts.join('/')) ? inside : undefined);
  if (guarded === undefined) return;
  const what = purpose === 'read' ? 'read' : 'changed';
  throw fileError(
    'files.protected',
    inside,
    `${printable(inside)} is protected and cannot be ${what} by a tool. A person must do it.`,
  );
}

/** True for names that listings omit: protected and temporary files. */
export function isHidden(name: string): boolean {
  return HIDDEN.has(foldName(name)) || TEMPORARY.test(name);
}

/** Closed to tools at any depth, which also protects nested repositories. */
const HIDDEN: ReadonlySet<string> = new Set(['.oka', '.git']);
const GUARDED_AT_ROOT: ReadonlySet<string> = new Set(['policy.md', '.mcp.json']);
const TEMPORARY = /^\.oka-[0-9a-f]{16}\.tmp$/;

/** A temporary name in the target folder. */
export function temporaryName(random: string): string {
  return `.oka-${random}.tmp`;
}
