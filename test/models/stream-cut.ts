import { expect } from 'vitest';
import { isOkaError } from '../../src/kernel/index.ts';
import type { ModelAnswer, ModelDelta, ModelProvider } from '../../src/models/index.ts';
import {
  emulatorSaying,
  providerAt,
  question,
  serve,
  serveBodies,
  signal,
  TOOLS,
  type WireFormat,
} from './wires.ts';

const AT_ONCE = 16;
export const TEXT = 'Grüße.';
export const CALLS = [
  { tool: 'files.read', input: { path: 'a-ü.md' } },
  { tool: 'files.read', input: { path: 'b.md' } },
];
const asked = question('look at both', { tools: [TOOLS[0]] });

/** The bytes that the emulator streams for an answer with text and two calls of a tool. */
export async function recordStream(wire: WireFormat): Promise<{ bytes: Buffer; type: string }> {
  let recorded = { bytes: Buffer.alloc(0), type: '' };
  const recording: typeof fetch = async (input, init) => {
    const response = await fetch(input, init);
    recorded = {
      bytes: Buffer.from(await response.clone().arrayBuffer()),
      type: response.headers.get('content-type') ?? '',
    };
    return response;
  };
  const toolCalls = CALLS.map(({ input }, i) => ({
    id: `call_${i}`,
    name: 'files_read',
    arguments: JSON.stringify(input),
  }));
  const emulator = await emulatorSaying({ content: TEXT, toolCalls }, { chunkSize: 11 });
  await read(await providerAt(wire, emulator.url, { fetch: recording }));
  return recorded;
}

interface Seen {
  readonly texts: string;
  readonly answers: readonly ModelAnswer[];
  readonly error: unknown;
}

/** Everything that a stream gives, and what it failed with. */
export async function read(provider: ModelProvider, model = asked.model): Promise<Seen> {
  const seen: ModelDelta[] = [];
  let error: unknown;
  try {
    for await (const delta of provider.stream({ ...asked, model }, signal)) seen.push(delta);
  } catch (failure) {
    error = failure;
  }
  return {
    texts: seen.map((delta) => (delta.kind === 'text' ? delta.text : '')).join(''),
    answers: seen.flatMap((delta) => (delta.kind === 'answer' ? [delta.answer] : [])),
    error,
  };
}

/** The codes that may be given for a cut. A connection that was destroyed before the first byte never answered. */
function codesOf(place: string): RegExp {
  if (place.startsWith('ended')) return /^models\.stream_cut$/;
  if (place === 'destroyed-0') return /^models\.(stream_cut|request_failed|unreachable)$/;
  return /^models\.(stream_cut|request_failed)$/;
}

/** How an answer is cut: `ended-7` ends after seven bytes as if it were complete, `destroyed-7` breaks the connection there. */
function readCut(model: string, bytes: Buffer): { readonly isDestroyed: boolean; readonly part: Buffer } {
  const [ending, cutAt] = model.split('-');
  return { isDestroyed: ending === 'destroyed', part: bytes.subarray(0, Number(cutAt)) };
}

type Recorded = Awaited<ReturnType<typeof recordStream>>;

/** A provider at a real server. The name of the model says where to cut, so that several can be asked at once. */
export async function cutAtServer(wire: WireFormat, { bytes, type }: Recorded): Promise<ModelProvider> {
  const url = await serveBodies((sent, response) => {
    const { isDestroyed, part } = readCut((JSON.parse(sent) as { model: string }).model, bytes);
    response.writeHead(200, { 'content-type': type });
    if (!isDestroyed) response.end(part);
    else if (part.length === 0) response.destroy();
    else response.write(part, () => response.destroy());
  });
  return providerAt(wire, url);
}

/** The same without a connection, in half the time: the answer is a stream that ends or fails. */
export function cutInMemory(wire: WireFormat, { bytes, type }: Recorded): Promise<ModelProvider> {
  const answer: typeof fetch = async (_input, init) => {
    const { isDestroyed, part } = readCut((JSON.parse(String(init?.body)) as { model: string }).model, bytes);
    if (isDestroyed && part.length === 0) throw new TypeError('fetch failed', { cause: broken() });
    const body = new ReadableStream<Uint8Array>({
      start: (controller) => void (part.length > 0 && controller.enqueue(part)),
      pull: (controller) =>
        isDestroyed ? controller.error(new TypeError('terminated', { cause: broken() })) : controller.close(),
    });
    return new Response(body, { headers: { 'content-type': type } });
  };
  return providerAt(wire, 'http://127.0.0.1:9', { fetch: answer });
}

const broken = (): Error => Object.assign(new Error('other side closed'), { code: 'UND_ERR_SOCKET' });

/** Cuts a stream at each of these places, by an end and by a broken connection; only the whole stream is an answer. */
export async function expectCut(
  wire: WireFormat,
  cutsOf: (bytes: number) => readonly number[],
  open: (wire: WireFormat, recorded: Recorded) => Promise<ModelProvider>,
): Promise<void> {
  const recorded = await recordStream(wire);
  const { bytes } = recorded;
  expect(bytes.length).toBeGreaterThan(500);
  const provider = await open(wire, recorded);

  const places = cutsOf(bytes.length).flatMap((cutAt) => [`ended-${cutAt}`, `destroyed-${cutAt}`]);
  for (let at = 0; at < places.length; at += AT_ONCE)
    await Promise.all(
      places.slice(at, at + AT_ONCE).map(async (place) => {
        const { texts, answers, error } = await read(provider, place);
        const where = `${place} of ${bytes.length}`;
        expect(answers, where).toEqual([]);
        expect(isOkaError(error) && error.code, where).toMatch(codesOf(place));
        expect(isOkaError(error) && error.transient, where).toBe(true);
        expect(TEXT.startsWith(texts), where).toBe(true);
      }),
    );

  const { answers, error } = await read(provider, `ended-${bytes.length}`);
  expect(error).toBeUndefined();
  expect(answers).toHaveLength(1);
  expect(answers[0]).toMatchObject({ text: TEXT, toolCalls: CALLS, finish: 'tool_calls' });
}

/** Sends a stream in pieces of `size` bytes and expects the same answer. */
export async function expectSameInPieces(wire: WireFormat, size: number): Promise<void> {
  const { bytes, type } = await recordStream(wire);
  const url = await serve((incoming, response) => {
    incoming.resume();
    response.writeHead(200, { 'content-type': type });
    const next = (at: number): void => {
      if (at >= bytes.length) response.end();
      else response.write(bytes.subarray(at, at + size), () => setImmediate(next, at + size));
    };
    next(0);
  });
  const { texts, answers } = await read(await providerAt(wire, url));
  expect(texts).toBe(TEXT);
  expect(answers[0]).toMatchObject({ text: TEXT, toolCalls: CALLS });
}
