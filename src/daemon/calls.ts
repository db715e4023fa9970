// Owns: carrying out calls that came from outside, and letting go of them when their callers want that. Does not own: how
// they arrive.
import { setMaxListeners } from 'node:events';
import {
  type CallBody,
  type CallLine,
  checkCall,
  explainSystemError,
  isServed,
  methodOf,
  type OkaApi,
  OkaError,
  OPERATIONS,
  type OperationName,
  unpackCall,
  type WireError,
} from '../api/index.ts';
import type { Json } from '../kernel/index.ts';

/** Tells one line; waits while whoever asked does not listen fast enough. */
export type Tell = (line: CallLine) => Promise<void>;

/** More calls at once than any person has; whoever makes more has gone wrong. */
const MOST_CALLS = 1_000;

interface OpenCall {
  readonly controller: AbortController;
  /** Gives items for as long as somebody wants them; nothing is lost when it ends early. */
  readonly isListening: boolean;
}

/** The calls that a daemon is carrying out. */
export class Calls {
  readonly #api: OkaApi;
  readonly #before: () => Promise<void>;
  readonly #open = new Map<string, OpenCall>();
  #onIdle: () => void = () => undefined;

  /** `before` comes before each call; where it fails, the call does. */
  constructor(api: OkaApi, before: () => Promise<void> = async () => undefined) {
    this.#api = api;
    this.#before = before;
  }

  get count(): number {
    return this.#open.size;
  }

  /** Carries a call out and tells what comes of it, line by line. Never throws: an error is the last line. */
  async answer(id: string, operation: string, body: unknown, tell: Tell): Promise<void> {
    const controller = new AbortController();
    // Every child run listens to it; Node takes more than ten listeners for a leak and prints a warning.
    setMaxListeners(0, controller.signal);
    const isListening = isServed(operation) && OPERATIONS[operation] === 'items';
    const refusal = this.#refusal(id, operation);
    if (refusal !== undefined) return tell({ error: toWire(refusal) });
    this.#open.set(id, { controller, isListening });
    try {
      await this.#before();
      const call = checked(body);
      await checkCall(operation as OperationName, call);
      const input = unpackCall(call, {
        hear: (place, given) => void tell({ heard: place, arguments: given }),
        signal: controller.signal,
      });
      const result = methodOf(this.#api, operation as OperationName)(...input);
      if (isListening) {
        await tellItems((await result) as AsyncIterable<Json>, controller.signal, tell);
        const last = tell({ done: true });
        // Whoever was let go may not read any more.
        if (!controller.signal.aborted) await last;
      } else {
        const answer = (await result) as Json | undefined;
        await tell(answer === undefined ? { done: true } : { done: true, answer });
      }
    } catch (error) {
      await tell({ error: toWire(error) });
    } finally {
      this.#open.delete(id);
      if (this.#open.size === 0) this.#onIdle();
    }
  }

  #refusal(id: string, operation: string): OkaError | undefined {
    if (!isServed(operation)) return unknownOperation(operation);
    if (this.#open.has(id)) return badCall(`a call with the id ${id} is under way; give each its own.`);
    if (this.#open.size < MOST_CALLS) return undefined;
    return badCall(`${MOST_CALLS} calls are under way already; wait until some have been answered.`);
  }

  /** Resolves when every call has been answered. */
  async idle(): Promise<void> {
    if (this.#open.size === 0) return;
    await new Promise<void>((resolve) => {
      this.#onIdle = resolve;
    });
  }

  /** Lets go of a call at its next boundary; it still answers. False when there is no such call. */
  letGo(id: string): boolean {
    this.#open.get(id)?.controller.abort();
    return this.#open.has(id);
  }

  /** Nobody hears this call any more. Whoever only listened is let go; what was to be done is still done. */
  unheard(id: string): void {
    const call = this.#open.get(id);
    if (call?.isListening) call.controller.abort();
  }

  /** Lets go of everybody who only listens. */
  stopListening(): void {
    for (const id of this.#open.keys()) this.unheard(id);
  }
}

/** Tells one item after the other; stops at once when nobody wants more, also where the next is long in coming. */
async function tellItems(items: AsyncIterable<Json>, signal: AbortSignal, tell: Tell): Promise<void> {
  const iterator = items[Symbol.asyncIterator]();
  const stopped = new Promise<{ readonly done: true; readonly value: undefined }>((resolve) => {
    signal.addEventListener('abort', () => resolve({ done: true, value: undefined }));
  });
  for (;;) {
    if (signal.aborted) break;
    const next = await Promise.race([iterator.next(), stopped]);
    if (next.done) break;
    await Promise.race([tell({ item: next.value }), stopped]);
  }
  if (!signal.aborted) return;
  // What waits inside for its next item ends when the workspace is closed.
  void iterator.return?.().then(undefined, () => undefined);
}

/** What somebody sent as a call, if it is one. */
function checked(body: unknown): CallBody {
  const call = (body ?? {}) as Partial<CallBody>;
  const places = [call.listeners, call.signals, call.absent];
  const isList = (value: unknown): boolean =>
    Array.isArray(value) && value.every((place) => typeof place === 'string');
  if (Array.isArray(call.arguments) && places.every(isList)) return call as CallBody;
  throw badCall(
    'this is no call: it needs the lists arguments, listeners, signals and absent. See docs/formats/daemon.md.',
  );
}

function badCall(message: string): OkaError {
  return new OkaError('daemon.bad_call', message);
}

function unknownOperation(operation: string): OkaError {
  return new OkaError(
    'daemon.bad_call',
    `the daemon knows no operation "${operation}"; a daemon of another version runs here if you use the oka command. Restart it with: oka down, then oka up.`,
    { data: { operation } },
  );
}

function toWire(error: unknown): WireError {
  const told = error instanceof OkaError ? error : explainSystemError(error);
  if (told) return told.toJSON() as WireError;
  const { message, code, path } = error as NodeJS.ErrnoException;
  return {
    code: 'cli.unexpected',
    message: `something unexpected happened in the daemon: ${message}`,
    data: { ...(code ? { code } : {}), ...(path ? { path } : {}) },
  };
}
