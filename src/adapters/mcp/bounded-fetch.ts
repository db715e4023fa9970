import type { FetchLike } from '@modelcontextprotocol/client';

const LINE_END = 10;
const CARRIAGE_RETURN = 13;

/** Fetches with a memory limit: for a whole body, or for one event of an event stream. Streams may be of any length. */
export function boundedFetch(maxBytes: number, onTooLarge: (error: Error) => void): FetchLike {
  return async (url, init) => {
    const response = await fetch(url, init);
    if (response.body === null) return response;
    const isStream = response.headers.get('content-type')?.startsWith('text/event-stream') ?? false;
    const body = response.body.pipeThrough(limit(maxBytes, isStream, onTooLarge));
    const { status, statusText, headers } = response;
    return new Response(body, { status, statusText, headers });
  };
}

function limit(
  maxBytes: number,
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
      if (held > maxBytes) return;
    }
  };
  return new TransformStream({
    transform(chunk, controller) {
      count(chunk);
      if (held <= maxBytes) {
        controller.enqueue(chunk);
        return;
      }
      const error = new Error(`a message is larger than ${maxBytes} bytes`);
      onTooLarge(error);
      throw error;
    },
  });
}
