import { Worker } from 'node:worker_threads';
import { fileReader, type ReadAnswer, type ReadRequest } from './file-reader.ts';

const PROGRAM = `
  const { parentPort } = require('node:worker_threads');
  const read = (${fileReader.toString()})();
  parentPort.on('message', ({ number, request }) => parentPort.postMessage({ number, answer: read(request) }));`;

interface Waiting {
  readonly resolve: (answer: ReadAnswer) => void;
  readonly reject: (error: Error) => void;
}

/** Threads that read and hash files; they are started with the first request. */
export class ReaderThreads {
  readonly #count: number;
  readonly #threads: Thread[] = [];

  constructor(count: number) {
    this.#count = count;
  }

  get started(): boolean {
    return this.#threads.length > 0;
  }

  read(request: ReadRequest): Promise<ReadAnswer> {
    if (this.#threads.length < this.#count) this.#threads.push(new Thread());
    const idlest = this.#threads.reduce((best, thread) => (thread.waiting < best.waiting ? thread : best));
    return idlest.read(request);
  }

  async close(): Promise<void> {
    await Promise.all(this.#threads.splice(0).map((thread) => thread.close()));
  }
}

class Thread {
  readonly #worker = new Worker(PROGRAM, { eval: true });
  readonly #waiting = new Map<number, Waiting>();
  #next = 0;

  constructor() {
    this.#worker.on('message', ({ number, answer }: { number: number; answer: ReadAnswer }) => {
      this.#waiting.get(number)?.resolve(answer);
      this.#waiting.delete(number);
    });
    const fail = (error: Error): void => {
      for (const { reject } of this.#waiting.values()) reject(error);
      this.#waiting.clear();
    };
    this.#worker.on('error', fail);
    this.#worker.on('exit', () => fail(new Error('a thread that read files has ended')));
  }

  get waiting(): number {
    return this.#waiting.size;
  }

  read(request: ReadRequest): Promise<ReadAnswer> {
    const number = this.#next++;
    return new Promise((resolve, reject) => {
      this.#waiting.set(number, { resolve, reject });
      this.#worker.postMessage({ number, request }, [request.stamps.buffer as ArrayBuffer]);
    });
  }

  async close(): Promise<void> {
    await this.#worker.terminate();
  }
}
