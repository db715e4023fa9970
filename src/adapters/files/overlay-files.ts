import { readFile } from 'node:fs/promises';
import { dirname } from 'node:path/posix';
import { type Digest, digestOf, type EpochMs, isOkaError } from '../../kernel/index.ts';
import {
  decodeText,
  type FileContent,
  type FileEntry,
  type FileListing,
  type Files,
  type FileVersion,
  type ListOptions,
  type NewState,
  type PathState,
  unifiedDiff,
  type WalkOptions,
} from '../../tools/index.ts';
import { alreadyExists, refusal } from './file-error.ts';
import { digestAt, listTree, type TreeSource, textAt, walkTree } from './file-tree.ts';

/** What a simulated file or folder has unless it says otherwise. */
const [FILE_MODE, FOLDER_MODE] = [0o644, 0o755];

/** A change that a run would have made. */
interface FileChange {
  readonly path: string;
  readonly change: 'created' | 'changed' | 'removed';
  readonly bytes: number;
  readonly bytesBefore?: number;
  /** The path is a folder. */
  readonly folder?: true;
  /** The unified diff; without one the content is not text. */
  readonly diff?: string;
}

type Layered =
  | {
      readonly kind: 'file';
      readonly content: Uint8Array;
      readonly mode?: number;
      readonly modifiedAt?: EpochMs;
    }
  | { readonly kind: 'directory' }
  | { readonly kind: 'link'; readonly target: string }
  | { readonly kind: 'removed' };

/** Files with an in-memory layer of changes on top of an unchanged base. */
export class OverlayFiles implements Files {
  readonly #base: Files;
  readonly #layer = new Map<string, Layered>();
  /** What the base has at each changed path; undefined if nothing. */
  readonly #before = new Map<string, FileContent | 'folder' | undefined>();
  readonly #tree: TreeSource;

  constructor(base: Files) {
    this.#base = base;
    this.#tree = { children: (folder) => this.#children(folder), text: (path) => textAt(this, path) };
  }

