import { PackedFolder, pathBytes } from '../../context/index.ts';
import { type CheckRequest, fileChecker } from './file-checker.ts';
import { NUMBERS } from './folder-visit.ts';
import type { KnownFolder } from './known-walk.ts';
import type { ScanThreads } from './scan-threads.ts';

const ONLY_FOLDERS = /^d*$/;
const MOST_FILES = 512;
/** When so many batches wait, a thread that checks them is worth its start. */
const MANY_BATCHES = 8;
/** So many does the thread have at once, so that it never waits for the next one. */
const AT_THE_THREAD = 2;

/** Folders that are checked together. */
class Batch {
  readonly folders: KnownFolder[] = [];
  readonly #stamps: Float64Array[] = [];
  #places = '';
  #names = '';
  #kinds = '';
  children = 0;

  add(folder: KnownFolder): void {
    const { at, known } = folder;
    const names = known instanceof PackedFolder ? known.joinedNames : known.names.join('/');
    this.folders.push(folder);
    this.#stamps.push(known.stamps);
    this.#places += `${at.place}\0`;
    this.#names += `${pathBytes(names)}\0`;
    this.#kinds += `${known.kinds}\0`;
    this.children += known.kinds.length;
  }

  toRequest(): CheckRequest {
    const stamps = new Float64Array(this.children * NUMBERS);
    let at = 0;
    for (const own of this.#stamps) {
      stamps.set(own, at);
      at += own.length;
    }
    return { places: this.#places, names: this.#names, kinds: this.#kinds, stamps };
  }
}

/** Finds the folders in which a file or link is not as it is known: here, and in a thread where there are many. */
export class CheckQueue {
  readonly #threads: ScanThreads;
  readonly #onChanged: (folder: KnownFolder) => void;
  readonly #check = fileChecker();
  #batch = new Batch();
  readonly #waiting: Batch[] = [];
  readonly #checking = new Set<Promise<void>>();

  constructor(threads: ScanThreads, onChanged: (folder: KnownFolder) => void) {
    this.#threads = threads;
    this.#onChanged = onChanged;
  }

  push(folder: KnownFolder): void {
    if (ONLY_FOLDERS.test(folder.known.kinds)) return;
    this.#batch.add(folder);
    if (this.#batch.children < MOST_FILES) return;
    this.#waiting.push(this.#batch);
    this.#batch = new Batch();
    if (this.#threads.started || this.#waiting.length >= MANY_BATCHES) this.#feedThread();
  }

  /** Checks one more batch, or waits for one; false when all is checked. */
  async next(): Promise<boolean> {
    const batch = this.#waiting.shift() ?? this.#takeBatch();
    if (batch !== undefined) this.#deliver(batch, this.#check(batch.toRequest()));
    else if (this.#checking.size === 0) return false;
    else await Promise.race(this.#checking);
    return true;
  }

  #takeBatch(): Batch | undefined {
    if (this.#batch.folders.length === 0) return undefined;
    const batch = this.#batch;
    this.#batch = new Batch();
    return batch;
  }

  #feedThread(): void {
    while (this.#checking.size < AT_THE_THREAD) {
      const batch = this.#waiting.shift();
      if (batch === undefined) return;
      const checked = this.#threads.check(batch.toRequest()).then((changed) => {
        this.#checking.delete(checked);
        this.#feedThread();
        this.#deliver(batch, changed);
      });
      // Whoever waits learns of a failure; until then it is nobody's.
      checked.catch(() => undefined);
      this.#checking.add(checked);
    }
  }

  #deliver({ folders }: Batch, changed: readonly number[]): void {
    for (const i of changed) this.#onChanged(folders[i] as KnownFolder);
  }
}
