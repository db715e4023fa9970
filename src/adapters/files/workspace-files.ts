import type { Stats } from 'node:fs';
import { access, constants, lstat, readdir, realpath, rmdir, unlink } from 'node:fs/promises';
import { basename, dirname, isAbsolute, resolve } from 'node:path';
import { type Digest, digestOf, type EpochMs, isOkaError } from '../../kernel/index.ts';
import type {
  EntryKind,
  FileContent,
  FileEntry,
  FileListing,
  Files,
  FileVersion,
  ListOptions,
  NewState,
  PathState,
  WalkOptions,
} from '../../tools/index.ts';
import { fileError, isSystemError, refusal, toFileError } from './file-error.ts';
import { listTree, type TreeSource, textAt, walkTree } from './file-tree.ts';
import { makeFolders, OPEN_FILES, openExisting, PinnedFolder, type WorkspaceRoot } from './pinned-folder.ts';
import {
  copyFile,
  digestWhole,
  findFile,
  moveFile,
  openToRead,
  PERMISSIONS,
  type Place,
  piecesOf,
  readWhole,
  replaceFile,
} from './place-file.ts';
import { putState, stateAt } from './put-state.ts';
import { isHidden, isWithin, type Purpose, pathInWorkspace, rejectProtected } from './workspace-path.ts';

/** The files of the folder `root`. Errors show paths as given. */
export class WorkspaceFiles implements Files {
  readonly #given: string;
  readonly #openFiles: string;
  readonly #tree: TreeSource;
  #root: WorkspaceRoot | undefined;

  /** `openFiles` is where the system exposes open files; set only by tests. */
  constructor(root: string, openFiles = OPEN_FILES) {
    this.#given = resolve(root);
    this.#openFiles = openFiles;
    this.#tree = { children: (folder) => this.#children(folder), text: (path) => textAt(this, path) };
  }

