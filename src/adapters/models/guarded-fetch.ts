import { type Clock, isOkaError } from '../../kernel/index.ts';
import { modelError } from '../../models/index.ts';
import { type CallLimits, CallWatch, maxPartBytes, tooLarge } from './call-limits.ts';
import { memberOf, readJson } from './read-json.ts';
import type { StreamEnd } from './stream-end.ts';

interface Guards {
  /** The underlying fetch. */
  readonly fetch: typeof fetch;
  readonly clock: Clock;
  readonly limits: CallLimits;
  /** Detects the end of a streamed answer. */
  readonly streamEnd: () => StreamEnd;
  /** The provider, for error messages. */
  readonly who: string;
}

/**
 * Wraps `fetch` with these rules: a call has a time limit and an answer has a size limit, a streamed answer that ends before its
 * end mark is an error, and redirects are not followed, because they would receive the keys. Data after the end mark is ignored;
 * lines are passed on whole.
 */
export function guardedFetch(guards: Guards): typeof fetch {
  return async (input, init) => {
    const watch = new CallWatch(guards.clock, guards.limits, guards.who);
    const signals = [init?.signal, watch.signal].filter((signal) => signal instanceof AbortSignal);
    try {
      const ask = { ...init, signal: AbortSignal.any(signals), redirect: 'manual' } as const;
      const response = await guards.fetch(input, ask);
      const { body, status, statusText, headers } = response;
      if (!body) {
        watch.end();
        return response;
      }
      const end = response.ok && asksForStream(init) ? guards.streamEnd() : undefined;
      const reader = body.getReader();
      const read = response.ok
        ? end
          ? wholeLines(reader, watch, end, guards)
          : wholeBody(reader, watch, guards)
        : startOfBody(reader, watch);
      const watched = watchedStream(reader, watch, read, guards.clock);
      return new Response(watched, { status, statusText, headers: [...headers] });
    } catch (error) {
      watch.end();
      throw watch.signal.aborted ? watch.signal.reason : error;
    }
  };
}

function asksForStream(init: RequestInit | undefined): boolean {
  return typeof init?.body === 'string' && memberOf(readJson(init.body), 'stream') === true;
}

type Bytes = ReadableStreamDefaultReader<Uint8Array>;

/** Reads what to pass on next; undefined at the end of the body. `isLast` marks the end of the answer. */
type ReadPart = () => Promise<{ readonly part: Uint8Array; readonly isLast: boolean } | undefined>;

/** Passes parts on until the answer ends. A part is read only when the consumer asks for it, so a server cannot flood it. */
function watchedStream(
  reader: Bytes,
  watch: CallWatch,
  read: ReadPart,
  clock: Clock,
): ReadableStream<Uint8Array> {
  return new ReadableStream({
    async pull(controller) {
      try {
        const found = await read();
        if (found === undefined) watch.end();
        else controller.enqueue(found.part);
        if (found?.isLast === false) return;
        controller.close();
        watch.end();
        if (found !== undefined) void drain(reader, clock);
      } catch (error) {
        watch.end();
        controller.error(watch.signal.aborted ? watch.signal.reason : error);
        await reader.cancel().catch(() => undefined);
      }
    },
    cancel(reason) {
      watch.end();
      return reader.cancel(reason);
    },
  });
}

const MAX_DRAIN_MS = 1_000;
const MAX_DRAIN_BYTES = 64 * 1024;

/** Reads the rest so that the connection can be reused; closes it when the rest is long or late. */
async function drain(reader: Bytes, clock: Clock): Promise<void> {
  const giveUp = (): void => void reader.cancel().catch(() => undefined);
  const cancelTimer = clock.callAt(clock.now() + MAX_DRAIN_MS, giveUp, { background: true });
  try {
    let left = MAX_DRAIN_BYTES;
    for (let more = await reader.read(); !more.done && left > 0; more = await reader.read())
      left -= more.value.length;
    if (left <= 0) giveUp();
  } catch {
    // The answer is complete; how the connection ends does not matter.
  } finally {
    cancelTimer();
  }
}

const MAX_ERROR_BYTES = 64 * 1024;

/** The start of an error's body. Its status and first words say enough, so a longer one is cut. */
function startOfBody(reader: Bytes, watch: CallWatch): ReadPart {
  let left = MAX_ERROR_BYTES;
  return async () => {
    const { done, value } = await reader.read();
    if (done) return undefined;
    watch.received(value.length);
    const part = value.subarray(0, left);
    left -= part.length;
    return { part, isLast: left === 0 };
  };
}

function wholeBody(reader: Bytes, watch: CallWatch, { limits, who }: Guards): ReadPart {
  const limit = maxPartBytes(limits);
  let bytes = 0;
  return async () => {
    const { done, value } = await reader.read();
    if (done) return undefined;
    watch.received(value.length);
    bytes += value.length;
    if (bytes > limit) throw tooLarge(who, 'an answer in one piece', limit);
    return { part: value, isLast: false };
  };
}

const LINE_END = 0x0a;

/** Reads whole lines until the end mark; an earlier end is an error. */
function wholeLines(reader: Bytes, watch: CallWatch, isEnd: StreamEnd, { limits, who }: Guards): ReadPart {
  const decoder = new TextDecoder();
  const encoder = new TextEncoder();
  const cut = (): Error =>
    modelError('models.stream_cut', `The connection to ${who} ended in the middle of its answer. Try again.`);
  const limit = maxPartBytes(limits);
  /** The pieces of the line that has not ended yet, and their size. */
  let pieces: string[] = [];
  let lineBytes = 0;
  const next = async (): ReturnType<ReadPart> => {
    for (;;) {
      const { done, value } = await reader.read();
      if (done) throw cut();
      watch.received(value.length);
      const lastEnd = value.lastIndexOf(LINE_END);
      lineBytes = lastEnd === -1 ? lineBytes + value.length : value.length - lastEnd - 1;
      if (lineBytes > limit) throw tooLarge(who, 'a line', limit);
      pieces.push(decoder.decode(value, { stream: true }));
      if (lastEnd === -1) continue;
      const lines = pieces.join('').split('\n');
      pieces = [lines.pop() ?? ''];
      const endAt = lines.findIndex((line) => isEnd(line.replace(/\r$/, '')));
      const whole = endAt === -1 ? lines : lines.slice(0, endAt + 1);
      return { part: encoder.encode(`${whole.join('\n')}\n`), isLast: endAt !== -1 };
    }
  };
  return () =>
    next().catch((error: unknown) => {
      throw isOkaError(error) ? error : cut();
    });
}
