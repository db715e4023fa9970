import { PackedFolder } from '../../context/index.ts';
import type { OpenFolder, TakeAnswer } from './folder-taker.ts';
import type { FolderVisit } from './folder-visit.ts';
import type { ScanThreads } from './scan-threads.ts';
import type { VisitedFolders } from './visited-folders.ts';

const MOST_FOLDERS = 2;

/** What became of a folder: it is whole, or some folders in it are not, or it was left to whoever asked. */
export type Taken = PackedFolder | OpenFolder | 'declined';

/** What a queue of folders needs. */
export interface TakeQueueParts {
  readonly threads: ScanThreads;
  readonly folders: VisitedFolders;
  /** What was changed at this moment or later is not taken. */
  readonly settledBefore: number;
  readonly onTaken: (visit: FolderVisit, taken: Taken) => void;
}

/** Has folders taken by threads, with what is below them. */
export class TakeQueue {
  readonly #parts: TakeQueueParts;
  #batch: FolderVisit[] = [];
  readonly #taking = new Set<Promise<void>>();
  /** What was found below folders that were asked for, and is not whole. */
  readonly #below = new Map<string, Taken>();
  files = 0;

  constructor(parts: TakeQueueParts) {
    this.#parts = parts;
  }

  push(visit: FolderVisit): void {
    const taken = this.#below.get(visit.at.path);
    if (taken !== undefined) {
      this.#below.delete(visit.at.path);
      this.#parts.onTaken(visit, taken);
      return;
    }
    // The rules go with the request.
    if (this.#batch[0] !== undefined && this.#batch[0].rules !== visit.rules) this.#send();
    this.#batch.push(visit);
    if (this.#batch.length >= MOST_FOLDERS) this.#send();
  }

  /** Waits until one more request is answered; false when nothing was asked for. */
  async next(): Promise<boolean> {
    if (this.#batch.length > 0) this.#send();
    if (this.#taking.size === 0) return false;
    await Promise.race(this.#taking);
    return true;
  }

  #send(): void {
    const { threads, settledBefore } = this.#parts;
    const batch = this.#batch;
    this.#batch = [];
    const rules = (batch[0] as FolderVisit).rules;
    let [places, paths] = ['', ''];
    for (const { at } of batch) {
      places += `${at.place}\0`;
      paths += `${at.path}\0`;
    }
    const request = { places, paths, layers: rules.layers, rules: rules.key, settledBefore };
    const taken = threads.take(request).then((answer) => {
      this.#taking.delete(taken);
      this.#deliver(batch, answer);
    });
    // Whoever waits learns of a failure; until then it is nobody's.
    taken.catch(() => undefined);
    this.#taking.add(taken);
  }

  #deliver(batch: readonly FolderVisit[], answer: TakeAnswer): void {
    const { folders, onTaken } = this.#parts;
    const whole = wholeFolders(answer);
    this.files += answer.read;
    for (const folder of whole.values()) folders.put(folder);
    for (const [path, folder] of answer.open) this.#below.set(path, folder);
    for (const path of answer.declined) this.#below.set(path, 'declined');
    for (const visit of batch) {
      const { path } = visit.at;
      const taken = whole.get(path) ?? this.#below.get(path);
      this.#below.delete(path);
      onTaken(visit, taken ?? 'declined');
    }
  }
}

function wholeFolders({ paths, records, lengths }: TakeAnswer): ReadonlyMap<string, PackedFolder> {
  const whole = new Map<string, PackedFolder>();
  const each = paths.split('\0');
  let at = 0;
  for (let i = 0; i < lengths.length; i++) {
    const path = each[i] as string;
    const end = at + (lengths[i] as number);
    whole.set(path, new PackedFolder(path, records.subarray(at, end)));
    at = end;
  }
  return whole;
}
