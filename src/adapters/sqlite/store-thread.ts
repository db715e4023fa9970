import type { Worker } from 'node:worker_threads';
import { eventTexts } from '../../ledger/index.ts';
import { INSERT_EVENT, insertEvent } from './event-rows.ts';
import { groupStorer } from './group-storer.ts';
import { CONNECTION_SETTINGS } from './open-database.ts';
import type { SqliteError } from './sqlite-error.ts';
import type { StoreAnswer, StoreRequest } from './store-request.ts';

// Names are known to be well-formed by now, so that JSON writes them as canonical JSON does.
const program = (): string => `
  const { hash } = require('node:crypto');
  const { parentPort, workerData } = require('node:worker_threads');
  const { DatabaseSync } = require(workerData.driver);
  const database = new DatabaseSync(workerData.file);
  database.exec(workerData.settings);
  const texts = (${eventTexts.toString()})((text) => hash('sha256', text), JSON.stringify);
  const insert = database.prepare(workerData.insert);
  const insertEvent = ${insertEvent.toString()};
  const store = (${groupStorer.toString()})(database, texts, (id, event) => insertEvent(insert, id, event));
  const told = ({ message, code, errcode, systemErrno }) => ({ message, code, errcode, systemErrno });
  parentPort.on('message', (request) => {
    if (request === null) {
      database.close();
      parentPort.close();
      return;
    }
    try {
      const answer = store(request);
      parentPort.postMessage({ answer }, [answer.lines.buffer]);
    } catch (error) {
      parentPort.postMessage({ error: told(error) });
    }
  });
  parentPort.postMessage({ ready: true });`;

/** It holds little but the group at hand. */
const MOST_YOUNG_MB = 4;

type Message =
  | { readonly ready: true }
  | { readonly answer: StoreAnswer }
  | { readonly error: Pick<SqliteError, 'message' | 'code' | 'errcode' | 'systemErrno'> };

interface Waiting {
  resolve(answer: StoreAnswer): void;
  reject(error: Error): void;
}

/** Seals and stores groups of events somewhere else, one group after the other. */
export interface GroupStore {
  /** False while it starts, and after it has ended. */
  readonly isReady: boolean;
  /**
   * Rejects with the driver's error when nothing was stored, with `StoreEnded` when nobody knows, and in a way that
   * `isNotFollowing` tells where the group before, which this one builds upon, was not stored.
   */
  store(request: StoreRequest): Promise<StoreAnswer>;
  close(): Promise<void>;
}

/** The thread has ended, and with it the knowledge whether the last group was stored. */
export class StoreEnded extends Error {}

/** True when the group before, which one builds upon, was not stored. */
export function isNotFollowing(error: unknown): boolean {
  // The thread's text can name nothing of ours, so it says this word itself.
  return (error as { readonly code?: string }).code === 'OKA_NOT_FOLLOWING';
}

/** Stands for a thread that could not be started. */
export const NO_THREAD: GroupStore = {
  isReady: false,
  store: () => Promise.reject(new StoreEnded('there is no thread that stores events')),
  close: () => Promise.resolve(),
};

/** Stores groups in a thread with a connection of its own. */
export class StoreThread implements GroupStore {
  readonly #worker: Worker;
  readonly #ended: Promise<void>;
  #state: 'starting' | 'ready' | 'ended' = 'starting';
  /** In the order in which they are answered. */
  readonly #waiting: Waiting[] = [];
  #closing = false;

  /** `onLost` hears why the thread has ended; nothing when it ends because it was closed. */
  constructor(file: string, onLost: (why: string) => void = () => undefined) {
    // Loaded here, because most commands never have that much to store.
    const { createRequire } = process.getBuiltinModule('node:module');
    const threads = process.getBuiltinModule('node:worker_threads');
    const driver = createRequire(import.meta.url).resolve('@photostructure/sqlite');
    const workerData = { driver, file, settings: CONNECTION_SETTINGS, insert: INSERT_EVENT };
    const resourceLimits = { maxYoungGenerationSizeMb: MOST_YOUNG_MB };
    this.#worker = new threads.Worker(program(), { eval: true, workerData, resourceLimits });
    this.#worker.unref();
    this.#worker.on('message', (message: Message) => this.#take(message));
    let why: string | undefined;
    // Whoever waits hears of it when the thread has let go of the database.
    this.#worker.on('error', ({ message }: Error) => {
      why = message;
    });
    this.#ended = new Promise((resolve) => {
      this.#worker.on('exit', () => {
        this.#state = 'ended';
        while (this.#waiting.length > 0) this.#settle()?.reject(ended());
        resolve();
        if (why !== undefined || !this.#closing) onLost(why ?? 'it ended');
      });
    });
  }

  get isReady(): boolean {
    return this.#state === 'ready';
  }

  store(request: StoreRequest): Promise<StoreAnswer> {
    if (this.#state === 'ended') return Promise.reject(ended());
    return new Promise((resolve, reject) => {
      this.#waiting.push({ resolve, reject });
      this.#worker.ref();
      this.#worker.postMessage(request);
    });
  }

  close(): Promise<void> {
    this.#closing = true;
    this.#worker.ref();
    this.#worker.postMessage(null);
    return this.#ended;
  }

  #take(message: Message): void {
    if ('ready' in message) this.#state = 'ready';
    else if ('answer' in message) this.#settle()?.resolve(message.answer);
    else this.#settle()?.reject(Object.assign(new Error(message.error.message), message.error));
  }

  /** Whoever has waited longest, if anybody. A thread that nobody waits for keeps no process alive. */
  #settle(): Waiting | undefined {
    const waiting = this.#waiting.shift();
    if (this.#waiting.length === 0) this.#worker.unref();
    return waiting;
  }
}

function ended(): StoreEnded {
  return new StoreEnded('the thread that stores events has ended');
}
