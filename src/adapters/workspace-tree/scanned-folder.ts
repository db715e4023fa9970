import { directoryNodeId, type FolderRecord, IgnoreRules, type Stamp } from '../../context/index.ts';
import { STAMP_LENGTH, type StampNumbers, settleStamp } from './file-stamps.ts';
import type { HashedFile } from './hash-files.ts';

/** Stands for lists that are not made yet; never filled. */
const NONE: never[] = [];
const NO_STAMP: StampNumbers = [0, 0, 0, 0];

export const SPECIAL_FILE = 'it is neither a file, a folder nor a link';
const GONE_CODES = new Set(['ENOENT', 'ENOTDIR', 'ELOOP', 'NOT_A_FILE']);

/** Why a path is skipped, by the error code; undefined if it does not exist any more, which is not reported. */
export function skipReason(code: string): string | undefined {
  if (GONE_CODES.has(code)) return undefined;
  if (code === 'EACCES' || code === 'EPERM') return 'it may not be read; check its permissions';
  if (code === 'ENAMETOOLONG') return 'its path is longer than this system can reach';
  return `the system answers ${code} when it is read`;
}

/** Where a folder is. */
export interface FolderPlace {
  /** Relative to the workspace: as text, and as a byte string. */
  readonly path: string;
  readonly bytes: string;
  /** The byte string by which the system reaches it. */
  readonly place: string;
  /** The rules of the repository; only for the workspace itself. */
  readonly repositoryRules?: IgnoreRules;
  readonly stamp: Stamp;
  readonly known: FolderRecord | undefined;
  readonly parent?: ScannedFolder;
  /** The position among the children of the parent. */
  readonly slot?: number;
}

/** A folder during a scan. It has the lists of its known record until something differs. */
export class ScannedFolder {
  readonly path: string;
  readonly bytes: string;
  readonly place: string;
  readonly stamp: Stamp;
  readonly known: FolderRecord | undefined;
  readonly parent: ScannedFolder | undefined;
  slot: number;
  /** The rules that apply to its children. */
  rules: IgnoreRules;
  /** False for a folder above the ones to scan: only the ids of its folders change. */
  isVisited = true;
  /** The walk does not enter known folders in it. */
  isShallow = false;
  /** Its visit and the files and folders in it that are not done yet. */
  pending = 0;
  readonly #repositoryRules: IgnoreRules;
  #isRemoved = false;
  /** Whether the lists are its own, and so may differ from the known ones. */
  #isOwn = false;
  #mustListAgain = false;
  #ignoreFiles = 0;
  #names: string[] = NONE;
  #kinds: string[] = NONE;
  #contents: string[] = NONE;
  #stamps: number[] = NONE;
  #skipped: { readonly name: string; readonly why: string }[] = NONE;
  #leftOut: string[] = NONE;

  constructor({ path, bytes, place, stamp, known, parent, slot = -1, ...at }: FolderPlace) {
    this.path = path;
    this.bytes = bytes;
    this.place = place;
    this.stamp = stamp;
    this.known = known;
    this.parent = parent;
    this.slot = slot;
    this.#repositoryRules = at.repositoryRules ?? IgnoreRules.none;
    this.rules = this.rulesAbove;
    if (parent !== undefined) parent.pending += 1;
  }

  /** The rules of the folders above it. They are final once the parent was visited. */
  get rulesAbove(): IgnoreRules {
    return this.parent?.rules ?? this.#repositoryRules;
  }

  /** The number of its children. */
  get count(): number {
    return this.#isOwn ? this.#names.length : (this.known?.names.length ?? 0);
  }

  get isOwn(): boolean {
    return this.#isOwn;
  }

  /** True if it, or a folder above it, is not part of the tree. */
  get isRemoved(): boolean {
    return this.#isRemoved || (this.parent?.isRemoved ?? false);
  }

  /** Removes it from the tree. */
  remove(reason?: string): void {
    this.#isRemoved = true;
    if (this.slot >= 0) this.parent?.drop(this.slot, reason);
  }

  /** Replaces the known children by an empty list. */
  clear(ignoreFiles: number): void {
    this.#isOwn = true;
    this.#ignoreFiles = ignoreFiles;
    this.#names = [];
    this.#kinds = [];
    this.#contents = [];
    this.#stamps = [];
    this.#skipped = [];
    this.#leftOut = [];
  }

