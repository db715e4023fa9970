import { Worker } from 'node:worker_threads';
import {
  directoryNodeText,
  folderPacker,
  IGNORE_FILES,
  ignoreMatcher,
  NEVER_IN_TREE,
  patternMatcher,
} from '../../context/index.ts';
import { contentHasher } from './content-hasher.ts';
import { type CheckRequest, fileChecker } from './file-checker.ts';
import { fileReader, type ReadAnswer, type ReadRequest } from './file-reader.ts';
import { folderTaker, type TakeAnswer, type TakeRequest } from './folder-taker.ts';

// V8 trusts arrays of numbers until the first is handed over to another thread, and then translates what uses them again;
// so one is handed over before anything is translated.
const PROGRAM = `
  const { parentPort } = require('node:worker_threads');
  structuredClone(null, { transfer: [new ArrayBuffer(8)] });
  const hashOf = (${contentHasher.toString()})();
  const take = (${folderTaker.toString()})({
    hashOf,
    isLeftOut: (${ignoreMatcher.toString()})((${patternMatcher.toString()})()),
    packer: (${folderPacker.toString()})(),
    folderText: ${directoryNodeText.toString()},
    never: new Set(${JSON.stringify([...NEVER_IN_TREE])}),
    ignoreFiles: new Set(${JSON.stringify(IGNORE_FILES)}),
  });
  const read = (${fileReader.toString()})(hashOf);
  const check = (${fileChecker.toString()})();
  const layers = new Map();
  const work = {
    rules: ({ key, layers: own }) => { layers.set(key, own); return []; },
    take: (request) => {
      const answer = take({ ...request, layers: layers.get(request.rules) });
      return [answer, answer.records.buffer];
    },
    read: (request) => { const answer = read(request); return [answer, answer.stamps.buffer]; },
    check: (request) => [check(request)],
  };
  parentPort.on('message', ({ number, kind, request }) => {
    const [answer, ...moved] = work[kind](request);
    if (number !== undefined) parentPort.postMessage({ number, answer }, moved);
  });`;

/** A second core is of use; more would only wait for the one thread that puts everything together. */
const THREADS = 2;
/** So many requests are with a thread, so that it never waits; all others wait for whichever thread is the first. */
const WITH_A_THREAD = 2;

interface Waiting {
  readonly resolve: (answer: never) => void;
  readonly reject: (error: Error) => void;
}

/** Threads that take folders, read files and check them; they are started with the first requests. */
export class ScanThreads {
  readonly #threads: Thread[] = [];
  readonly #later: ((thread: Thread) => void)[] = [];

  get started(): boolean {
    return this.#threads.length > 0;
  }

  /** Starts one or all before there is anything to ask them, because that takes a while. */
  start(which: 'one' | 'all'): void {
    while (this.#threads.length < (which === 'one' ? 1 : THREADS)) this.#start();
  }

  take(request: TakeRequest): Promise<TakeAnswer> {
    return this.#ask((thread) => thread.take(request));
  }

  read(request: ReadRequest): Promise<ReadAnswer> {
    return this.#ask((thread) => thread.ask('read', request, request.stamps));
  }

  /** One thread is enough for this, because whoever asks does the same meanwhile. */
  check(request: CheckRequest): Promise<readonly number[]> {
    const thread = this.#threads[0] ?? this.#start();
    return thread.ask('check', request, request.stamps);
  }

  async close(): Promise<void> {
    await Promise.all(this.#threads.splice(0).map((thread) => thread.close()));
  }

  #ask<Answer>(ask: (thread: Thread) => Promise<Answer>): Promise<Answer> {
    return new Promise((resolve, reject) => {
      const begin = (thread: Thread): void => {
        const next = (): void => this.#later.shift()?.(thread);
        ask(thread).then(resolve, reject).finally(next);
      };
      const thread = this.#idlest();
      if (thread.waiting < WITH_A_THREAD) begin(thread);
      else this.#later.push(begin);
    });
  }

  #idlest(): Thread {
    const idle = this.#threads.find(({ waiting }) => waiting === 0);
    if (idle !== undefined) return idle;
    if (this.#threads.length < THREADS) return this.#start();
    return this.#threads.reduce((best, thread) => (thread.waiting < best.waiting ? thread : best));
  }

  #start(): Thread {
    const thread = new Thread();
    this.#threads.push(thread);
    return thread;
  }
}

class Thread {
  readonly #worker = new Worker(PROGRAM, { eval: true });
  readonly #waiting = new Map<number, Waiting>();
  /** The keys of the rules that it has. */
  readonly #rules = new Set<string>();
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

  take({ layers, ...request }: TakeRequest): Promise<TakeAnswer> {
    const key = request.rules;
    if (!this.#rules.has(key)) this.#worker.postMessage({ kind: 'rules', request: { key, layers } });
    this.#rules.add(key);
    return this.ask('take', request);
  }

  ask<Answer>(kind: 'take' | 'read' | 'check', request: object, moved?: Float64Array): Promise<Answer> {
    const number = this.#next++;
    return new Promise((resolve, reject) => {
      this.#waiting.set(number, { resolve, reject });
      const list = moved === undefined ? [] : [moved.buffer as ArrayBuffer];
      this.#worker.postMessage({ number, kind, request }, list);
    });
  }

  async close(): Promise<void> {
    await this.#worker.terminate();
  }
}