  /** The changes to the base, by path. A new folder is listed only if nothing in it is. */
  async changes(): Promise<readonly FileChange[]> {
    const changes: FileChange[] = [];
    for (const [path, before] of [...this.#before].sort(([a], [b]) => (a < b ? -1 : 1))) {
      const change = await changeOf(path, before, this.#layer.get(path));
      if (change !== undefined) changes.push(change);
    }
    return changes.filter(
      ({ path, folder, change }) =>
        !(folder && change === 'created' && changes.some((other) => other.path.startsWith(`${path}/`))),
    );
  }

  async locate(path: string, purpose: 'read' | 'write'): Promise<string> {
    try {
      return await this.#base.locate(path, purpose);
    } catch (error) {
      if (!isOkaError(error, 'files.not_found')) throw error;
      return this.#base.locate(path, 'write');
    }
  }

  async stat(path: string): Promise<FileEntry | undefined> {
    const key = await this.locate(path, 'read').catch((error: unknown) => {
      if (isOkaError(error, 'files.not_a_folder')) return undefined;
      throw error;
    });
    if (key === undefined) return undefined;
    const layered = this.#layer.get(key);
    if (layered === undefined) return this.#base.stat(key);
    return layered.kind === 'removed' ? undefined : toEntry(key, layered);
  }

  async read(path: string, options: { readonly maxBytes?: number } = {}): Promise<FileContent> {
    const key = await this.locate(path, 'read');
    const layered = this.#layer.get(key);
    if (layered === undefined) return this.#base.read(path, options);
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
    return this.#layer.has(key) ? digestAt(this, key) : this.#base.digest(key);
  }

  async list(path: string, options: ListOptions): Promise<FileListing> {
    return listTree(this.#tree, await this.#folder(path), options);
  }

  async *walk(path: string, options?: WalkOptions): AsyncGenerator<FileEntry> {
    yield* walkTree(this.#tree, await this.#folder(path), options);
  }

  async *pieces(path: string): AsyncGenerator<Uint8Array> {
    if (this.#layer.has(await this.locate(path, 'read'))) yield (await this.read(path)).content;
    else yield* this.#base.pieces(path);
  }

  async writeAtomic(
    path: string,
    content: string | Uint8Array,
    options: { readonly mode?: number; readonly modifiedAt?: EpochMs } = {},
  ): Promise<FileVersion> {
    const key = await this.#base.locate(path, 'write');
    const before = await this.stat(key);
    if (before?.kind === 'directory') throw refusal('EISDIR', path);
    if (before && before.kind !== 'file') await this.#base.read(path);
    for (const folder of await this.#missingFolders(key, path)) this.#addFolder(folder);
    const bytes = typeof content === 'string' ? new TextEncoder().encode(content) : Uint8Array.from(content);
    const mode = before ? (await this.read(key, { maxBytes: 0 })).mode : options.mode;
    await this.#recordBefore(key, before);
    const { modifiedAt } = options;
    this.#layer.set(key, {
      kind: 'file',
      content: bytes,
      ...(mode === undefined ? {} : { mode }),
      ...(modifiedAt === undefined ? {} : { modifiedAt }),
    });
    return { path: key, bytes: bytes.length, digest: digestOf(bytes) };
  }

  async move(from: string, to: string): Promise<string> {
    await this.#base.locate(from, 'write');
    const { path } = await this.copy(from, to);
    await this.remove(from);
    return path;
  }

  async copy(from: string, to: string): Promise<FileVersion> {
    const file = await this.read(from);
    const { modifiedAt } = (await this.stat(from)) ?? {};
    const key = await this.#base.locate(to, 'write');
    if (await this.stat(key)) throw alreadyExists(key);
    return this.writeAtomic(to, file.content, { ...file, ...(modifiedAt !== undefined && { modifiedAt }) });
  }

  async makeFolder(path: string): Promise<void> {
    const key = await this.#base.locate(path, 'write');
    const found = await this.stat(key);
    if (found?.kind === 'directory') return;
    if (found) throw refusal('ENOTDIR', path);
    for (const folder of [...(await this.#missingFolders(key, path)), key]) this.#addFolder(folder);
  }

  async remove(path: string): Promise<void> {
    const key = await this.#base.locate(path, 'write');
    const before = await this.stat(key);
    if (before === undefined) throw refusal('ENOENT', path);
    if (before.kind === 'directory' && (await this.#children(key)).length > 0)
      throw refusal('ENOTEMPTY', path);
    await this.#recordBefore(key, before);
    this.#layer.set(key, { kind: 'removed' });
  }

  async state(path: string): Promise<PathState | undefined> {
    const key = await this.locate(path, 'read');
    const layered = this.#layer.get(key);
    if (layered === undefined) return this.#base.state(key);
    if (layered.kind === 'removed') return undefined;
    if (layered.kind === 'directory') return { kind: 'folder', mode: FOLDER_MODE };
    if (layered.kind === 'link') return layered;
    const { content, mode = FILE_MODE, modifiedAt = 0 } = layered;
    return { kind: 'file', digest: digestOf(content), bytes: content.length, mode, modifiedAt };
  }

  async place(path: string, state: NewState | undefined): Promise<void> {
    const key = await this.#base.locate(path, 'write');
    await this.#recordBefore(key, await this.stat(key));
    this.#layer.set(key, await layeredOf(state));
  }

  async #recordBefore(key: string, before: FileEntry | undefined): Promise<void> {
    if (this.#before.has(key)) return;
    if (before?.kind === 'directory') this.#before.set(key, 'folder');
    else this.#before.set(key, before?.kind === 'file' ? await this.read(key) : undefined);
  }

  #addFolder(key: string): void {
    if (!this.#before.has(key)) this.#before.set(key, undefined);
    this.#layer.set(key, { kind: 'directory' });
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
    const layered = this.#layer.get(key);
    if (layered?.kind === 'directory') return key;
    if (layered?.kind === 'removed') throw refusal('ENOENT', path);
    if (layered !== undefined) throw refusal('ENOTDIR', path);
    return (await this.#base.list(path, { depth: 1, max: 0, ignored: true })).path;
  }

  async #children(folder: string): Promise<readonly FileEntry[]> {
    const isNew = this.#layer.get(folder)?.kind === 'directory';
    const entries = new Map<string, FileEntry>();
    if (!isNew)
      for await (const entry of this.#base.walk(folder, { depth: 1, ignored: true, all: true }))
        entries.set(entry.path, entry);
    for (const [path, layered] of this.#layer) {
      if (dirname(path) !== folder) continue;
      if (layered.kind === 'removed') entries.delete(path);
      else entries.set(path, toEntry(path, layered));
    }
    return [...entries.values()].sort((a, b) => (a.path < b.path ? -1 : 1));
  }
}

async function layeredOf(state: NewState | undefined): Promise<Layered> {
  if (state === undefined) return { kind: 'removed' };
  if (state.kind === 'folder') return { kind: 'directory' };
  if (state.kind === 'link') return state;
  const { content, mode } = state;
  return {
    kind: 'file',
    mode,
    content: content instanceof Uint8Array ? content : await readFile(content.file),
  };
}

function toEntry(path: string, layered: Exclude<Layered, { kind: 'removed' }>): FileEntry {
  if (layered.kind === 'directory') return { path, kind: 'directory', bytes: 0 };
  if (layered.kind === 'link') return { path, kind: 'link', bytes: 0 };
  const { content, modifiedAt } = layered;
  return { path, kind: 'file', bytes: content.length, ...(modifiedAt !== undefined && { modifiedAt }) };
}

async function changeOf(
  path: string,
  before: FileContent | 'folder' | undefined,
  after: Layered | undefined,
): Promise<FileChange | undefined> {
  const old = before === 'folder' ? undefined : before;
  const content = after?.kind === 'file' ? after.content : undefined;
  if (content === undefined && old === undefined) {
    const [was, is] = [before === 'folder', after?.kind === 'directory'];
    if (was === is) return undefined;
    return { path, change: is ? 'created' : 'removed', bytes: 0, folder: true };
  }
  if (content && old?.digest === digestOf(content)) return undefined;
  const diff = await diffOf(path, old?.content, content);
  return {
    path,
    change: old === undefined ? 'created' : content === undefined ? 'removed' : 'changed',
    bytes: content?.length ?? 0,
    ...(old === undefined ? {} : { bytesBefore: old.bytes }),
    ...(diff === undefined ? {} : { diff }),
  };
}

/** The diff of two texts; undefined if one of them is not text. */
async function diffOf(
  path: string,
  before: Uint8Array | undefined,
  after: Uint8Array | undefined,
): Promise<string | undefined> {
  const texts = [before, after].map((bytes) => bytes && decodeText(bytes, false));
  if ((before && texts[0] === undefined) || (after && texts[1] === undefined)) return undefined;
  return unifiedDiff(path, texts[0], texts[1]);
}
