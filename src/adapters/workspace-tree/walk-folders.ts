// Owns: the walk. It lists folders, applies the ignore rules and compares the entries with the index. Does not own:
// hashing files and storing folders.
// I1 The walk follows no link and opens nothing but folders.
// I2 The walk visits a folder before the folders in it.
import type { Stats } from 'node:fs';
import {
  type FolderRecord,
  NEVER_IN_TREE,
  type NodeIndexChange,
  pathBytes,
  pathIn,
  pathText,
  type TreeErrorCode,
  utf8Bytes,
  type WalkScope,
} from '../../context/index.ts';
import { OkaError } from '../../kernel/index.ts';
import {
  isFolder,
  isSameStamp,
  isUnchanged,
  kindOfMode,
  numbersOf,
  settleStamp,
  toStamp,
} from './file-stamps.ts';
import type { QueuedFile } from './hash-queue.ts';
import { ignoreFilesAmong, readIgnoreFiles, repositoryRules } from './ignore-files.ts';
import { ScannedFolder, SPECIAL_FILE, skipReason } from './scanned-folder.ts';
import { codeOf, entriesIn, type FolderEntry, FolderPaths, statOf, targetOf } from './system-paths.ts';

export interface WalkOptions {
  readonly workspace: string;
  readonly index: NodeIndexChange;
  /** The time of the file system when the scan began. */
  readonly now: number;
  /** Lists and hashes everything, whatever the index knows. */
  readonly force?: boolean;
  /** Compares only this part of the workspace; the rest stays as the index has it. */
  readonly scope?: WalkScope;
}

/** A folder that the walk has visited, and the files in it to hash. */
export interface Visit {
  readonly folder: ScannedFolder;
  readonly files: readonly QueuedFile[];
}

/** A child with its name as text and as a byte string. */
interface Child {
  readonly slot: number;
  readonly name: string;
  readonly raw: string;
  readonly found: Stats;
}

export class FolderWalk {
  readonly #options: WalkOptions;
  readonly #paths = new FolderPaths();
  readonly #root: ScannedFolder;
  /** The last one is visited next. */
  readonly #toVisit: ScannedFolder[] = [];
  /** The folders that `startAt` created, by path. */
  readonly #started = new Map<string, ScannedFolder>();
  #files: QueuedFile[] = [];

