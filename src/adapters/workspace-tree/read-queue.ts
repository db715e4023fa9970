import { fileReader, type ReadAnswer, type ReadRequest } from './file-reader.ts';
import { NUMBERS } from './folder-visit.ts';
import { ReaderThreads } from './reader-threads.ts';

const MOST_FILES = 256;
const HASH_LENGTH = 64;
const MOST_BYTES = 4 * 1_048_576;
/** A second core is of use; more would only wait for the one thread that walks. */
const THREADS = 2;

/** What became of a file: its content's hash, or nothing and why. */
interface ReadFile {
  readonly hash: string;
  readonly kind: string;
  readonly trouble: string;
  readonly stamp: readonly [size: number, modifiedAt: number, changedAt: number, inode: number];
}

/** A file to read, and who wants to know. */
export interface WantedFile {
  readonly path: string;
  /** What it was seen with, where someone has looked. */
  readonly stamp: ReadFile['stamp'] | undefined;
  readonly onRead: (read: ReadFile) => void;
}

const NOT_SEEN: ReadFile['stamp'] = [Number.NaN, 0, 0, 0];
/** What a file that nobody has looked at counts for. */
const USUAL_BYTES = 16_384;

/** Reads files: a few of them at once, many in threads while others are still being found. */
export class ReadQueue {
  readonly #threads = new ReaderThreads(THREADS);
  readonly #settledBefore: number;
  #batch: WantedFile[] = [];
  #bytes = 0;
  #reading: Promise<void>[] = [];
  #failure: unknown;
  files = 0;

  /** What was last changed before that moment is not watched while it is read. */
  constructor(settledBefore: number) {
    this.#settledBefore = settledBefore;
  }

  push(file: WantedFile): void {
    this.files += 1;
    this.#batch.push(file);
    this.#bytes += file.stamp?.[0] ?? USUAL_BYTES;
    if (this.#batch.length >= MOST_FILES || this.#bytes >= MOST_BYTES) this.#send();
  }

  /** Answers when all that was asked for is read. */
  async drain(): Promise<void> {
    if (this.#batch.length > 0) {
      if (this.#threads.started) this.#send();
      else {
        const [batch, request] = this.#take();
        deliver(batch, fileReader()(request));
      }
    }
    await Promise.all(this.#reading);
    if (this.#failure !== undefined) throw this.#failure;
  }

  close(): Promise<void> {
    return this.#threads.close();
  }

  #send(): void {
    const [batch, request] = this.#take();
    const read = this.#threads.read(request).then((answer) => deliver(batch, answer));
    this.#reading.push(
      read.catch((error: unknown) => {
        this.#failure ??= error;
      }),
    );
  }

  #take(): [readonly WantedFile[], ReadRequest] {
    const batch = this.#batch;
    const stamps = new Float64Array(batch.length * NUMBERS);
    let paths = '';
    for (const [i, { path, stamp }] of batch.entries()) {
      paths += `${path}\0`;
      stamps.set(stamp ?? NOT_SEEN, i * NUMBERS);
    }
    this.#batch = [];
    this.#bytes = 0;
    return [batch, { paths, stamps, settledBefore: this.#settledBefore }];
  }
}

function deliver(batch: readonly WantedFile[], { hashes, kinds, troubles, stamps }: ReadAnswer): void {
  for (const [i, { onRead }] of batch.entries()) {
    const [size = 0, modifiedAt = 0, changedAt = 0, inode = 0] = stamps.subarray(
      i * NUMBERS,
      (i + 1) * NUMBERS,
    );
    onRead({
      hash: hashes.slice(i * HASH_LENGTH, (i + 1) * HASH_LENGTH).trimEnd(),
      kind: kinds[i] as string,
      trouble: troubles.get(i) ?? '',
      stamp: [size, modifiedAt, changedAt, inode],
    });
  }
}
