import type { Readable, Writable } from 'node:stream';
import { StdioServerTransport, serveStdio } from '@modelcontextprotocol/server/stdio';
import type { McpConnection, ServerSource } from './offer-server.ts';

/** A longer message ends the conversation. */
const LONGEST_MESSAGE_BYTES = 4 * 1_048_576;

export interface StreamOptions {
  readonly input: Readable;
  readonly output: Writable;
  /** Ends the conversation. */
  readonly signal: AbortSignal;
  /** Learns of what cannot be told to the client, such as lines that are no messages. */
  readonly onTrouble: (what: string) => void;
}

/** Speaks with one client, a message on each line; resolves when either side is done. Writes nothing else to the output. */
export async function serveStreams(source: ServerSource, options: StreamOptions): Promise<void> {
  const transport = new EndingTransport(options.input, options.output);
  let current: McpConnection | undefined;
  const stop = source.onChange((change) => void current?.tell(change));
  const conversation = serveStdio(
    ({ era }) => {
      current = source.open(era);
      return current.server;
    },
    { transport, onerror: (error) => options.onTrouble(error.message) },
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

/** Says when it has ended, which whoever serves over it does not. */
class EndingTransport extends StdioServerTransport {
  readonly ended: Promise<void>;
  readonly #end: () => void;

  constructor(input: Readable, output: Writable) {
    super(input, output, { maxBufferSize: LONGEST_MESSAGE_BYTES });
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
