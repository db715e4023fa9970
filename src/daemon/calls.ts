// Owns: executing calls of clients and cancelling them. Does not own: the transport.
import { setMaxListeners } from 'node:events';
import {
  type CallBody,
  type CallLine,
  callOperation,
  checkCall,
  explainSystemError,
  isServed,
  type OkaApi,
  OkaError,
  OPERATIONS,
  type OperationName,
  unpackCall,
  type Warning,
  type WireError,
} from '../api/index.ts';
import { isTooDeep, type Json } from '../kernel/index.ts';

/** Sends one line; resolves when the client has read enough to continue. */
export type SendLine = (line: CallLine) => Promise<void>;

/** More than any correct client needs. */
const MAX_CALLS = 1_000;

interface OpenCall {
  readonly controller: AbortController;
  /** Streams items while the client listens; ending early loses nothing. */
  readonly isListening: boolean;
}

/** The calls that a daemon is executing. */
export class Calls {
  readonly #api: OkaApi;
  readonly #before: () => Promise<void>;
  readonly #open = new Map<string, OpenCall>();
  #counter = 0;
  #onIdle: () => void = () => undefined;

  /** `before` runs before each call; if it fails, the call fails. */
  constructor(api: OkaApi, before: () => Promise<void> = async () => undefined) {
    this.#api = api;
    this.#before = before;
  }

  get count(): number {
    return this.#open.size;
  }

  /** Executes a call and sends its results line by line. Never throws: an error is the last line. */
  async answer(id: string, operation: string, body: unknown, send: SendLine): Promise<void> {
    const controller = new AbortController();
    // Every child run adds a listener; Node warns about a leak above ten.
    setMaxListeners(0, controller.signal);
    const isListening = isServed(operation) && OPERATIONS[operation].kind === 'items';
    const refusal = this.#refusal(id, operation);
    if (refusal !== undefined) return send({ error: toWire(refusal) });
    this.#open.set(id, { controller, isListening });
    try {
      await this.#before();
      const call = parseCall(body);
      await checkCall(operation as OperationName, call);
      const input = unpackCall(call, {
        onCall: (place, given) => void send({ heard: place, arguments: given }),
        signal: controller.signal,
      });
      const warn = (warning: Warning): void => void send({ warning });
      const result = callOperation(this.#api, operation as OperationName, input, { warn });
      if (isListening) {
        await sendItems((await result) as AsyncIterable<Json>, controller.signal, send);
        const last = send({ done: true });
        // A cancelled client may have stopped reading.
        if (!controller.signal.aborted) await last;
      } else {
        const answer = (await result) as Json | undefined;
        await send(answer === undefined ? { done: true } : { done: true, answer });
      }
    } catch (error) {
      await send({ error: toWire(error) });
    } finally {
      this.#open.delete(id);
      if (this.#open.size === 0) this.#onIdle();
    }
  }

  /**
   * Executes an operation for a face that has checked its input. Also operations of the kind `here`: the daemon is a process
   * of the same user. Counted, so that a shutdown waits for it.
   */
  async run(
    operation: OperationName,
    input: readonly unknown[],
    warn?: (warning: Warning) => void,
  ): Promise<unknown> {
    if (this.#open.size >= MAX_CALLS)
      throw new OkaError('http.too_many_calls', `${MAX_CALLS} calls are already running. Try again later.`, {
        transient: true,
      });
    const id = `http-${++this.#counter}`;
    this.#open.set(id, { controller: new AbortController(), isListening: false });
    try {
      await this.#before();
      return await callOperation(this.#api, operation, input, warn && { warn });
    } finally {
      this.#open.delete(id);
      if (this.#open.size === 0) this.#onIdle();
    }
  }

  #refusal(id: string, operation: string): OkaError | undefined {
    if (!isServed(operation)) return unknownOperation(operation);
    if (this.#open.has(id))
      return badCall(`A call with the id ${id} is already running. Use a unique id for each call.`);
    if (this.#open.size < MAX_CALLS) return undefined;
    return badCall(`${MAX_CALLS} calls are already running. Wait until some have finished.`);
  }

  /** Resolves when every call has finished. */
  async idle(): Promise<void> {
    if (this.#open.size === 0) return;
    await new Promise<void>((resolve) => {
      this.#onIdle = resolve;
    });
  }

  /** Cancels a call at its next boundary; it still sends its last line. Returns false for an unknown call. */
  cancel(id: string): boolean {
    this.#open.get(id)?.controller.abort();
    return this.#open.has(id);
  }

  /** The client disconnected: cancels a call that only listens; other calls still finish. */
  disconnect(id: string): void {
    const call = this.#open.get(id);
    if (call?.isListening) call.controller.abort();
  }

  /** Cancels all calls that only listen. */
  stopListening(): void {
    for (const id of this.#open.keys()) this.disconnect(id);
  }
}

/** Sends items one by one; stops immediately when cancelled, even while waiting for the next item. */
async function sendItems(items: AsyncIterable<Json>, signal: AbortSignal, send: SendLine): Promise<void> {
  const iterator = items[Symbol.asyncIterator]();
  const stopped = new Promise<{ readonly done: true; readonly value: undefined }>((resolve) => {
    signal.addEventListener('abort', () => resolve({ done: true, value: undefined }));
  });
  for (;;) {
    if (signal.aborted) break;
    const next = await Promise.race([iterator.next(), stopped]);
    if (next.done) break;
    await Promise.race([send({ item: next.value }), stopped]);
  }
  if (!signal.aborted) return;
  // A pending next() ends when the workspace is closed.
  void iterator.return?.().then(undefined, () => undefined);
}

/** Validates the body of a call. */
function parseCall(body: unknown): CallBody {
  if (isTooDeep(body))
    throw badCall('Invalid call: its JSON is nested deeper than 1,000 levels. Send it with fewer levels.');
  const call = (body ?? {}) as Partial<CallBody>;
  const places = [call.listeners, call.signals, call.absent];
  const isList = (value: unknown): boolean =>
    Array.isArray(value) && value.every((place) => typeof place === 'string');
  if (Array.isArray(call.arguments) && places.every(isList)) return call as CallBody;
  throw badCall(
    'Invalid call: it needs the lists arguments, listeners, signals and absent. See docs/formats/daemon.md.',
  );
}

function badCall(message: string): OkaError {
  return new OkaError('daemon.bad_call', message);
}

function unknownOperation(operation: string): OkaError {
  return new OkaError(
    'daemon.bad_call',
    `The daemon has no operation "${operation}". It probably runs another version. Restart it with: oka down, then oka up.`,
    { data: { operation } },
  );
}

function toWire(error: unknown): WireError {
  const known = error instanceof OkaError ? error : explainSystemError(error);
  if (known) return known.toJSON() as WireError;
  const { message, code, path } = error as NodeJS.ErrnoException;
  return {
    code: 'cli.unexpected',
    message: `Unexpected error in the daemon: ${message}`,
    data: { ...(code ? { code } : {}), ...(path ? { path } : {}) },
  };
}
