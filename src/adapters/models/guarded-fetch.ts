import { type Clock, isOkaError } from '../../kernel/index.ts';
import { modelError } from '../../models/index.ts';
import { memberOf, readJson } from './read-json.ts';
import type { StreamEnd } from './stream-end.ts';

interface Guards {
  /** The underlying fetch. */
  readonly fetch: typeof fetch;
  readonly clock: Clock;
  /** The maximum time without a byte. */
  readonly quietMs: number;
  /** Detects the end of a streamed answer. */
  readonly streamEnd: () => StreamEnd;
  /** The provider, for error messages. */
  readonly who: string;
}

/**
 * Wraps `fetch` with three rules: a silent server times out, a streamed answer that ends before its end mark is an error, and
 * redirects are not followed, because they would receive the keys. Data after the end mark is ignored; lines are passed on whole.
 */
export function guardedFetch(guards: Guards): typeof fetch {
  return async (input, init) => {
    const silence = new SilenceLimit(guards);
    const signals = [init?.signal, silence.signal].filter((signal) => signal instanceof AbortSignal);
    try {
      const ask = { ...init, signal: AbortSignal.any(signals), redirect: 'manual' } as const;
      const response = await guards.fetch(input, ask);
      const { body, status, statusText, headers } = response;
      if (!body) {
        silence.end();
        return response;
      }
      const end = response.ok && asksForStream(init) ? guards.streamEnd() : undefined;
      const watched = end
        ? lineStream(body.getReader(), silence, end, guards.who)
        : bodyStream(body.getReader(), silence);
      return new Response(watched, { status, statusText, headers: [...headers] });
    } catch (error) {
      silence.end();
      throw error;
    }
  };
}

function asksForStream(init: RequestInit | undefined): boolean {
  return typeof init?.body === 'string' && memberOf(readJson(init.body), 'stream') === true;
}

const MAX_DRAIN_MS = 1_000;

type Bytes = ReadableStreamDefaultReader<Uint8Array>;

/** Aborts after too long a silence. */
class SilenceLimit {
  readonly #controller = new AbortController();
  readonly #guards: Guards;
  #cancel: () => void = () => undefined;

  constructor(guards: Guards) {
    this.#guards = guards;
    this.reset();
  }

  get signal(): AbortSignal {
    return this.#controller.signal;
  }

  reset(): void {
    const { clock, quietMs, who } = this.#guards;
    this.#cancel();
    const onSilence = (): void =>
      this.#controller.abort(
        modelError(
          'models.request_failed',
          `${who} was silent for ${quietMs / 1_000} seconds. Try again, or increase "timeout_seconds" of the model.`,
        ),
      );
    this.#cancel = clock.callAt(clock.now() + quietMs, onSilence);
  }

  end(): void {
    this.#cancel();
  }

  /** Reads the rest so that the connection can be reused; cancels it after a while. */
  async drain(reader: Bytes): Promise<void> {
    this.end();
    const giveUp = (): void => void reader.cancel().catch(() => undefined);
    const { clock } = this.#guards;
    this.#cancel = clock.callAt(clock.now() + MAX_DRAIN_MS, giveUp, { background: true });
    try {
      while (!(await reader.read()).done);
    } catch {
      // The answer is complete; how the connection ends does not matter.
    } finally {
      this.end();
    }
  }
}

/** What to pass on next; undefined at the end of the body. `isLast` marks the end of the answer. */
type NextPart = () => Promise<{ readonly part: Uint8Array; readonly isLast: boolean } | undefined>;

/** Passes parts on until the answer ends; a failure is reported with its cause. */
function watchedStream(
  reader: Bytes,
  silence: SilenceLimit,
  next: NextPart,
  failureOf: (error: unknown) => unknown,
): ReadableStream<Uint8Array> {
  silence.reset();
  return new ReadableStream({
    async pull(controller) {
      try {
        const found = await next();
        if (found === undefined) silence.end();
        else controller.enqueue(found.part);
        if (found?.isLast === false) return;
        controller.close();
        if (found !== undefined) void silence.drain(reader);
      } catch (error) {
        silence.end();
        controller.error(silence.signal.aborted ? silence.signal.reason : failureOf(error));
        await reader.cancel().catch(() => undefined);
      }
    },
    cancel(reason) {
      silence.end();
      return reader.cancel(reason);
    },
  });
}

function bodyStream(reader: Bytes, silence: SilenceLimit): ReadableStream<Uint8Array> {
  const next: NextPart = async () => {
    const { done, value } = await reader.read();
    if (done) return undefined;
    silence.reset();
    return { part: value, isLast: false };
  };
  return watchedStream(reader, silence, next, (error) => error);
}

/** Passes whole lines on until the end mark; an earlier end is an error. */
function lineStream(
  reader: Bytes,
  silence: SilenceLimit,
  isEnd: StreamEnd,
  who: string,
): ReadableStream<Uint8Array> {
  const decoder = new TextDecoder();
  const encoder = new TextEncoder();
  const cut = (): Error => modelError('models.stream_cut', `The answer of ${who} was cut off. Try again.`);
  let rest = '';
  const next: NextPart = async () => {
    for (;;) {
      const { done, value } = await reader.read();
      if (done) throw cut();
      silence.reset();
      const lines = (rest + decoder.decode(value, { stream: true })).split('\n');
      rest = lines.pop() ?? '';
      const endAt = lines.findIndex((line) => isEnd(line.replace(/\r$/, '')));
      const whole = endAt === -1 ? lines : lines.slice(0, endAt + 1);
      if (whole.length > 0) return { part: encoder.encode(`${whole.join('\n')}\n`), isLast: endAt !== -1 };
    }
  };
  return watchedStream(reader, silence, next, (error) => (isOkaError(error) ? error : cut()));
}
