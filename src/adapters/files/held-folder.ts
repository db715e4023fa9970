// Owns: reaching a folder of the workspace so that nobody can put another in its place while we work in it.
// I1 Every operation on a file goes through a folder that is held open and was found to lie inside the workspace.
import { constants, type FileHandle, lstat, open, readlink, realpath, stat } from 'node:fs/promises';
import { join, relative, sep } from 'node:path';
import { isSystemError } from './file-error.ts';
import { isWithin, outside } from './workspace-path.ts';

/** Where Linux shows open files as links; a path through it goes to the open folder, whatever its name now leads to. */
export const OPEN_FILES = '/proc/self/fd';

/** The real folder of a workspace, and where to find the open files of this process. */
export interface WorkspaceRoot {
  readonly path: string;
  readonly openFiles: string;
}

/** A folder inside the workspace, held open until `close`. */
export class HeldFolder {
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

  /** Opens the folder that a path below the root leads to; refuses one that lies outside. */
  static async open(root: WorkspaceRoot, inside: string): Promise<HeldFolder> {
    const path = await realpath(join(root.path, inside));
    if (!isWithin(root.path, path)) throw outside(inside);
    const handle = await open(path, constants.O_RDONLY | constants.O_DIRECTORY | constants.O_NOFOLLOW);
    try {
      const anchor = await anchorOf(handle, path, root.openFiles);
      if (anchor === undefined) throw outside(inside);
      return new HeldFolder(root, path, handle, anchor);
    } catch (error) {
      await handle.close();
      throw error;
    }
  }

  /** The path to give to the system: for the folder itself, or for something in it. */
  at(name = '.'): string {
    return `${this.#anchor}/${name}`;
  }

  /** The path of something in this folder, relative to the workspace. */
  pathOf(name: string): string {
    return this.inside === '' ? name : `${this.inside}/${name}`;
  }

  /** Opens a file of this folder without following a link, and without waiting for the other end of a pipe. */
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

  /** Makes sure, where a folder can only be reached by its path, that the path still leads to this one. */
  async confirm(): Promise<void> {
    if (!this.#isAnchored && !(await isSame(this.#handle, await lstat(this.#path))))
      throw outside(this.inside);
  }

  get #isAnchored(): boolean {
    return this.#anchor !== this.#path;
  }
}

/** Looks again at the folder that was opened; undefined when it is not the one that was meant. */
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
