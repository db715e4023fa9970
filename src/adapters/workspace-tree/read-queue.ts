import { contentHasher } from './content-hasher.ts';
import { fileReader, type ReadAnswer, type ReadRequest } from './file-reader.ts';
import { type FolderVisit, NUMBERS } from './folder-visit.ts';
import type { Numbers } from './node-stamp.ts';
import type { ScanThreads } from './scan-threads.ts';

const MOST_FILES = 256;
const HASH_LENGTH = 64;
const MOST_BYTES = 4 * 1_048_576;
/** What a file that nobody has looked at counts for. */
const USUAL_BYTES = 16_384;
const NOT_SEEN: Numbers = [Number.NaN, 0, 0, 0];

/** What became of a file: its content's hash, or nothing and why. */
export interface ReadFile {
  readonly hash: string;
  readonly kind: string;
  readonly trouble: string;
  readonly stamp: Readonly<Numbers>;
}

/** Files that are read together, each a place in a folder. */
class Batch {
  readonly visits: FolderVisit[] = [];
  readonly slots: number[] = [];
  readonly stamps: number[] = [];
  paths = '';
  bytes = 0;
}

/** Learns what became of the file at a place of a folder. */
export type OnRead = (visit: FolderVisit, slot: number, read: ReadFile) => void;

/** Reads files: a few of them at once, many in threads while others are still being found. */
export class ReadQueue {
  readonly #threads: ScanThreads;
  readonly #settledBefore: number;
  readonly #onRead: OnRead;
  #batch = new Batch();
  readonly #reading: Promise<void>[] = [];
  #failure: unknown;
  files = 0;

  /** What was last changed before `settledBefore` is not watched while it is read. */
  constructor(threads: ScanThreads, settledBefore: number, onRead: OnRead) {
    this.#threads = threads;
    this.#settledBefore = settledBefore;
    this.#onRead = onRead;
  }

  /** `stamp` is what it was seen with, where someone has looked. */
  push(visit: FolderVisit, slot: number, raw: string, stamp?: Numbers): void {
    const batch = this.#batch;
    this.files += 1;
    batch.visits.push(visit);
    batch.slots.push(slot);
    batch.stamps.push(...(stamp ?? NOT_SEEN));
    batch.paths += `${visit.at.place}/${raw}\0`;
    batch.bytes += stamp?.[0] ?? USUAL_BYTES;
    if (batch.slots.length >= MOST_FILES || batch.bytes >= MOST_BYTES) this.#send();
  }

  /** Answers when all that was asked for is read. */
  async drain(): Promise<void> {
    if (this.#batch.slots.length > 0) {
      if (this.#threads.started) this.#send();
      else {
        const [batch, request] = this.#take();
        this.#deliver(batch, fileReader(contentHasher())(request));
      }
    }
    await Promise.all(this.#reading);
    if (this.#failure !== undefined) throw this.#failure;
  }

  #send(): void {
    const [batch, request] = this.#take();
    const read = this.#threads.read(request).then((answer) => this.#deliver(batch, answer));
    this.#reading.push(
      read.catch((error: unknown) => {
        this.#failure ??= error;
      }),
    );
  }

  #take(): [Batch, ReadRequest] {
    const batch = this.#batch;
    const { paths } = batch;
    this.#batch = new Batch();
    const stamps = Float64Array.from(batch.stamps);
    return [batch, { paths, stamps, settledBefore: this.#settledBefore }];
  }

  #deliver({ visits, slots }: Batch, { hashes, kinds, troubles, stamps }: ReadAnswer): void {
    for (let i = 0; i < slots.length; i++) {
      const [at, from] = [i * NUMBERS, i * HASH_LENGTH];
      const trouble = troubles.get(i) ?? '';
      const hasContent = trouble === '' || trouble === 'CHANGING';
      this.#onRead(visits[i] as FolderVisit, slots[i] as number, {
        hash: hasContent ? hashes.slice(from, from + HASH_LENGTH) : '',
        kind: kinds[i] as string,
        trouble,
        stamp: [
          stamps[at] as number,
          stamps[at + 1] as number,
          stamps[at + 2] as number,
          stamps[at + 3] as number,
        ],
      });
    }
  }
}
