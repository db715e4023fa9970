import { directoryNodeId, type FolderRecord, type IgnoreRules, type Stamp } from '../../context/index.ts';

export const NUMBERS = 4;

/** Stands for lists that are not made yet; never filled. */
const NONE: never[] = [];

/** Where a folder is, and what holds in it. */
export interface FolderPlace {
  /** Relative to the workspace: as text, and as a byte string. */
  readonly path: string;
  readonly bytes: string;
  /** The byte string that the system reaches it by. */
  readonly place: string;
  readonly depth: number;
  readonly rules: IgnoreRules;
  /** Undefined while nobody has looked at it. */
  readonly stamp: Stamp | undefined;
}

/** A child as a visit found it; `kind` is a letter, as in `FolderRecord`. */
export interface FoundChild {
  readonly kind: string;
  readonly content: string;
  readonly stamp: readonly [size: number, modifiedAt: number, changedAt: number, inode: number];
}

/** A folder while it is looked at. It is as known until something differs; only then it has lists of its own. */
export class FolderVisit {
  readonly at: FolderPlace;
  readonly known: FolderRecord | undefined;
  readonly parent: FolderVisit | undefined;
  readonly slot: number;
  /** Only the ids of its folders change; nothing else of it is looked at. */
  readonly isPassed: boolean;
  /** Folders in it that are known are not entered. */
  isShallow = false;
  /** It was found not to be there, or may not be entered. */
  isGone = false;
  rules: IgnoreRules;
  stamp: Stamp | undefined;
  ignoreFiles = 0;
  names: string[] = NONE;
  kinds: string[] = NONE;
  contents: string[] = NONE;
  stamps: number[] = NONE;
  skipped: { readonly name: string; readonly why: string }[] = NONE;
  leftOut: string[] = NONE;
  /** Whether the lists are its own, and so may differ from what is known. */
  isOwn = false;
  /** Its record, where a thread has made it; it is in the index already. */
  whole: FolderRecord | undefined;
  /** How many of its files and folders are still under way. */
  open = 0;
  /** It stands in the index; its lists are gone. */
  isDone = false;
  /** Whether the next scan must list it anew, whatever its times say. */
  mustLookAgain = false;

  constructor(
    at: FolderPlace,
    known: FolderRecord | undefined,
    from?: { readonly parent: FolderVisit; readonly slot: number } | 'passed',
  ) {
    this.at = at;
    this.known = known;
    this.rules = at.rules;
    this.stamp = at.stamp;
    this.isPassed = from === 'passed';
    this.parent = typeof from === 'object' ? from.parent : undefined;
    this.slot = typeof from === 'object' ? from.slot : -1;
  }

  /** Begins with nothing, to be filled by what is met. */
  empty(): void {
    this.isOwn = true;
    this.names = [];
    this.kinds = [];
    this.contents = [];
    this.stamps = [];
    this.skipped = [];
    this.leftOut = [];
  }

  add(name: string, child: FoundChild): number {
    this.names.push(name);
    this.kinds.push(child.kind);
    this.contents.push(child.content);
    this.stamps.push(...child.stamp);
    return this.names.length - 1;
  }

  /** Adds a file or folder that nobody has looked at yet. */
  addUnseen(name: string, kind: 'f' | 'd'): number {
    this.names.push(name);
    this.kinds.push(kind);
    this.contents.push('');
    this.stamps.push(0, 0, 0, 0);
    return this.names.length - 1;
  }

  /** Says with which numbers the folder at this place was seen. */
  setStamp(slot: number, stamp: FoundChild['stamp']): void {
    this.#own();
    for (let i = 0; i < NUMBERS; i++) this.stamps[slot * NUMBERS + i] = stamp[i] as number;
  }

  set(slot: number, child: FoundChild): void {
    this.#own();
    this.kinds[slot] = child.kind;
    this.contents[slot] = child.content;
    this.setStamp(slot, child.stamp);
  }

  /** Says which id the folder at this place has. */
  setId(slot: number, id: string): void {
    const { contents } = this.isOwn ? this : (this.known as FolderRecord);
    if (contents[slot] === id) return;
    this.#own();
    this.contents[slot] = id;
  }

  nameAt(slot: number): string {
    return (this.isOwn ? this.names : (this.known as FolderRecord).names)[slot] as string;
  }

  slotOf(name: string): number {
    return (this.isOwn ? this.names : (this.known as FolderRecord).names).indexOf(name);
  }

  /** Takes a child out; with a reason, it is told. */
  drop(slot: number, why?: string): void {
    this.#own();
    this.kinds[slot] = '';
    this.mustLookAgain = true;
    if (why !== undefined) this.skipped.push({ name: this.names[slot] as string, why });
  }

  note(name: string, why: string): void {
    this.#own();
    this.skipped.push({ name, why });
  }

  /** The folder as it is now; the known record where nothing differs. */
  toRecord(): FolderRecord {
    if (this.whole !== undefined) return this.whole;
    if (!this.isOwn && this.known !== undefined) return this.known;
    if (this.kinds.includes('')) this.#leaveOutDropped();
    const { names, contents, skipped, leftOut, ignoreFiles } = this;
    const kinds = this.kinds.join('');
    const stamp = this.stamp ?? { size: 0, modifiedAt: 0, changedAt: 0, inode: 0 };
    return {
      path: this.at.path,
      id: directoryNodeId(this.at.path, { names, kinds, contents }),
      stamp: this.mustLookAgain ? { ...stamp, changedAt: 0 } : stamp,
      rules: this.isPassed && this.known !== undefined ? this.known.rules : this.rules.key,
      ignoreFiles,
      names,
      kinds,
      contents,
      stamps: Float64Array.from(this.stamps),
      skipped,
      leftOut,
    };
  }

  /** Lets go of what its record was made of. */
  letGo(): void {
    this.isDone = true;
    this.whole = undefined;
    this.names = this.kinds = this.contents = this.stamps = this.skipped = this.leftOut = NONE;
  }

  #leaveOutDropped(): void {
    const { kinds } = this;
    const isKept = (_: unknown, slot: number): boolean => kinds[slot] !== '';
    this.names = this.names.filter(isKept);
    this.contents = this.contents.filter(isKept);
    this.stamps = this.stamps.filter((_, at) => kinds[Math.floor(at / NUMBERS)] !== '');
    this.kinds = kinds.filter(isKept);
  }

  #own(): void {
    if (this.isOwn || this.known === undefined) return;
    this.isOwn = true;
    this.names = [...this.known.names];
    this.kinds = [...this.known.kinds];
    this.contents = [...this.known.contents];
    this.stamps = [...this.known.stamps];
    this.skipped = [...this.known.skipped];
    this.leftOut = [...this.known.leftOut];
    this.ignoreFiles = this.known.ignoreFiles;
  }
}
