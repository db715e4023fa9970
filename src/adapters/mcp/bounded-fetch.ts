import type { FetchLike } from '@modelcontextprotocol/client';

const LINE_END = 10;
const CARRIAGE_RETURN = 13;

/**
 * Fetches with a limit on what is held in memory at once: a whole body, or one event of a stream of events. Streams may
 * go on for as long as they like.
 */
export function boundedFetch(largestBytes: number, onTooLarge: (error: Error) => void): FetchLike {
  return async (url, init) => {
    const response = await fetch(url, init);
    if (response.body === null) return response;
    const isStream = response.headers.get('content-type')?.startsWith('text/event-stream') ?? false;
    const body = response.body.pipeThrough(limit(largestBytes, isStream, onTooLarge));
    const { status, statusText, headers } = response;
    return new Response(body, { status, statusText, headers });
  };
}

function limit(
  largestBytes: number,
  isStream: boolean,
  onTooLarge: (error: Error) => void,
): TransformStream<Uint8Array, Uint8Array> {
  let held = 0;
  let isLineEmpty = false;
  const count = (chunk: Uint8Array): void => {
    if (!isStream) {
      held += chunk.length;
      return;
    }
    for (const byte of chunk) {
      held += 1;
      if (byte === LINE_END) {
        if (isLineEmpty) held = 0;
        isLineEmpty = true;
      } else if (byte !== CARRIAGE_RETURN) isLineEmpty = false;
      if (held > largestBytes) return;
    }
  };
  return new TransformStream({
    transform(chunk, controller) {
      count(chunk);
      if (held <= largestBytes) {
        controller.enqueue(chunk);
        return;
      }
      const error = new Error(`a message is larger than ${largestBytes} bytes`);
      onTooLarge(error);
      throw error;
    },
  });
}
