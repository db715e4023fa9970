// Owns: hashing files in batches, in worker threads where there are many files. Does not own: what happens with the hashes.
// I1 A batch that a worker did not finish is hashed in this thread.
import { Worker } from 'node:worker_threads';
import { type FileToHash, type HashedFile, hashFiles } from './hash-files.ts';
import type { ScannedFolder } from './scanned-folder.ts';

const MAX_BATCH_FILES = 256;
const MAX_BATCH_BYTES = 4 * 1_048_576;
/** The size that counts for a file whose size is not known yet. */
const ASSUMED_BYTES = 16_384;
/** Fewer batches are hashed before a thread has started. */
const MIN_THREAD_BATCHES = 2;
/** More than two only wait for the thread that walks and stores. */
const THREADS = 2;
/** A worker has a second batch, so that it never waits for the next one. */
const MAX_IN_FLIGHT = 2;
/** The walk pauses when this many batches wait, so that memory stays bounded. */
const MAX_WAITING = 64;

/** Node 20 cannot load TypeScript, so code that runs from its sources has no worker and hashes in this thread. */
const WORKER = import.meta.url.endsWith('.ts') ? undefined : new URL('./hash-worker.js', import.meta.url);

/** A file of a folder that is being scanned. */
export interface QueuedFile extends FileToHash {
  readonly folder: ScannedFolder;
  readonly slot: number;
}

type Batch = readonly QueuedFile[];

export interface HashQueueOptions {
  /** A file last changed before this moment did not change while it was read. */
  readonly settledBefore: number;
  /** Receives one message when a worker cannot be started or ends early. */
  readonly onWarning?: ((message: string) => void) | undefined;
  /** The program of the workers. */
  readonly worker?: URL | undefined;
}

export class HashQueue {
  readonly #options: HashQueueOptions;
  #worker: URL | undefined;
  #batch: QueuedFile[] = [];
  #batchBytes = 0;
  #waiting: Batch[] = [];
  /** Each worker answers in the order of its batches. */
  readonly #inFlight = new Map<Worker, Batch[]>();
  #finished: (readonly [QueuedFile, HashedFile])[] = [];
  #wake = (): void => undefined;
  /** How many files were added. */
  files = 0;

  constructor(options: HashQueueOptions) {
    this.#options = options;
    this.#worker = options.worker ?? WORKER;
  }

  /** True if the caller should wait for `next` before it adds more. */
  get isFull(): boolean {
    return this.#waiting.length >= MAX_WAITING;
  }

  add(files: readonly QueuedFile[]): void {
    this.files += files.length;
    for (const file of files) {
      this.#batch.push(file);
      this.#batchBytes += file.seen?.[0] ?? ASSUMED_BYTES;
      if (this.#batch.length >= MAX_BATCH_FILES || this.#batchBytes >= MAX_BATCH_BYTES) this.#closeBatch();
    }
  }

  /** Hashes a batch or waits for one; false if nothing is left. */
  async next(): Promise<boolean> {
    if (this.#finished.length > 0) return true;
    this.#closeBatch();
    if (this.#inFlight.size > 0) {
      if (![...this.#inFlight.values()].some(({ length }) => length > 0)) return false;
      await new Promise<void>((resolve) => {
        this.#wake = resolve;
      });
      return true;
    }
    const batch = this.#waiting.shift();
    if (batch === undefined) return false;
    this.#finish(batch, hashFiles({ files: batch, settledBefore: this.#options.settledBefore }));
    return true;
  }

  /** The files hashed since the last call. */
  takeFinished(): readonly (readonly [QueuedFile, HashedFile])[] {
    if (this.#finished.length === 0) return [];
    const finished = this.#finished;
    this.#finished = [];
    return finished;
  }

  async close(): Promise<void> {
    const workers = [...this.#inFlight.keys()];
    this.#inFlight.clear();
    await Promise.all(workers.map((worker) => worker.terminate()));
  }

  #closeBatch(): void {
    if (this.#batch.length === 0) return;
    this.#waiting.push(this.#batch);
    this.#batch = [];
    this.#batchBytes = 0;
    if (this.#inFlight.size === 0 && this.#waiting.length >= MIN_THREAD_BATCHES) this.#startWorkers();
    this.#feedWorkers();
  }

  #startWorkers(): void {
    if (this.#worker === undefined) return;
    try {
      for (let i = 0; i < THREADS; i++) this.#startWorker(new Worker(this.#worker));
    } catch (error) {
      this.#stopWorkers((error as Error).message);
    }
  }

  #startWorker(worker: Worker): void {
    this.#inFlight.set(worker, []);
    worker.on('message', ({ hashed }: { readonly hashed: readonly HashedFile[] }) => {
      const batch = this.#inFlight.get(worker)?.shift();
      if (batch === undefined) return;
      this.#finish(batch, hashed);
      this.#feedWorkers();
      this.#wake();
    });
    worker.on('error', (error: Error) => this.#inFlight.has(worker) && this.#stopWorkers(error.message));
    worker.on('exit', () => this.#inFlight.has(worker) && this.#stopWorkers('it ended'));
  }

  /** Continues in this thread with what the workers did not finish. */
  #stopWorkers(reason: string): void {
    this.#worker = undefined;
    this.#waiting.unshift(...[...this.#inFlight.values()].flat());
    void this.close();
    this.#options.onWarning?.(
      `A thread that hashes files is missing (${reason}). The scan continues in the main thread, which is slower.`,
    );
    this.#wake();
  }

  #feedWorkers(): void {
    for (const [worker, batches] of this.#inFlight) {
      while (batches.length < MAX_IN_FLIGHT) {
        const batch = this.#waiting.shift();
        if (batch === undefined) return;
        batches.push(batch);
        const files = batch.map(({ path, seen }) => ({ path, seen }));
        worker.postMessage({ files, settledBefore: this.#options.settledBefore });
      }
    }
  }

  #finish(batch: Batch, hashed: readonly HashedFile[]): void {
    for (const [i, file] of batch.entries()) this.#finished.push([file, hashed[i] as HashedFile]);
  }
}