  locate(path: string, purpose: Purpose): Promise<string> {
    return this.#guard(path, async (root) => {
      const inside = this.#inside(path, root, purpose);
      if (inside === '.') return inside;
      const parent = dirname(inside);
      const { folder, missing } =
        purpose === 'write'
          ? await openExisting(root, parent)
          : { folder: await PinnedFolder.open(root, parent), missing: [] };
      await folder.close();
      const real = folder.pathOf([...missing, basename(inside)].join('/'));
      rejectProtected(real, purpose);
      return real;
    });
  }

  stat(path: string): Promise<FileEntry | undefined> {
    return this.#guard(path, async (root) => {
      const inside = this.#inside(path, root, 'read');
      if (inside === '.') return { path: '.', kind: 'directory', bytes: 0 };
      try {
        return await this.#at(root, inside, 'read', async ({ folder, name, path }) =>
          toEntry(path, await lstat(folder.at(name))),
        );
      } catch (error) {
        if (isSystemError(error, 'ENOENT', 'ENOTDIR')) return undefined;
        throw error;
      }
    });
  }

  read(
    path: string,
    options: { readonly maxBytes?: number; readonly repository?: boolean } = {},
  ): Promise<FileContent> {
    const purpose = options.repository ? 'repository' : 'read';
    return this.#guard(path, async (root) =>
      this.#at(root, this.#inside(path, root, purpose), purpose, async (place) => {
        const { content: whole, mode } = await readWhole(place, root.path);
        const content = whole.subarray(0, options.maxBytes ?? whole.length);
        return {
          path: place.path,
          content,
          bytes: whole.length,
          digest: digestOf(whole),
          truncated: content.length < whole.length,
          mode,
        };
      }),
    );
  }

  async digest(path: string): Promise<Digest | undefined> {
    try {
      return await this.#guard(path, (root) =>
        this.#at(root, this.#inside(path, root, 'read'), 'read', (place) => digestWhole(place, root.path)),
      );
    } catch (error) {
      if (isOkaError(error, 'files.not_found')) return undefined;
      throw error;
    }
  }

  list(path: string, options: ListOptions): Promise<FileListing> {
    return this.#guard(path, async (root) => listTree(this.#tree, await this.#folder(path, root), options));
  }

  async *walk(path: string, options?: WalkOptions): AsyncGenerator<FileEntry> {
    const folder = await this.#guard(path, (root) => this.#folder(path, root));
    yield* walkTree(this.#tree, folder, options);
  }

  async *pieces(path: string): AsyncGenerator<Uint8Array> {
    const { source, real } = await this.#guard(path, (root) =>
      this.#at(root, this.#inside(path, root, 'read'), 'read', async (place) => ({
        source: await openToRead(place, root.path),
        real: place.path,
      })),
    );
    try {
      yield* piecesOf(source, real);
    } catch (error) {
      throw toFileError(error, path);
    } finally {
      await source.close();
    }
  }

  writeAtomic(
    path: string,
    content: string | Uint8Array,
    options: { readonly mode?: number; readonly modifiedAt?: EpochMs } = {},
  ): Promise<FileVersion> {
    const bytes = typeof content === 'string' ? new TextEncoder().encode(content) : content;
    return this.#guard(path, async (root) => {
      const inside = this.#inside(path, root, 'write');
      await makeFolders(root, dirname(inside));
      return this.#at(root, inside, 'write', async (place) => {
        const before = await findFile(place, root.path);
        if (before) await access(place.folder.at(place.name), constants.W_OK);
        const mode = before?.mode ?? options.mode;
        const permissions = mode === undefined ? undefined : mode & PERMISSIONS;
        await replaceFile(place, bytes, { mode: permissions, modifiedAt: options.modifiedAt });
        return { path: place.path, bytes: bytes.length, digest: digestOf(bytes) };
      });
    });
  }

  move(from: string, to: string): Promise<string> {
    return this.#between([from, to], 'write', async (source, target) => {
      await moveFile(source, target);
      return target.path;
    });
  }

  copy(from: string, to: string): Promise<FileVersion> {
    return this.#between([from, to], 'read', async (source, target, root) => ({
      path: target.path,
      ...(await copyFile(source, target, root.path)),
    }));
  }

  makeFolder(path: string): Promise<void> {
    return this.#guard(path, (root) => makeFolders(root, this.#inside(path, root, 'write')));
  }

  remove(path: string): Promise<void> {
    return this.#guard(path, async (root) =>
      this.#at(root, this.#inside(path, root, 'write'), 'write', async ({ folder, name }) => {
        const isFolder = (await lstat(folder.at(name))).isDirectory();
        await (isFolder ? rmdir : unlink)(folder.at(name));
        await folder.sync();
      }),
    );
  }

  async state(path: string, { repository = false } = {}): Promise<PathState | undefined> {
    try {
      return await this.#guard(path, (root) => {
        const purpose = repository ? 'repository' : 'read';
        return this.#at(root, this.#inside(path, root, purpose), purpose, (place) =>
          stateAt(place, root.path),
        );
      });
    } catch (error) {
      if (isOkaError(error, ['files.not_found', 'files.not_a_folder'])) return undefined;
      throw error;
    }
  }

  place(path: string, state: NewState | undefined, { repository = false } = {}): Promise<void> {
    const purpose = repository ? 'repository' : 'write';
    return this.#guard(path, (root) =>
      this.#at(root, this.#inside(path, root, purpose), purpose, (place) => putState(place, state)),
    );
  }

  async #guard<T>(path: string, work: (root: WorkspaceRoot) => Promise<T>): Promise<T> {
    try {
      this.#root ??= { path: await realpath(this.#given), openFiles: this.#openFiles };
      return await work(this.#root);
    } catch (error) {
      throw toFileError(error, path);
    }
  }

  #inside(path: string, root: WorkspaceRoot, purpose: Purpose): string {
    const base = isAbsolute(path) && isWithin(root.path, path) ? root.path : this.#given;
    const inside = pathInWorkspace(path, base);
    rejectProtected(inside, purpose);
    return inside;
  }

  /** Works on an existing file and the place for another one, whose missing folders are created. */
  #between<T>(
    [from, to]: readonly [string, string],
    purpose: Purpose,
    work: (source: Place, target: Place, root: WorkspaceRoot) => Promise<T>,
  ): Promise<T> {
    return this.#guard(from, async (root) =>
      this.#at(root, this.#inside(from, root, purpose), purpose, async (source) => {
        if (!(await findFile(source, root.path))) throw refusal('ENOENT', from);
        return this.#guard(to, async () => {
          const inside = this.#inside(to, root, 'write');
          await makeFolders(root, dirname(inside));
          return this.#at(root, inside, 'write', (target) => work(source, target, root));
        });
      }),
    );
  }

  /** Works on a place while its folder is held open. */
  async #at<T>(
    root: WorkspaceRoot,
    inside: string,
    purpose: Purpose,
    work: (place: Place) => Promise<T>,
  ): Promise<T> {
    if (inside === '.')
      throw fileError('files.not_a_file', '.', 'The workspace itself is a folder. Use a file in it.');
    const folder = await PinnedFolder.open(root, dirname(inside));
    try {
      const name = basename(inside);
      const path = folder.pathOf(name);
      rejectProtected(path, purpose);
      return await work({ folder, name, path });
    } finally {
      await folder.close();
    }
  }

  /** The real path of a readable folder. */
  async #folder(path: string, root: WorkspaceRoot): Promise<string> {
    const folder = await PinnedFolder.open(root, this.#inside(path, root, 'read'));
    await folder.close();
    if (folder.inside !== '') rejectProtected(folder.inside, 'read');
    return folder.inside === '' ? '.' : folder.inside;
  }

  #children(path: string): Promise<readonly FileEntry[]> {
    return this.#guard(path, async (root) => {
      const folder = await PinnedFolder.open(root, path);
      try {
        const names = (await readdir(folder.at())).filter((name) => !isHidden(name)).sort();
        const found = await Promise.all(names.map((name) => statEntry(folder, name)));
        await folder.confirm();
        return names.flatMap((name, i) => {
          const path = folder.pathOf(name);
          if (found[i]) return [toEntry(path, found[i])];
          // The name is not valid UTF-8, so no path leads to the entry.
          return name.includes('\uFFFD') ? [{ path, kind: 'other', bytes: 0, closed: 'unreadable' }] : [];
        });
      } finally {
        await folder.close();
      }
    });
  }
}

/** The status of an entry; undefined if it was just removed. */
async function statEntry(folder: PinnedFolder, name: string): Promise<Stats | undefined> {
  try {
    return await lstat(folder.at(name));
  } catch (error) {
    if (isSystemError(error, 'ENOENT')) return undefined;
    throw error;
  }
}

function toEntry(path: string, found: Stats): FileEntry {
  const kind = kindOf(found);
  return { path, kind, bytes: kind === 'file' ? found.size : 0, modifiedAt: Math.floor(found.mtimeMs) };
}

function kindOf(found: Stats): EntryKind {
  if (found.isFile()) return 'file';
  if (found.isDirectory()) return 'directory';
  return found.isSymbolicLink() ? 'link' : 'other';
}
