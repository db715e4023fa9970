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

/** What can be asked of a thread, and what it answers. */
interface Work {
  take: { readonly request: TakeRequest; readonly answer: TakeAnswer };
  read: { readonly request: ReadRequest; readonly answer: ReadAnswer };
  check: { readonly request: CheckRequest; readonly answer: readonly number[] };
}

interface ScanThreadsOptions {
  /** Hears, once, that the work is done in this thread because another could not be started or has ended. */
  readonly onWarning?: (message: string) => void;
  readonly startWorker?: () => Worker;
}

/**
 * Threads that take folders, read files and check them; they are started with the first requests. Where one cannot be
 * started or ends early, what was asked of it is done in this thread.
 */
export class ScanThreads {
  readonly #options: ScanThreadsOptions;
  readonly #threads: Thread[] = [];
  readonly #later: ((thread: Thread) => void)[] = [];
  #isLost = false;
  #isClosed = false;
  #here:
    | { readonly [kind in keyof Work]: (request: Work[kind]['request']) => Work[kind]['answer'] }
    | undefined;

  constructor(options: ScanThreadsOptions = {}) {
    this.#options = options;
  }

  get started(): boolean {
    return this.#threads.length > 0;
  }

  /** Starts one or all before there is anything to ask them, because that takes a while. */
  start(which: 'one' | 'all'): void {
    while (!this.#isLost && this.#threads.length < (which === 'one' ? 1 : THREADS)) this.#start();
  }

  take(request: TakeRequest): Promise<TakeAnswer> {
    return this.#ask('take', request);
  }

  read(request: ReadRequest): Promise<ReadAnswer> {
    return this.#ask('read', request);
  }

  /** One thread is enough for this, because whoever asks does the same meanwhile. */
  check(request: CheckRequest): Promise<readonly number[]> {
    return this.#askOf(this.#threads[0] ?? this.#start(), 'check', request);
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    await Promise.all(this.#threads.splice(0).map((thread) => thread.close()));
  }

  #ask<Kind extends keyof Work>(kind: Kind, request: Work[Kind]['request']): Promise<Work[Kind]['answer']> {
    return new Promise((resolve, reject) => {
      const begin = (thread: Thread | undefined): void => {
        const next = (): void => (thread === undefined ? undefined : this.#later.shift()?.(thread));
        this.#askOf(thread, kind, request).then(resolve, reject).finally(next);
      };
      const thread = this.#idlest();
      if (thread === undefined || thread.waiting < WITH_A_THREAD) begin(thread);
      else this.#later.push(begin);
    });
  }

  async #askOf<Kind extends keyof Work>(
    thread: Thread | undefined,
    kind: Kind,
    request: Work[Kind]['request'],
  ): Promise<Work[Kind]['answer']> {
    if (thread !== undefined && !thread.hasEnded) {
      try {
        return await thread.ask(kind, request);
      } catch (error) {
        if (this.#isClosed) throw error;
        this.#lose((error as Error).message);
      }
    }
    return this.#doHere(kind, request);
  }

  #doHere<Kind extends keyof Work>(kind: Kind, request: Work[Kind]['request']): Work[Kind]['answer'] {
    this.#here ??= workHere();
    return this.#here[kind](request);
  }

  /** Undefined where no thread can be started. */
  #idlest(): Thread | undefined {
    const idle = this.#threads.find(({ waiting }) => waiting === 0);
    if (idle !== undefined) return idle;
    if (this.#threads.length < THREADS) return this.#start();
    return this.#threads.reduce((best, thread) => (thread.waiting < best.waiting ? thread : best));
  }

  #start(): Thread | undefined {
    if (this.#isLost) return undefined;
    try {
      const { startWorker = () => new Worker(PROGRAM, { eval: true }) } = this.#options;
      const thread = new Thread(startWorker());
      this.#threads.push(thread);
      return thread;
    } catch (error) {
      this.#lose((error as Error).message);
      return undefined;
    }
  }

  #lose(why: string): void {
    if (this.#isLost) return;
    this.#isLost = true;
    this.#options.onWarning?.(
      `A thread that scans files is missing (${why}); the main thread does its work, which is slower.`,
    );
  }
}

/** What the program of a thread does, in this one. */
function workHere(): {
  readonly [kind in keyof Work]: (request: Work[kind]['request']) => Work[kind]['answer'];
} {
  const hashOf = contentHasher();
  return {
    take: folderTaker({
      hashOf,
      isLeftOut: ignoreMatcher(patternMatcher()),
      packer: folderPacker(),
      folderText: directoryNodeText,
      never: new Set(NEVER_IN_TREE),
      ignoreFiles: new Set(IGNORE_FILES),
    }),
    read: fileReader(hashOf),
    check: fileChecker(),
  };
}

class Thread {
  readonly #worker: Worker;
  readonly #waiting = new Map<number, Waiting>();
  /** The keys of the rules that it has. */
  readonly #rules = new Set<string>();
  #next = 0;
  #hasEnded = false;

  constructor(worker: Worker) {
    this.#worker = worker;
    this.#worker.on('message', ({ number, answer }: { number: number; answer: never }) => {
      this.#waiting.get(number)?.resolve(answer);
      this.#waiting.delete(number);
    });
    const fail = (error: Error): void => {
      this.#hasEnded = true;
      for (const { reject } of this.#waiting.values()) reject(error);
      this.#waiting.clear();
    };
    this.#worker.on('error', fail);
    this.#worker.on('exit', () => fail(new Error('it has ended')));
  }

  get waiting(): number {
    return this.#waiting.size;
  }

  /** Nothing that is asked of it from then on is answered. */
  get hasEnded(): boolean {
    return this.#hasEnded;
  }

  ask<Kind extends keyof Work>(kind: Kind, request: Work[Kind]['request']): Promise<Work[Kind]['answer']> {
    const number = this.#next++;
    return new Promise((resolve, reject) => {
      this.#waiting.set(number, { resolve, reject });
      // A copy moves, so that the request can be carried out here when the thread ends.
      const stamps = 'stamps' in request ? request.stamps.slice() : undefined;
      const sent = 'layers' in request ? this.#withoutRules(request) : { ...request, stamps };
      this.#worker.postMessage({ number, kind, request: sent }, stamps === undefined ? [] : [stamps.buffer]);
    });
  }

  async close(): Promise<void> {
    await this.#worker.terminate();
  }

  /** Tells the thread the rules that it does not have yet. */
  #withoutRules({ layers, ...request }: TakeRequest): Omit<TakeRequest, 'layers'> {
    const key = request.rules;
    if (!this.#rules.has(key)) this.#worker.postMessage({ kind: 'rules', request: { key, layers } });
    this.#rules.add(key);
    return request;
  }
}
