import type { ListAnswer } from './folder-lister.ts';
import { type FolderVisit, NUMBERS } from './folder-visit.ts';
import type { Numbers } from './node-stamp.ts';
import type { ScanThreads } from './scan-threads.ts';
import type { FolderEntry } from './system-paths.ts';

const MOST_FOLDERS = 64;

/** What became of a folder that was listed. */
export type Listing =
  | { readonly entries: readonly FolderEntry[]; readonly stamp: Numbers }
  | { readonly trouble: string };

/** Has folders listed in threads. */
export class ListQueue {
  readonly #threads: ScanThreads;
  readonly #onListed: (visit: FolderVisit, listing: Listing) => void;
  #batch: FolderVisit[] = [];
  readonly #listing = new Set<Promise<void>>();

  constructor(threads: ScanThreads, onListed: (visit: FolderVisit, listing: Listing) => void) {
    this.#threads = threads;
    this.#onListed = onListed;
  }

  push(visit: FolderVisit): void {
    this.#batch.push(visit);
    if (this.#batch.length >= MOST_FOLDERS) this.#send();
  }

  /** Waits until one more request is answered; false when nothing was asked for. */
  async next(): Promise<boolean> {
    if (this.#batch.length > 0) this.#send();
    if (this.#listing.size === 0) return false;
    await Promise.race(this.#listing);
    return true;
  }

  #send(): void {
    const batch = this.#batch;
    this.#batch = [];
    const places = batch.map(({ at }) => `${at.place}\0`).join('');
    const listed = this.#threads.list({ places }).then((answer) => {
      this.#listing.delete(listed);
      for (const [i, visit] of batch.entries()) this.#onListed(visit, listingAt(answer, i));
    });
    // Whoever waits learns of a failure; until then it is nobody's.
    listed.catch(() => undefined);
    this.#listing.add(listed);
  }
}

function listingAt({ names, kinds, stamps, troubles }: ListAnswer, i: number): Listing {
  const trouble = troubles.get(i);
  if (trouble !== undefined) return { trouble };
  const letters = kinds[i] as string;
  const own = letters === '' ? [] : (names[i] as string).split('\0');
  const [size = 0, modifiedAt = 0, changedAt = 0, inode = 0] = stamps.subarray(
    i * NUMBERS,
    (i + 1) * NUMBERS,
  );
  return {
    entries: own.map((name, at) => ({ name, kind: letters[at] as FolderEntry['kind'] })),
    stamp: [size, modifiedAt, changedAt, inode],
  };
}