  /** Fails if the workspace cannot be read. */
  constructor(options: WalkOptions) {
    this.#options = options;
    const place = utf8Bytes(options.workspace);
    const found = this.#tryRoot(() => statOf(`${place}/.`));
    if (!isFolder(found)) throw this.#failure('ENOTDIR');
    this.#root = new ScannedFolder({
      ...{ path: '', bytes: '', place, repositoryRules: repositoryRules(place) },
      stamp: toStamp(settleStamp(numbersOf(found), options.now)),
      known: options.index.folder(''),
    });
  }

  /** Begins a walk through the whole workspace. */
  start(): void {
    this.#options.index.load();
    this.#plan(this.#root);
  }

  /** Begins a walk through these folders and the new ones in them. For an unknown folder, takes the nearest known one above. */
  startAt(paths: ReadonlySet<string>): void {
    const folders = new Set([...paths].map((path) => this.#reach(path)));
    for (const folder of folders) {
      folder.isShallow = true;
      this.#plan(folder);
    }
    this.#toVisit.sort((a, b) => b.path.length - a.path.length);
  }

  /** Visits the next folder; undefined if there is none. */
  next(): Visit | undefined {
    const folder = this.#toVisit.pop();
    if (folder === undefined) return undefined;
    this.#files = [];
    if (!folder.isRemoved) this.#visit(folder);
    return { folder, files: this.#files };
  }

  close(): void {
    this.#paths.close();
  }

  #visit(folder: ScannedFolder): void {
    const { known, stamp, rulesAbove } = folder;
    const isSame = known !== undefined && !this.#options.force && isSameStamp(known.stamp, stamp);
    let entries = isSame ? undefined : this.#list(folder);
    if (folder.isRemoved) return;
    const ignoreFiles = entries === undefined ? (known?.ignoreFiles ?? 0) : ignoreFilesAmong(entries);
    const { rules, tooLarge } = readIgnoreFiles(folder, ignoreFiles, rulesAbove);
    folder.rules = rules;
    if (isSame && known.rules === rules.key) {
      for (let slot = 0; slot < known.kinds.length; slot++) this.#visitKnown(folder, known, slot);
      return;
    }
    entries ??= this.#list(folder);
    if (entries === undefined) return;
    folder.clear(ignoreFiles);
    for (const child of this.#started.values()) if (child.parent === folder) child.slot = -1;
    for (const name of tooLarge) folder.skip(name, 'it is larger than 4 MiB, so its rules do not count');
    const usable = this.#options.force ? undefined : known;
    const slots = new Map(usable?.names.map((name, slot) => [name, slot]));
    for (const entry of entries) this.#visitEntry(folder, entry, slots);
    for (const child of this.#started.values()) if (child.parent === folder && child.slot < 0) child.remove();
  }

  /** The entries of a folder. A folder that cannot be listed is removed from the tree. */
  #list(folder: ScannedFolder): readonly FolderEntry[] | undefined {
    if (folder === this.#root) return this.#tryRoot(() => entriesIn(folder.place));
    try {
      return entriesIn(folder.place);
    } catch (error) {
      folder.remove(skipReason(codeOf(error)));
      return undefined;
    }
  }

  /** Compares a child of a folder whose names have not changed. */
  #visitKnown(folder: ScannedFolder, known: FolderRecord, slot: number): void {
    const name = known.names[slot] as string;
    if (this.#options.scope?.has(pathIn(folder.path, name)) === false) return;
    const raw = pathBytes(name);
    const found = this.#find(folder, raw);
    if (typeof found !== 'object') {
      folder.drop(slot, found);
      return;
    }
    const kind = kindOfMode(found.mode);
    const child = { slot, name, raw, found };
    if (kind === 'd') {
      if (known.kinds[slot] !== 'd')
        folder.set(slot, 'd', '', settleStamp(numbersOf(found), this.#options.now));
      this.#enter(folder, child);
    } else if (kind === '') folder.drop(slot, SPECIAL_FILE);
    else if (kind !== known.kinds[slot] || !isUnchanged(known, slot, found))
      this.#read(folder, child, known.kinds[slot] === kind);
  }

  /** Adds an entry of a folder that was listed; `slots` are those that its names have in the known record. */
  #visitEntry(
    folder: ScannedFolder,
    { name: raw, kind: type }: FolderEntry,
    slots: ReadonlyMap<string, number>,
  ): void {
    if (NEVER_IN_TREE.has(raw)) return;
    const name = pathText(raw);
    const old = slots.get(name);
    if (this.#options.scope?.has(pathIn(folder.path, name)) === false) {
      if (old !== undefined) folder.addKnown(old);
      return;
    }
    const isLeftOut = (isFolder: boolean): boolean =>
      folder.rules.leaveOut(pathIn(folder.bytes, raw), raw, isFolder);
    if (old === undefined && type !== '?' && isLeftOut(type === 'd')) {
      if (type === 'd') folder.leaveOut(name);
      return;
    }
    if (old === undefined && type === 'f' && this.#options.scope === undefined) {
      // The thread that reads it also gets its stamp.
      this.#hash(folder, folder.add(name, 'f'), raw);
      return;
    }
    const found = this.#find(folder, raw);
    if (typeof found !== 'object') {
      if (found !== undefined) folder.skip(name, found);
      return;
    }
    const kind = kindOfMode(found.mode);
    if (isLeftOut(kind === 'd')) {
      if (kind === 'd') folder.leaveOut(name);
    } else if (kind === '') folder.skip(name, SPECIAL_FILE);
    else this.#addFound(folder, { name, raw, found }, old);
  }

  #addFound(folder: ScannedFolder, entry: Omit<Child, 'slot'>, old: number | undefined): void {
    const { name, found } = entry;
    const kind = kindOfMode(found.mode);
    const known = old === undefined ? undefined : folder.known;
    const content = known?.contents[old as number] ?? '';
    const slot = folder.add(name, kind, content, settleStamp(numbersOf(found), this.#options.now));
    if (kind === 'd') this.#enter(folder, { ...entry, slot });
    else if (known?.kinds[old as number] !== kind || !isUnchanged(known, old as number, found))
      this.#read(folder, { ...entry, slot }, known?.kinds[old as number] === kind);
  }

  /** The state of a child; the reason to skip it, or undefined if it does not exist any more. */
  #find(folder: ScannedFolder, raw: string): Stats | string | undefined {
    try {
      const found = statOf(`${folder.place}/${raw}`);
      if (found !== undefined) return found;
    } catch (error) {
      folder.listAgain();
      return skipReason(codeOf(error));
    }
    folder.listAgain();
    return undefined;
  }

  /** Plans the visit to a folder. A shallow walk enters only those that are new, or that other rules apply to. */
  #enter(parent: ScannedFolder, { slot, name, raw, found }: Child): void {
    const path = pathIn(parent.path, name);
    const known = this.#options.index.folder(path);
    if (this.#options.scope?.enters(path) === false) {
      if (known === undefined) parent.drop(slot);
      else parent.setId(slot, known.id);
      return;
    }
    const started = this.#started.get(path);
    if (started !== undefined) started.slot = slot;
    if (parent.isShallow && known?.stamp.inode === found.ino && parent.known?.rules === parent.rules.key) {
      if (started === undefined) parent.setId(slot, known.id);
      return;
    }
    const folder = started ?? this.#open(parent, { slot, name, raw, found }, known);
    if (folder === undefined) return;
    folder.isShallow = false;
    if (started === undefined || !started.isVisited) this.#plan(folder);
  }

  /** A folder in another one; undefined if it cannot be reached. */
  #open(
    parent: ScannedFolder,
    { slot, name, raw, found }: Child,
    known: FolderRecord | undefined,
  ): ScannedFolder | undefined {
    try {
      return new ScannedFolder({
        path: pathIn(parent.path, name),
        bytes: pathIn(parent.bytes, raw),
        place: this.#paths.below(parent.place, raw),
        stamp: toStamp(settleStamp(numbersOf(found), this.#options.now)),
        ...{ known, parent, slot },
      });
    } catch (error) {
      parent.drop(slot, skipReason(codeOf(error)));
      return undefined;
    }
  }

  /** Reads a child; one outside the scope stays as it was known, if it was of the same kind. */
  #read(folder: ScannedFolder, { slot, name, raw, found }: Child, isKnown: boolean): void {
    if (this.#options.scope?.reads(pathIn(folder.path, name), found.size) === false) {
      if (!isKnown) folder.drop(slot);
      return;
    }
    if (!found.isSymbolicLink()) {
      this.#hash(folder, slot, raw, found);
      return;
    }
    try {
      const target = pathText(targetOf(`${folder.place}/${raw}`));
      folder.set(slot, 'l', target, settleStamp(numbersOf(found), this.#options.now));
    } catch {
      folder.drop(slot);
    }
  }

  #hash(folder: ScannedFolder, slot: number, raw: string, found?: Stats): void {
    folder.pending += 1;
    const seen = found && numbersOf(found);
    this.#files.push({ folder, slot, path: `${folder.place}/${raw}`, seen });
  }

  #plan(folder: ScannedFolder): void {
    folder.isVisited = true;
    folder.pending += 1;
    this.#toVisit.push(folder);
  }

  /** The folder with this path, or the nearest one above it that exists and is known. */
  #reach(path: string): ScannedFolder {
    let folder = this.#root;
    if (folder.pending === 0) folder.isVisited = false;
    for (const name of path === '' ? [] : path.split('/')) {
      const below = this.#started.get(pathIn(folder.path, name)) ?? this.#reachBelow(folder, name);
      if (below === undefined) break;
      this.#started.set(below.path, below);
      folder = below;
    }
    return folder;
  }

  #reachBelow(parent: ScannedFolder, name: string): ScannedFolder | undefined {
    const { known } = parent;
    const slot = known?.names.indexOf(name) ?? -1;
    const record = this.#options.index.folder(pathIn(parent.path, name));
    const raw = pathBytes(name);
    const found = this.#find(parent, raw);
    if (slot < 0 || record === undefined || typeof found !== 'object' || !isFolder(found)) return undefined;
    parent.rules = readIgnoreFiles(parent, known?.ignoreFiles ?? 0, parent.rulesAbove).rules;
    const folder = this.#open(parent, { slot, name, raw, found }, record);
    if (folder !== undefined) folder.isVisited = false;
    return folder;
  }

  #tryRoot<Found>(call: () => Found): Found {
    try {
      return call();
    } catch (error) {
      throw this.#failure(codeOf(error), error);
    }
  }

  #failure(code: string, cause?: unknown): OkaError<TreeErrorCode> {
    const { workspace } = this.#options;
    return new OkaError(
      'context.scan_failed',
      `${workspace} cannot be scanned: the system answers ${code}; check the folder and its permissions.`,
      { data: { workspace, code }, cause },
    );
  }
}
