import { Worker } from 'node:worker_threads';
import { fileNodeText } from '../../context/index.ts';
import { fileReader, type ReadAnswer, type ReadRequest } from './file-reader.ts';
import { folderLister, type ListAnswer, type ListRequest } from './folder-lister.ts';

const PROGRAM = `
  const { parentPort } = require('node:worker_threads');
  const work = { list: (${folderLister.toString()})(), read: (${fileReader.toString()})(${fileNodeText.toString()}) };
  parentPort.on('message', ({ number, kind, request }) => {
    const answer = work[kind](request);
    parentPort.postMessage({ number, answer }, [answer.stamps.buffer]);
  });`;

/** A second core is of use; more would only wait for the one thread that puts everything together. */
const THREADS = 2;

interface Waiting {
  readonly resolve: (answer: never) => void;
  readonly reject: (error: Error) => void;
}

/** Threads that list folders and read files; they are started with the first requests. */
export class ScanThreads {
  readonly #threads: Thread[] = [];

  get started(): boolean {
    return this.#threads.length > 0;
  }

  list(request: ListRequest): Promise<ListAnswer> {
    return this.#idlest().ask('list', request);
  }

  read(request: ReadRequest): Promise<ReadAnswer> {
    return this.#idlest().ask('read', request, request.stamps.buffer as ArrayBuffer);
  }

  async close(): Promise<void> {
    await Promise.all(this.#threads.splice(0).map((thread) => thread.close()));
  }

  #idlest(): Thread {
    if (this.#threads.length < THREADS) this.#threads.push(new Thread());
    return this.#threads.reduce((best, thread) => (thread.waiting < best.waiting ? thread : best));
  }
}

class Thread {
  readonly #worker = new Worker(PROGRAM, { eval: true });
  readonly #waiting = new Map<number, Waiting>();
  #next = 0;

  constructor() {
    this.#worker.on('message', ({ number, answer }: { number: number; answer: never }) => {
      this.#waiting.get(number)?.resolve(answer);
      this.#waiting.delete(number);
    });
    const fail = (error: Error): void => {
      for (const { reject } of this.#waiting.values()) reject(error);
      this.#waiting.clear();
    };
    this.#worker.on('error', fail);
    this.#worker.on('exit', () => fail(new Error('a thread that scans has ended')));
  }

  get waiting(): number {
    return this.#waiting.size;
  }

  ask<Answer>(kind: 'list' | 'read', request: object, moved?: ArrayBuffer): Promise<Answer> {
    const number = this.#next++;
    return new Promise((resolve, reject) => {
      this.#waiting.set(number, { resolve, reject });
      this.#worker.postMessage({ number, kind, request }, moved === undefined ? [] : [moved]);
    });
  }

  async close(): Promise<void> {
    await this.#worker.terminate();
  }
}
