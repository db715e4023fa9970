// Owns: the workspace as it is now: the last scan, with the paths that a reading asks for compared with the disk. Nothing is
// written. I1 A path is reported after it was compared, or as unchecked. I2 A compared path equals what a scan would find.
import { type EpochMs, isOkaError, type Unchecked } from '../../kernel/index.ts';
import { parentOf } from '../paths.ts';
import type { ChildRef, NodeRecord, WorkspaceTree } from '../types.ts';
import { holdsId, IndexedTree } from './indexed-tree.ts';
import type { NodeIndex, NodeIndexChange } from './ports.ts';
import type { FolderRecord } from './types.ts';

/** Which part of the workspace a walk compares with the index. */
export interface WalkScope {
  /** False for a path that stays as the index has it. */
  has(path: string): boolean;
  /** Whether to go into this folder of the scope. */
  enters(path: string): boolean;
  /** Whether to read this file of the scope, whose stamp differs. */
  reads(path: string, bytes: number): boolean;
}

export interface CurrentTreeParts {
  readonly folder: string;
  /** The last scan. */
  readonly index: NodeIndex;
  /** Brings the index up to date within the scope. */
  readonly walk: (index: NodeIndexChange, scope: WalkScope) => Promise<unknown>;
  /** The most that one reading compares; a folder with more in it stays unchecked. Without it, the last scan is trusted. */
  readonly limit?: { readonly entries: number; readonly bytes: number };
}

export class CurrentTree implements WorkspaceTree {
  readonly folder: string;
  readonly #parts: CurrentTreeParts;
  readonly #index: OverlaidIndex;
  readonly #tree: IndexedTree;
  readonly #compared = new Set<string>();
  /** Folders and files that the limit left out. */
  readonly #leftOut = new Set<string>();
  /** What was left out, and the folders above it, whose ids depend on it. */
  #uncertain: ReadonlySet<string> = new Set();
  #left: NonNullable<CurrentTreeParts['limit']>;
  #last: Promise<unknown> = Promise.resolve();

  constructor(parts: CurrentTreeParts) {
    this.folder = parts.folder;
    this.#parts = parts;
    this.#index = new OverlaidIndex(parts.index);
    this.#tree = new IndexedTree(this.#index);
    this.#left = parts.limit ?? { entries: 0, bytes: 0 };
  }

  async root(): Promise<string | undefined> {
    return this.#parts.index.folder('')?.id;
  }

  async node(path: string): Promise<NodeRecord | undefined> {
    await this.compare([path]);
    return this.#tree.node(path);
  }

  async byId(prefix: string): Promise<readonly NodeRecord[]> {
    await this.compare(['']);
    return this.#tree.byId(prefix);
  }

  async children(path: string): Promise<readonly ChildRef[]> {
    await this.compare([path]);
    return this.#tree.children(path);
  }

  async unchecked(path: string): Promise<Unchecked | undefined> {
    await this.compare([path]);
    if (this.#isScanned && !this.#uncertain.has(path)) return undefined;
    const since = this.#parts.index.scannedAt();
    return since === undefined ? {} : { since };
  }

  compare(paths: Iterable<string>): Promise<void> {
    const wanted = [...paths];
    const done = this.#last.then(() =>
      this.#compare(wanted.filter((path) => !isWithin(path, this.#compared))),
    );
    this.#last = done.catch(() => undefined);
    return done;
  }

  async #compare(paths: readonly string[]): Promise<void> {
    if (paths.length === 0 || !this.#isScanned || this.#parts.limit === undefined) return;
    const asked = new Set(paths);
    const above = new Set(paths.flatMap(foldersAbove));
    // The walk always begins in the workspace itself.
    if (asked.has('') && !this.#enters('')) asked.delete('');
    try {
      await this.#parts.walk(this.#index, {
        has: (path) => above.has(path) || isWithin(path, asked),
        enters: (path) => above.has(path) || this.#enters(path),
        reads: (path, bytes) => this.#takes(path, { entries: 1, bytes }),
      });
    } catch (error) {
      if (!isOkaError(error, 'context.scan_failed')) throw error;
      for (const path of paths) this.#leftOut.add(path);
    }
    for (const path of paths) this.#compared.add(path);
    this.#uncertain = new Set([...this.#leftOut].flatMap((path) => [path, ...foldersAbove(path)]));
  }

  #enters(path: string): boolean {
    return this.#takes(path, { entries: this.#index.folder(path)?.names.length ?? 1, bytes: 0 });
  }

  /** Takes what it costs to compare a path from the limit; leaves the path out if that does not suffice. */
  #takes(path: string, cost: NonNullable<CurrentTreeParts['limit']>): boolean {
    const [entries, bytes] = [this.#left.entries - cost.entries, this.#left.bytes - cost.bytes];
    if (entries < 0 || bytes < 0) {
      this.#leftOut.add(path);
      return false;
    }
    this.#left = { entries, bytes };
    this.#leftOut.delete(path);
    return true;
  }

  get #isScanned(): boolean {
    return this.#parts.index.folder('') !== undefined;
  }
}

/** Whether one of these paths is this one or a folder above it. */
function isWithin(path: string, paths: ReadonlySet<string>): boolean {
  return paths.size > 0 && [path, ...foldersAbove(path)].some((one) => paths.has(one));
}

function foldersAbove(path: string): readonly string[] {
  const above: string[] = [];
  for (let at = parentOf(path); at !== null; at = parentOf(at)) above.push(at);
  return above;
}

/** An index with changes of its own, which are never stored. */
class OverlaidIndex implements NodeIndexChange {
  readonly #base: NodeIndex;
  /** Undefined for a folder that was removed. */
  readonly #own = new Map<string, FolderRecord | undefined>();

  constructor(base: NodeIndex) {
    this.#base = base;
  }

  folder(path: string): FolderRecord | undefined {
    return this.#own.has(path) ? this.#own.get(path) : this.#base.folder(path);
  }

  *foldersBelow(path: string): Iterable<FolderRecord> {
    const isBelow = (one: string): boolean => (path === '' ? one !== '' : one.startsWith(`${path}/`));
    for (const folder of this.#base.foldersBelow(path)) if (!this.#own.has(folder.path)) yield folder;
    for (const [own, folder] of [...this.#own]) if (folder !== undefined && isBelow(own)) yield folder;
  }

  foldersWithId(prefix: string, limit: number): readonly FolderRecord[] {
    const own = [...this.#own.values()].flatMap((folder) =>
      folder && holdsId(folder, prefix) ? [folder] : [],
    );
    const known = this.#base.foldersWithId(prefix, limit + this.#own.size);
    return [...own, ...known.filter(({ path }) => !this.#own.has(path))].slice(0, limit);
  }

  counts(): ReturnType<NodeIndex['counts']> {
    return this.#base.counts();
  }

  scannedAt(): EpochMs | undefined {
    return this.#base.scannedAt();
  }

  put(folder: FolderRecord): void {
    this.#own.set(folder.path, folder);
  }

  remove(path: string): void {
    this.#own.set(path, undefined);
  }

  load(): void {}
  commit(): void {}
  end(): void {}
}
