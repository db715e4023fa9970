import { isAbsolute, relative, resolve, sep } from 'node:path';
import { fileError, printable } from './file-error.ts';

export type Purpose = 'read' | 'write';

const LONGEST_PATH = 4_096;

/** The path below `root` that `path` means, by its letters alone. `.` is the workspace itself. */
export function pathInWorkspace(path: string, root: string): string {
  if (path.trim() === '' || path.includes('\0') || path.length > LONGEST_PATH) {
    throw fileError(
      'files.invalid_path',
      path,
      `${printable(path)} is not a path; give one relative to the workspace.`,
    );
  }
  const inside = relative(root, resolve(root, path));
  if (inside === '..' || inside.startsWith(`..${sep}`) || isAbsolute(inside)) throw outside(path);
  return inside === '' ? '.' : inside.split(sep).join('/');
}

/** The folder of a path in the workspace; `.` for what stands at its root. */
export function folderOf(path: string): string {
  const end = path.lastIndexOf('/');
  return end < 0 ? '.' : path.slice(0, end);
}

/** True when `path` is `root` or lies below it. */
export function isWithin(root: string, path: string): boolean {
  return path === root || path.startsWith(root.endsWith(sep) ? root : root + sep);
}

export function outside(path: string): Error {
  return fileError(
    'files.outside_workspace',
    path,
    `${printable(path)} lies outside the workspace; give a path inside it.`,
  );
}

/** Refuses what guards the workspace, whether it exists or not. */
export function refuseProtected(inside: string, purpose: Purpose): void {
  const parts = inside.split('/').map(fold);
  const guarded =
    parts.find((part) => HIDDEN.has(part)) ??
    (purpose === 'write' && GUARDED_AT_ROOT.has(parts.join('/')) ? inside : undefined);
  if (guarded === undefined) return;
  const what = purpose === 'read' ? 'read' : 'changed';
  throw fileError(
    'files.protected',
    inside,
    `${printable(inside)} is protected and may not be ${what} by a tool; a person has to do it.`,
  );
}

/** True for names that no listing shows: what guards the workspace, and files that are just being written. */
export function isHidden(name: string): boolean {
  return HIDDEN.has(fold(name)) || TEMPORARY.test(name);
}

/** Closed to tools at any depth, so that a repository inside the workspace is safe too. */
const HIDDEN: ReadonlySet<string> = new Set(['.oka', '.git']);
const GUARDED_AT_ROOT: ReadonlySet<string> = new Set(['policy.md', '.mcp.json']);
const TEMPORARY = /^\.oka-[0-9a-f]{16}\.tmp$/;

/** A name for content on its way to its place, in the same folder. */
export function temporaryName(random: string): string {
  return `.oka-${random}.tmp`;
}

const UNSEEN = /\p{Default_Ignorable_Code_Point}/gu;

/** What a file system that ignores case, unseen characters or trailing dots would take a name for. */
function fold(name: string): string {
  return name
    .replace(UNSEEN, '')
    .normalize('NFKC')
    .toLowerCase()
    .replace(/[. ]+$/, '');
}
