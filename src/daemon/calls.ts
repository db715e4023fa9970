// Owns: carrying out calls that came from outside, and letting go of them when their callers want that. Does not own: how
// they arrive.
import {
  type CallBody,
  type CallLine,
  isServed,
  methodOf,
  type OkaApi,
  OkaError,
  OPERATIONS,
  unpackCall,
  type WireError,
} from '../api/index.ts';
import type { Json } from '../kernel/index.ts';

/** The calls that a daemon is carrying out. */
export class Calls {
  readonly #api: OkaApi;
  readonly #open = new Map<string, AbortController>();
  #onIdle: () => void = () => undefined;

  constructor(api: OkaApi) {
    this.#api = api;
  }

  get count(): number {
    return this.#open.size;
  }

  /** Carries a call out and tells what comes of it, line by line. Never throws: an error is the last line. */
  async answer(id: string, operation: string, body: unknown, tell: (line: CallLine) => void): Promise<void> {
    const controller = new AbortController();
    this.#open.set(id, controller);
    try {
      if (!isServed(operation)) throw unknownOperation(operation);
      const input = unpackCall(checked(body), {
        hear: (place, given) => tell({ heard: place, arguments: given }),
        signal: controller.signal,
      });
      const result = methodOf(this.#api, operation)(...input);
      if (OPERATIONS[operation] === 'items') {
        for await (const item of (await result) as AsyncIterable<Json>) {
          if (controller.signal.aborted) break;
          tell({ item });
        }
        tell({ done: true });
      } else {
        const answer = (await result) as Json | undefined;
        tell(answer === undefined ? { done: true } : { done: true, answer });
      }
    } catch (error) {
      tell({ error: toWire(error) });
    } finally {
      this.#open.delete(id);
      if (this.#open.size === 0) this.#onIdle();
    }
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
    this.#open.get(id)?.abort();
    return this.#open.has(id);
  }
}

/** What somebody sent as a call, if it is one. */
function checked(body: unknown): CallBody {
  const call = (body ?? {}) as Partial<CallBody>;
  const places = [call.listeners, call.signals, call.absent];
  const isList = (value: unknown): boolean =>
    Array.isArray(value) && value.every((place) => typeof place === 'string');
  if (Array.isArray(call.arguments) && places.every(isList)) return call as CallBody;
  throw new OkaError(
    'daemon.bad_call',
    'this is no call: it needs the lists arguments, listeners, signals and absent. See docs/formats/daemon.md.',
  );
}

function unknownOperation(operation: string): OkaError {
  return new OkaError(
    'daemon.bad_call',
    `the daemon knows no operation "${operation}"; a daemon of another version runs here if you use the oka command. Restart it with: oka down, then oka up.`,
    { data: { operation } },
  );
}

function toWire(error: unknown): WireError {
  if (error instanceof OkaError) return error.toJSON() as WireError;
  const { message, code, path } = error as NodeJS.ErrnoException;
  return {
    code: 'cli.unexpected',
    message: `something unexpected happened in the daemon: ${message}`,
    data: { ...(code ? { code } : {}), ...(path ? { path } : {}) },
  };
}
