import { describe, expect, it } from 'vitest';
import { isOkaError } from '../../src/kernel/index.ts';
import type { ModelAnswer, ModelDelta, ModelProvider } from '../../src/models/index.ts';
import { seededRandom } from '../support/seeded-random.ts';
import {
  emulatorSaying,
  providerAt,
  question,
  serve,
  serveBodies,
  signal,
  TOOLS,
  WIRE_FORMATS,
  type WireFormat,
} from './wires.ts';

const EXHAUSTIVE = process.env['OKA_EXHAUSTIVE'] === '1';
const SAMPLED = 12;
const AT_ONCE = 16;
const NEW_LINE = 0x0a;
const TEXT = 'Grüße.';
const CALLS = [
  { tool: 'files.read', input: { path: 'a-ü.md' } },
  { tool: 'files.read', input: { path: 'b.md' } },
];
const asked = question('look at both', { tools: [TOOLS[0]] });

/** The bytes that the emulator streams for an answer with text and two calls of a tool. */
async function recordStream(wire: WireFormat): Promise<{ bytes: Buffer; type: string }> {
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

/** Every byte, or the ones where lines end, the last ones and a sample of the others. */
function cutsOf(bytes: Buffer): readonly number[] {
  const places = [...bytes.keys()];
  if (EXHAUSTIVE) return places;
  const random = seededRandom(bytes.length);
  const sample = new Set(Array.from({ length: SAMPLED }, () => Math.floor(random.next() * bytes.length)));
  const isNear = (at: number): boolean => bytes[at - 1] === NEW_LINE || bytes[at] === NEW_LINE;
  return places.filter((at) => isNear(at) || at > bytes.length - 20 || sample.has(at));
}

interface Seen {
  readonly texts: string;
  readonly answers: readonly ModelAnswer[];
  readonly error: unknown;
}

/** Everything that a stream gives, and what it failed with. */
async function read(provider: ModelProvider, model = asked.model): Promise<Seen> {
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

describe.each(WIRE_FORMATS)('a stream of $provider', (wire) => {
  it('gives its answer only when it is whole, wherever it is cut', async () => {
    const { bytes, type } = await recordStream(wire);
    expect(bytes.length).toBeGreaterThan(500);
    // The name of the model tells the server where to cut, so that several can be asked at once.
    const url = await serveBodies((sent, response) => {
      const [ending, cutAt] = (JSON.parse(sent) as { model: string }).model.split('-');
      response.writeHead(200, { 'content-type': type });
      const part = bytes.subarray(0, Number(cutAt));
      if (ending === 'ended') response.end(part);
      else if (part.length === 0) response.destroy();
      else response.write(part, () => response.destroy());
    });
    const provider = await providerAt(wire, url);

    const places = cutsOf(bytes).flatMap((cutAt) => [`ended-${cutAt}`, `destroyed-${cutAt}`]);
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
  });

  it('gives the same answer when it comes byte by byte', async () => {
    const { bytes, type } = await recordStream(wire);
    const url = await serve((incoming, response) => {
      incoming.resume();
      response.writeHead(200, { 'content-type': type });
      const next = (at: number): void => {
        if (at === bytes.length) response.end();
        else response.write(bytes.subarray(at, at + 1), () => setImmediate(next, at + 1));
      };
      next(0);
    });
    const { texts, answers } = await read(await providerAt(wire, url));
    expect(texts).toBe(TEXT);
    expect(answers[0]).toMatchObject({ text: TEXT, toolCalls: CALLS });
  });

  it('does not wait for a server that keeps the connection open after the end', async () => {
    const { bytes, type } = await recordStream(wire);
    const url = await serve((incoming, response) => {
      incoming.resume();
      response.writeHead(200, { 'content-type': type });
      response.write(bytes);
    });
    const { answers } = await read(await providerAt(wire, url));
    expect(answers[0]).toMatchObject({ toolCalls: CALLS });
  });
});
