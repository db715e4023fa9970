// Calls a worker as Restate does, without Restate: a start message and an input on one stream of HTTP/2. It reads the answer up
// to the first message that tells whether the handler was refused or began to work.
import { type ClientHttp2Session, connect } from 'node:http2';

const INVOCATION = 'application/vnd.restate.invocation.v5';
const MANIFEST = ['v4', 'v3', 'v2'].map((one) => `application/vnd.restate.endpointmanifest.${one}+json`);
const [START, ERROR, PROPOSE_RUN, INPUT, OUTPUT] = [0x0000, 0x0002, 0x0005, 0x0400, 0x0401] as const;

export interface WorkerCall {
  readonly path: string;
  readonly key: string;
  readonly invocation: string;
  /** Of the request: what Restate sends with each one. */
  readonly requestHeaders: Readonly<Record<string, string>>;
  /** Of the call: what its caller sent. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Uint8Array;
}

export interface WorkerAnswer {
  readonly status: number;
  /** What the handler answered or failed with; undefined if it began to work. */
  readonly said?: string;
}

export class RestateCaller {
  readonly #session: ClientHttp2Session;

  constructor(url: string) {
    this.#session = connect(url);
  }

  call({ path, key, invocation, requestHeaders, headers, body }: WorkerCall): Promise<WorkerAnswer> {
    const start = [bytes(1, Buffer.from(invocation)), bytes(2, Buffer.from(invocation)), number(3, 1)];
    const listed = Object.entries(headers).map(([name, value]) =>
      bytes(1, Buffer.concat([bytes(1, Buffer.from(name)), bytes(2, Buffer.from(value))])),
    );
    const messages = Buffer.concat([
      message(START, [...start, bytes(6, Buffer.from(key))]),
      message(INPUT, [...listed, bytes(14, bytes(1, Buffer.from(body)))]),
    ]);
    return this.#send({ ...requestHeaders, ':path': path, 'content-type': INVOCATION }, messages);
  }

  get(path: string, headers: Readonly<Record<string, string>> = {}): Promise<WorkerAnswer> {
    return this.#send({ ...headers, ':path': path, accept: MANIFEST.join(', ') });
  }

  close(): void {
    this.#session.destroy();
  }

  #send(headers: Readonly<Record<string, string>>, messages?: Buffer): Promise<WorkerAnswer> {
    return new Promise((resolve, reject) => {
      const request = this.#session.request({ ':method': messages ? 'POST' : 'GET', ...headers });
      let status = 0;
      let received = Buffer.alloc(0);
      const settle = (said?: string): void => {
        request.close();
        resolve({ status, ...(said === undefined ? {} : { said }) });
      };
      request.once('response', (response) => {
        status = Number(response[':status']);
        // The SDK reads its input to the end before it ends such an answer.
        if (messages && status !== 200) settle('');
      });
      request.on('data', (part: Buffer) => {
        received = Buffer.concat([received, part]);
        for (const { type, content } of messages ? framesOf(received) : []) {
          if (type === OUTPUT || type === ERROR) settle(content);
          else if (type === PROPOSE_RUN) settle();
        }
      });
      request.once('end', () => settle(received.toString()));
      request.once('error', reject);
      if (messages === undefined) request.end();
      // Restate keeps its side open, for what the handler asks for.
      else request.write(messages);
    });
  }
}

function* framesOf(received: Buffer): Generator<{ readonly type: number; readonly content: string }> {
  for (let at = 0; at + 8 <= received.length; ) {
    const end = at + 8 + received.readUInt32BE(at + 4);
    if (end > received.length) return;
    yield { type: received.readUInt16BE(at), content: received.subarray(at + 8, end).toString() };
    at = end;
  }
}

function message(type: number, fields: readonly Buffer[]): Buffer {
  const content = Buffer.concat(fields);
  const head = Buffer.alloc(8);
  head.writeUInt16BE(type, 0);
  head.writeUInt32BE(content.length, 4);
  return Buffer.concat([head, content]);
}

const number = (field: number, value: number): Buffer => Buffer.concat([varint(field << 3), varint(value)]);

const bytes = (field: number, content: Buffer): Buffer =>
  Buffer.concat([varint((field << 3) | 2), varint(content.length), content]);

function varint(value: number): Buffer {
  const digits: number[] = [];
  for (let left = value; ; left >>>= 7) {
    if (left < 0x80) return Buffer.from([...digits, left]);
    digits.push((left & 0x7f) | 0x80);
  }
}