  /** Adds a child; returns its slot. */
  add(name: string, kind: string, content = '', stamp = NO_STAMP): number {
    this.#names.push(name);
    this.#kinds.push(kind);
    this.#contents.push(content);
    this.#stamps.push(...stamp);
    return this.#names.length - 1;
  }

  /** Adds a child as it is known. */
  addKnown(slot: number): void {
    const { names, kinds, contents, stamps } = this.known as FolderRecord;
    const at = slot * STAMP_LENGTH;
    const stamp = [...stamps.subarray(at, at + STAMP_LENGTH)] as unknown as StampNumbers;
    this.add(names[slot] as string, kinds[slot] as string, contents[slot] as string, stamp);
  }

  /** Adds the name of a folder that the rules exclude. */
  leaveOut(name: string): void {
    this.#leftOut.push(name);
  }

  set(slot: number, kind: string, content: string, stamp: StampNumbers): void {
    this.#copyKnown();
    this.#kinds[slot] = kind;
    this.#contents[slot] = content;
    for (const [i, number] of stamp.entries()) this.#stamps[slot * STAMP_LENGTH + i] = number;
  }

  /** Sets the hash of a file, or drops the file if it could not be read. */
  setHashed(slot: number, hashed: HashedFile, scanStartedAt: number): void {
    if ('code' in hashed) {
      this.drop(slot, skipReason(hashed.code));
      return;
    }
    const { hash, kind, stamp, isChanging } = hashed;
    // The next scan reads a file again that kept changing.
    this.set(slot, kind, hash, settleStamp(stamp, isChanging ? 0 : scanStartedAt));
    if (isChanging)
      this.skip(this.#names[slot] as string, 'it kept changing while it was read; what was read last counts');
  }

  /** Sets the id of a folder. */
  setId(slot: number, id: string): void {
    const { contents } = this.#isOwn ? { contents: this.#contents } : (this.known as FolderRecord);
    if (contents[slot] === id) return;
    this.#copyKnown();
    this.#contents[slot] = id;
  }

  /** Removes a child. The next scan lists the folder again. */
  drop(slot: number, reason?: string): void {
    this.#copyKnown();
    this.#kinds[slot] = '';
    this.#mustListAgain = true;
    if (reason !== undefined) this.#skipped.push({ name: this.#names[slot] as string, why: reason });
  }

  /** Reports a name that is not part of the tree, or not as it is. */
  skip(name: string, reason: string): void {
    this.#copyKnown();
    this.#skipped.push({ name, why: reason });
  }

  /** Makes the next scan list the folder again. */
  listAgain(): void {
    this.#mustListAgain = true;
  }

  /** The folder as it is now; the known record if nothing differs. */
  toRecord(): FolderRecord {
    if (!this.#isOwn && this.known !== undefined) return this.known;
    if (this.#kinds.includes('')) this.#deleteDropped();
    const [names, contents, kinds] = [this.#names, this.#contents, this.#kinds.join('')];
    return {
      path: this.path,
      id: directoryNodeId(this.path, { names, kinds, contents }),
      stamp: this.#mustListAgain ? { ...this.stamp, changedAt: 0 } : this.stamp,
      rules: !this.isVisited && this.known !== undefined ? this.known.rules : this.rules.key,
      ignoreFiles: this.#ignoreFiles,
      names,
      kinds,
      contents,
      stamps: Float64Array.from(this.#stamps),
      skipped: this.#skipped,
      leftOut: this.#leftOut,
    };
  }

  #deleteDropped(): void {
    const kinds = this.#kinds;
    const isKept = (_: unknown, slot: number): boolean => kinds[slot] !== '';
    this.#names = this.#names.filter(isKept);
    this.#contents = this.#contents.filter(isKept);
    this.#stamps = this.#stamps.filter((_, at) => kinds[Math.floor(at / STAMP_LENGTH)] !== '');
    this.#kinds = kinds.filter(isKept);
  }

  #copyKnown(): void {
    if (this.#isOwn || this.known === undefined) return;
    this.#isOwn = true;
    this.#names = [...this.known.names];
    this.#kinds = [...this.known.kinds];
    this.#contents = [...this.known.contents];
    this.#stamps = [...this.known.stamps];
    this.#skipped = [...this.known.skipped];
    this.#leftOut = [...this.known.leftOut];
    this.#ignoreFiles = this.known.ignoreFiles;
  }
}
