// Owns: opening a workspace folder so that it cannot be swapped while we work in it.
// I1 Every file operation goes through a folder that is held open and was checked to be inside the workspace.
import { constants, type FileHandle, lstat, mkdir, open, readlink, realpath, stat } from 'node:fs/promises';
import { dirname, join, relative, sep } from 'node:path';
import { isSystemError } from './file-error.ts';
import { isWithin, outside, rejectProtected } from './workspace-path.ts';

/** Where Linux exposes open files as links; a path through it refers to the open folder, even if its name changes. */
export const OPEN_FILES = '/proc/self/fd';

/** The real path of a workspace, and the location of this process's open files. */
export interface WorkspaceRoot {
  readonly path: string;
  readonly openFiles: string;
}

/** A folder inside the workspace, held open until `close`. */
export class PinnedFolder {
  /** Relative to the workspace, links resolved. */
  readonly inside: string;
  readonly #path: string;
  readonly #anchor: string;
  readonly #handle: FileHandle;

  private constructor(root: WorkspaceRoot, path: string, handle: FileHandle, anchor: string) {
    this.inside = relative(root.path, path).split(sep).join('/');
    this.#path = path;
    this.#anchor = anchor;
    this.#handle = handle;
  }

  /** Opens a folder below the root; rejects one outside. */
  static async open(root: WorkspaceRoot, inside: string): Promise<PinnedFolder> {
    const path = await realpath(join(root.path, inside));
    if (!isWithin(root.path, path)) throw outside(inside);
    const handle = await open(path, constants.O_RDONLY | constants.O_DIRECTORY | constants.O_NOFOLLOW);
    try {
      const anchor = await anchorOf(handle, path, root.openFiles);
      if (anchor === undefined) throw outside(inside);
      return new PinnedFolder(root, path, handle, anchor);
    } catch (error) {
      await handle.close();
      throw error;
    }
  }

  /** The path for system calls: of the folder itself, or of an entry. */
  at(name = '.'): string {
    return `${this.#anchor}/${name}`;
  }

  /** The path of an entry, relative to the workspace. */
  pathOf(name: string): string {
    return this.inside === '' ? name : `${this.inside}/${name}`;
  }

  /** Opens a file without following a link, and without blocking on a pipe. */
  async openFile(name: string, flags: number, mode?: number): Promise<FileHandle> {
    const handle = await open(this.at(name), flags | constants.O_NOFOLLOW | constants.O_NONBLOCK, mode);
    try {
      await this.confirm();
      if (!this.#isAnchored && !(await isSame(handle, await lstat(this.at(name)))))
        throw outside(this.pathOf(name));
      await this.confirm();
      return handle;
    } catch (error) {
      await handle.close();
      throw error;
    }
  }

  /** Makes renames and removals in this folder durable. */
  sync(): Promise<void> {
    return this.#handle.sync();
  }

  close(): Promise<void> {
    return this.#handle.close();
  }

  /** Where a folder is reachable only by path, checks that the path still leads to it. */
  async confirm(): Promise<void> {
    if (!this.#isAnchored && !(await isSame(this.#handle, await lstat(this.#path))))
      throw outside(this.inside);
  }

  get #isAnchored(): boolean {
    return this.#anchor !== this.#path;
  }
}

/** Checks the opened folder again; undefined if it is not the expected one. */
async function anchorOf(handle: FileHandle, path: string, openFiles: string): Promise<string | undefined> {
  const anchor = join(openFiles, String(handle.fd));
  try {
    return (await readlink(anchor)) === path ? anchor : undefined;
  } catch (error) {
    if (!isSystemError(error, 'ENOENT', 'ENOTDIR', 'EACCES', 'EINVAL')) throw error;
    return (await realpath(path)) === path && (await isSame(handle, await stat(path))) ? path : undefined;
  }
}

async function isSame(
  handle: FileHandle,
  found: { readonly dev: number; readonly ino: number },
): Promise<boolean> {
  const held = await handle.stat();
  return held.dev === found.dev && held.ino === found.ino;
}

/** Opens the deepest existing folder on the path to `inside`, and returns the missing names below it. */
export async function openExisting(
  root: WorkspaceRoot,
  inside: string,
): Promise<{ readonly folder: PinnedFolder; readonly missing: readonly string[] }> {
  const missing: string[] = [];
  for (let path = inside; ; path = dirname(path)) {
    try {
      return { folder: await PinnedFolder.open(root, path), missing };
    } catch (error) {
      if (!isSystemError(error, 'ENOENT') || path === '.') throw error;
      missing.unshift(path.slice(path.lastIndexOf('/') + 1));
    }
  }
}

/** Creates the missing folders on the path to `inside`, each inside a folder that is held open. */
export async function makeFolders(root: WorkspaceRoot, inside: string): Promise<void> {
  let { folder, missing } = await openExisting(root, inside);
  try {
    rejectProtected(folder.pathOf(missing.join('/')), 'write');
    for (const name of missing) {
      await mkdir(folder.at(name)).catch((error: unknown) => {
        if (!isSystemError(error, 'EEXIST')) throw error;
      });
      await folder.sync();
      const next = await PinnedFolder.open(root, folder.pathOf(name));
      await folder.close();
      folder = next;
    }
  } finally {
    await folder.close();
  }
}
