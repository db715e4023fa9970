// Owns: the files of a simulation: what its steps changed, in memory, on top of files that stay unchanged.
// I1 Nothing of the base is visible below a path at which the layer has something else than the folder of the base.
import { lstat, readdir, readFile, readlink } from 'node:fs/promises';
import { basename, dirname, isAbsolute, join, normalize } from 'node:path/posix';
import { type Digest, digestOf, type EpochMs, isOkaError } from '../../kernel/index.ts';
import type {
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
import { alreadyExists, fileError, refusal } from './file-error.ts';
import { digestAt, listTree, type TreeSource, textAt, walkTree } from './file-tree.ts';
import {
  type Base,
  bytesOf,
  describeChanges,
  type FileChange,
  foldersAbove,
  isSame,
  type Layered,
  REMOVED,
} from './overlay-changes.ts';
import { PERMISSIONS } from './place-file.ts';
import { isHidden, pathInWorkspace, rejectProtected } from './workspace-path.ts';

/** What a simulated file or folder has unless it says otherwise. */
const [FILE_MODE, FOLDER_MODE] = [0o644, 0o755];
/** As many as Linux follows. */
const MAX_LINKS = 40;
/** Simulated files are held in memory. */
const MAX_HELD_BYTES = 512 * 1024 * 1024;

interface PlaceOptions {
  readonly repository?: boolean;
}

/** Files with an in-memory layer of changes on top of an unchanged base. */
export class OverlayFiles implements Files {
  readonly #base: Files;
  readonly #layer = new Map<string, Layered>();
  /** What the base has at each changed path. */
  readonly #before = new Map<string, Base>();
  #heldBytes = 0;
  readonly #tree: TreeSource;

  constructor(base: Files) {
    this.#base = base;
    this.#tree = { children: (folder) => this.#children(folder), text: (path) => textAt(this, path) };
  }

  /** The changes to the base, by path. A new folder is listed only if nothing in it is. */
  async changes(): Promise<readonly FileChange[]> {
    const changed: [path: string, before: Base, after: Layered][] = [];
    for (const [path, before] of this.#before) {
      const after = this.#layer.get(path) ?? REMOVED;
      if (!isSame(before, after)) changed.push([path, before, after]);
    }
    return describeChanges(changed);
  }

  /** Every path at which something was changed, sorted: a folder comes before what is in it. */
  changedPaths(): readonly string[] {
    return [...this.#layer.keys()].sort();
  }

  async locate(path: string, purpose: 'read' | 'write'): Promise<string> {
    const { inside, isOwn } = this.#follow(path);
    if (isOwn) {
      rejectProtected(inside, purpose);
      return inside;
    }
    try {
      return await this.#base.locate(inside, purpose);
    } catch (error) {
      if (!isOkaError(error, 'files.not_found')) throw error;
      return this.#base.locate(inside, 'write');
    }
  }

  /** Follows the links of the layer. `isOwn`: the base has no folder in which the path could be. */
  #follow(path: string, links = 0): { readonly inside: string; readonly isOwn: boolean } {
    const normal = normalize(path);
    if (this.#layer.size === 0 || isAbsolute(normal)) return { inside: path, isOwn: false };
    let isOwn = false;
    for (const folder of foldersAbove(normal)) {
      const found = this.#layer.get(folder);
      if (found?.kind === 'file') throw refusal('ENOTDIR', path);
      if (found?.kind === 'link') {
        if (links === MAX_LINKS) throw refusal('ELOOP', path);
        return this.#follow(join(targetOf(folder, found), normal.slice(folder.length + 1)), links + 1);
      }
      isOwn ||= this.#hidesBase(folder);
    }
    return { inside: isOwn ? pathInWorkspace(normal, '/') : path, isOwn };
  }

  #hidesBase(path: string): boolean {
    const layered = this.#layer.get(path);
    const isShared = layered?.kind === 'directory' && this.#before.get(path)?.kind === 'directory';
    return layered !== undefined && !isShared;
  }

  /** What the layer says about a real path; undefined if the base decides. */
  #layered(key: string): Layered | undefined {
    return (
      this.#layer.get(key) ??
      (foldersAbove(key).some((folder) => this.#hidesBase(folder)) ? REMOVED : undefined)
    );
  }

  async stat(path: string): Promise<FileEntry | undefined> {
    const key = await this.locate(path, 'read').catch((error: unknown) => {
      if (isOkaError(error, 'files.not_a_folder')) return undefined;
      throw error;
    });
    if (key === undefined) return undefined;
    const layered = this.#layered(key);
    if (layered === undefined) return this.#base.stat(key);
    return layered.kind === 'removed' ? undefined : toEntry(key, layered);
  }

  async read(
    path: string,
    options: { readonly maxBytes?: number } & PlaceOptions = {},
  ): Promise<FileContent> {
    const key = await this.#keyOf(path, 'read', options);
    const layered = this.#layered(key);
    if (layered === undefined) return this.#base.read(isAbsolute(path) ? path : key, options);
    if (layered.kind === 'removed') throw refusal('ENOENT', path);
    if (layered.kind === 'directory') throw refusal('EISDIR', path);
    if (layered.kind === 'link') throw refusal('ELOOP', path);
    const whole = layered.content;
    const content = whole.slice(0, options.maxBytes ?? whole.length);
    return {
      path: key,
      content,
      bytes: whole.length,
      digest: digestOf(whole),
      truncated: content.length < whole.length,
      ...(layered.mode === undefined ? {} : { mode: layered.mode }),
    };
  }

  async digest(path: string): Promise<Digest | undefined> {
    const key = await this.locate(path, 'read').catch((error: unknown) => {
      if (isOkaError(error, 'files.not_found')) return undefined;
      throw error;
    });
    if (key === undefined) return undefined;
    return this.#layered(key) === undefined ? this.#base.digest(key) : digestAt(this, key);
  }

  async list(path: string, options: ListOptions): Promise<FileListing> {
    return listTree(this.#tree, await this.#folder(path), options);
  }

  async *walk(path: string, options?: WalkOptions): AsyncGenerator<FileEntry> {
    yield* walkTree(this.#tree, await this.#folder(path), options);
  }

  async *pieces(path: string): AsyncGenerator<Uint8Array> {
    const key = await this.locate(path, 'read');
    if (this.#layered(key) === undefined) yield* this.#base.pieces(key);
    else yield (await this.read(path)).content;
  }

  async writeAtomic(
    path: string,
    content: string | Uint8Array,
    options: { readonly mode?: number; readonly modifiedAt?: EpochMs } = {},
  ): Promise<FileVersion> {
    const key = await this.locate(path, 'write');
    const before = await this.stat(key);
    if (before?.kind === 'directory') throw refusal('EISDIR', path);
    if (before && before.kind !== 'file') await this.read(path);
    for (const folder of await this.#missingFolders(key, path)) this.#addFolder(folder);
    const bytes = typeof content === 'string' ? new TextEncoder().encode(content) : Uint8Array.from(content);
    const mode = before ? (await this.read(key, { maxBytes: 0 })).mode : options.mode;
    await this.#recordBefore(key);
    const { modifiedAt } = options;
    this.#set(key, {
      kind: 'file',
      content: bytes,
      ...(mode === undefined ? {} : { mode }),
      ...(modifiedAt === undefined ? {} : { modifiedAt }),
    });
    return { path: key, bytes: bytes.length, digest: digestOf(bytes) };
  }

  async move(from: string, to: string): Promise<string> {
    await this.locate(from, 'write');
    const { path } = await this.copy(from, to);
    await this.remove(from);
    return path;
  }

  async copy(from: string, to: string): Promise<FileVersion> {
    const file = await this.read(from);
    const { modifiedAt } = (await this.stat(from)) ?? {};
    const key = await this.locate(to, 'write');
    if (await this.stat(key)) throw alreadyExists(key);
    return this.writeAtomic(to, file.content, { ...file, ...(modifiedAt !== undefined && { modifiedAt }) });
  }

  async makeFolder(path: string): Promise<void> {
    const key = await this.locate(path, 'write');
    const found = await this.stat(key);
    if (found?.kind === 'directory') return;
    if (found) throw refusal('ENOTDIR', path);
    for (const folder of [...(await this.#missingFolders(key, path)), key]) this.#addFolder(folder);
  }

  async remove(path: string): Promise<void> {
    const key = await this.locate(path, 'write');
    const before = await this.stat(key);
    if (before === undefined) throw refusal('ENOENT', path);
    if (before.kind === 'directory' && (await this.#children(key)).length > 0)
      throw refusal('ENOTEMPTY', path);
    await this.#recordBefore(key);
    this.#set(key, REMOVED);
  }

  async state(path: string, options: PlaceOptions = {}): Promise<PathState | undefined> {
    const key = await this.#keyOf(path, 'read', options).catch((error: unknown) => {
      if (isOkaError(error, ['files.not_found', 'files.not_a_folder'])) return undefined;
      throw error;
    });
    if (key === undefined) return undefined;
    const layered = this.#layered(key);
    if (layered === undefined) return this.#base.state(key, options);
    if (layered.kind === 'removed') return undefined;
    if (layered.kind === 'directory') return { kind: 'folder', mode: layered.mode ?? FOLDER_MODE };
    if (layered.kind === 'link') return layered;
    const { content, mode = FILE_MODE, modifiedAt = 0 } = layered;
    return { kind: 'file', digest: digestOf(content), bytes: content.length, mode, modifiedAt };
  }

  async place(path: string, state: NewState | undefined, options: PlaceOptions = {}): Promise<void> {
    const key = await this.#keyOf(path, 'write', options);
    const found = await this.state(path, options);
    const isReplaced = found?.kind === 'folder' && state?.kind !== 'folder';
    if (isReplaced && (await this.#children(key)).length > 0) throw refusal('ENOTEMPTY', path);
    await this.#recordBefore(key, options);
    this.#set(key, await layeredOf(state));
    if (state?.kind !== 'folder' || state.from === undefined || found?.kind === 'folder') return;
    for (const name of await readdir(state.from))
      await this.place(join(key, name), await stateAt(join(state.from, name)), options);
  }

  /** The metadata of repositories is named by real paths. */
  async #keyOf(path: string, purpose: 'read' | 'write', { repository }: PlaceOptions): Promise<string> {
    if (!repository) return this.locate(path, purpose);
    const inside = pathInWorkspace(path, '/');
    rejectProtected(inside, 'repository');
    return inside;
  }

  async #recordBefore(key: string, options: PlaceOptions = {}): Promise<void> {
    if (this.#before.has(key)) return;
    const base = this.#layered(key) === undefined ? await this.#baseAt(key, options) : REMOVED;
    this.#before.set(key, base);
  }

  async #baseAt(key: string, options: PlaceOptions): Promise<Base> {
    const state = await this.#base.state(key, options);
    if (state === undefined) return REMOVED;
    if (state.kind === 'folder') return { kind: 'directory', mode: state.mode };
    if (state.kind !== 'file') return state;
    const { content, mode } = await this.#base.read(key, options);
    return { kind: 'file', content, ...(mode === undefined ? {} : { mode }) };
  }

  #addFolder(key: string): void {
    if (!this.#before.has(key)) this.#before.set(key, REMOVED);
    this.#set(key, { kind: 'directory' });
  }

  #set(key: string, layered: Layered): void {
    this.#heldBytes += bytesOf(layered) - bytesOf(this.#layer.get(key));
    if (this.#heldBytes > MAX_HELD_BYTES)
      throw fileError(
        'files.too_large',
        key,
        `A simulation holds at most ${MAX_HELD_BYTES / 1024 / 1024} MB of changed files, and ${key} would be more. Run it without --simulate.`,
      );
    this.#layer.set(key, layered);
  }

  async #missingFolders(key: string, path: string): Promise<readonly string[]> {
    const missing: string[] = [];
    for (let folder = dirname(key); folder !== '.'; folder = dirname(folder)) {
      const found = await this.stat(folder);
      if (found?.kind === 'directory') break;
      if (found) throw refusal('ENOTDIR', path);
      missing.push(folder);
    }
    return missing;
  }

  /** The real path of a folder, in the layer or in the base. */
  async #folder(path: string): Promise<string> {
    const key = await this.locate(path, 'read');
    const layered = this.#layered(key);
    if (layered?.kind === 'directory') return key;
    if (layered?.kind === 'removed') throw refusal('ENOENT', path);
    if (layered?.kind === 'link') return this.#folder(targetOf(key, layered));
    if (layered !== undefined) throw refusal('ENOTDIR', path);
    return (await this.#base.list(key, { depth: 1, max: 0, ignored: true })).path;
  }

  async #children(folder: string): Promise<readonly FileEntry[]> {
    const entries = new Map<string, FileEntry>();
    if (!this.#hidesBase(folder) && this.#layered(folder)?.kind !== 'removed')
      for await (const entry of this.#base.walk(folder, { depth: 1, ignored: true, all: true }))
        entries.set(entry.path, entry);
    for (const [path, layered] of this.#layer) {
      if (dirname(path) !== folder || isHidden(basename(path))) continue;
      if (layered.kind === 'removed') entries.delete(path);
      else entries.set(path, toEntry(path, layered));
    }
    return [...entries.values()].sort((a, b) => (a.path < b.path ? -1 : 1));
  }
}

function targetOf(link: string, { target }: { readonly target: string }): string {
  return isAbsolute(target) ? target : join(dirname(link), target);
}

async function layeredOf(state: NewState | undefined): Promise<Layered> {
  if (state === undefined) return REMOVED;
  if (state.kind === 'folder') return { kind: 'directory', mode: state.mode };
  if (state.kind === 'link') return state;
  const { content, mode } = state;
  if (content instanceof Uint8Array) return { kind: 'file', mode, content };
  const { mtimeMs } = await lstat(content.file);
  return { kind: 'file', mode, content: await readFile(content.file), modifiedAt: Math.floor(mtimeMs) };
}

/** What a program left at a path of the disk. */
async function stateAt(file: string): Promise<NewState> {
  const found = await lstat(file);
  const mode = found.mode & PERMISSIONS;
  if (found.isSymbolicLink()) return { kind: 'link', target: await readlink(file) };
  return found.isDirectory()
    ? { kind: 'folder', mode, from: file }
    : { kind: 'file', content: { file }, mode };
}

function toEntry(path: string, layered: Exclude<Layered, { kind: 'removed' }>): FileEntry {
  if (layered.kind === 'directory') return { path, kind: 'directory', bytes: 0 };
  if (layered.kind === 'link') return { path, kind: 'link', bytes: 0 };
  const { content, modifiedAt } = layered;
  return { path, kind: 'file', bytes: content.length, ...(modifiedAt !== undefined && { modifiedAt }) };
}
