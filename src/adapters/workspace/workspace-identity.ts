// Owns: what tells a workspace from another one at the same path: its random id, real path, device and inode.
import { existsSync, lstatSync, realpathSync, statSync } from 'node:fs';
import { replaceFile, writeNewFile } from '../../disk/index.ts';
import { digestOf, systemRandom } from '../../kernel/index.ts';
import { readJsonFile } from './json-file.ts';

export interface WorkspaceIdentity {
  /** Absent in workspaces made by earlier versions, until the user trusts them again. */
  readonly id?: string;
  readonly path: string;
  readonly device: number;
  readonly inode: number;
}

const ID = /^[0-9a-f]{32}$/;
const MAX_BYTES = 4_096;

/** Writes a new random id unless the file exists. */
export function makeIdentity(file: string): void {
  if (existsSync(file)) return;
  try {
    writeNewFile(file, identityText());
  } catch (error) {
    // Another process was faster.
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
  }
}

/** Gives a copy of a workspace an id of its own. */
export function renewIdentity(file: string): void {
  replaceFile(file, identityText());
}

function identityText(): string {
  return `${JSON.stringify({ id: systemRandom.hex(16) })}\n`;
}

export function readIdentity(file: string, workspace: string): WorkspaceIdentity {
  const path = realpathSync.native(workspace);
  const { dev: device, ino: inode } = statSync(path);
  const id = readId(file);
  return { ...(id === undefined ? {} : { id }), path, device, inode };
}

/** A link has no id, because it could lead to the id of another workspace. */
function readId(file: string): string | undefined {
  const found = lstatSync(file, { throwIfNoEntry: false });
  if (found?.isFile() !== true || found.size > MAX_BYTES) return undefined;
  const { id } = (readJsonFile(file, { maxBytes: MAX_BYTES }) ?? {}) as { readonly id?: unknown };
  return typeof id === 'string' && ID.test(id) ? id : undefined;
}

/** The name of a workspace in file names of the user's folder. Workspaces of earlier versions have no id. */
export function idOfWorkspace({ id, path }: WorkspaceIdentity): string {
  return id ?? `path-${digestOf(path).slice(0, 32)}`;
}

/** The same for what must not hold for a copy of the workspace: the id may come along with a copy, the inode does not. */
export function keyOfWorkspace(workspace: WorkspaceIdentity): string {
  return `${idOfWorkspace(workspace)}.${workspace.inode}`;
}
