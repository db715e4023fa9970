import type { Readable, Writable } from 'node:stream';
import { StdioServerTransport, serveStdio } from '@modelcontextprotocol/server/stdio';
import type { McpConnection, ServerSource } from './offer-server.ts';

/** A longer message closes the connection. */
const MAX_MESSAGE_BYTES = 4 * 1_048_576;

export interface StreamOptions {
  readonly input: Readable;
  readonly output: Writable;
  /** Closes the connection. */
  readonly signal: AbortSignal;
  /** Receives problems that cannot be reported to the client, such as invalid lines. */
  readonly onWarning: (what: string) => void;
}

/** Serves one client with one message per line; resolves when either side closes. Writes nothing else to the output. */
export async function serveStreams(source: ServerSource, options: StreamOptions): Promise<void> {
  const transport = new EndingTransport(options.input, options.output);
  let current: McpConnection | undefined;
  const stop = source.onChange((change) => void current?.notify(change));
  const conversation = serveStdio(
    ({ era }) => {
      current = source.open(era);
      return current.server;
    },
    { transport, onerror: (error) => options.onWarning(error.message) },
  );
  const close = (): void => void conversation.close();
  options.signal.addEventListener('abort', close, { once: true });
  if (options.signal.aborted) close();
  try {
    await transport.ended;
  } finally {
    stop();
    options.signal.removeEventListener('abort', close);
    await conversation.close();
  }
}

/** Exposes its end, which the SDK does not. */
class EndingTransport extends StdioServerTransport {
  readonly ended: Promise<void>;
  readonly #end: () => void;

  constructor(input: Readable, output: Writable) {
    super(input, output, { maxBufferSize: MAX_MESSAGE_BYTES });
    let end = (): void => undefined;
    this.ended = new Promise((resolve) => {
      end = resolve;
    });
    this.#end = end;
  }

  override async close(): Promise<void> {
    await super.close();
    this.#end();
  }
}
