import { describe, expect, it } from 'vitest';
import { isOkaError, type Json } from '../kernel/index.ts';
import { collectAnswer, digestOfRequest } from './collect-answer.ts';
import type { ModelProvider } from './ports.ts';
import type { ModelDelta, ModelRequest, ModelsErrorCode } from './types.ts';

/** The fixed answer of the model behind a provider. */
export type CannedAnswer =
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'json'; readonly json: Json }
  | {
      readonly kind: 'tool_calls';
      readonly calls: readonly { readonly tool: string; readonly input: Json }[];
    }
  | { readonly kind: 'cut'; readonly after: string }
  | { readonly kind: 'error'; readonly error: CannedError };

type CannedError = 'request_failed' | 'rate_limited' | 'context_exceeded' | 'refused';

const TRANSIENT: Readonly<Record<CannedError, boolean>> = {
  request_failed: true,
  rate_limited: true,
  context_exceeded: false,
  refused: false,
};

const REQUEST: ModelRequest = { model: 'model-1', messages: [{ role: 'user', content: 'say it' }] };
const CITY = {
  name: 'city',
  schema: { type: 'object', properties: { city: { type: 'string' } }, required: ['city'] },
} as const;
const TOOLS = [
  {
    name: 'files_read',
    description: 'Reads a file.',
    inputSchema: { type: 'object', properties: { path: { type: 'string' } } },
  },
] as const;

/** Conformance suite of model providers. `make` returns one whose model gives this answer. */
export function modelProviderConformance(
  name: string,
  make: (answer: CannedAnswer) => ModelProvider | Promise<ModelProvider>,
): void {
  const signal = new AbortController().signal;

  describe(`${name} as ModelProvider`, () => {
    it('completes with text, provider and request digest', async () => {
      const provider = await make({ kind: 'text', text: 'Hello there, friend.' });
      expect(await provider.complete(REQUEST, signal)).toMatchObject({
        text: 'Hello there, friend.',
        toolCalls: [],
        finish: 'stop',
        provider: provider.name,
        requestDigest: digestOfRequest(REQUEST),
      });
    });

    it('streams the text in pieces and then the whole answer, once', async () => {
      const provider = await make({ kind: 'text', text: 'one two  three\n' });
      const deltas = await read(provider.stream(REQUEST, signal));
      const texts = deltas.flatMap((delta) => (delta.kind === 'text' ? [delta.text] : []));
      expect(texts.join('')).toBe('one two  three\n');
      expect(deltas.map(({ kind }) => kind).indexOf('answer')).toBe(deltas.length - 1);
      expect(deltas.at(-1)).toMatchObject({ answer: { text: 'one two  three\n', finish: 'stop' } });
    });

    it('returns complete tool calls, each with its own id', async () => {
      const calls = [
        { tool: 'files_read', input: { path: 'a.md' } },
        { tool: 'files_read', input: { path: 'b.md' } },
      ];
      const provider = await make({ kind: 'tool_calls', calls });
      const request = { ...REQUEST, tools: TOOLS };
      for (const answer of [
        await provider.complete(request, signal),
        await collectAnswer(provider.stream(request, signal)),
      ]) {
        expect(answer.finish).toBe('tool_calls');
        expect(answer.toolCalls.map(({ tool, input }) => ({ tool, input }))).toEqual(calls);
        expect(new Set(answer.toolCalls.map(({ id }) => id)).size).toBe(2);
      }
    });

    it('returns structured output that matches the schema', async () => {
      const provider = await make({ kind: 'json', json: { city: 'Oslo' } });
      const request = { ...REQUEST, output: CITY };
      expect((await provider.complete(request, signal)).json).toEqual({ city: 'Oslo' });
      expect((await collectAnswer(provider.stream(request, signal))).json).toEqual({ city: 'Oslo' });
    });

    it('rejects structured output that does not match as malformed', async () => {
      const provider = await make({ kind: 'json', json: { town: 'Oslo' } });
      const error = await failureOf(provider.complete({ ...REQUEST, output: CITY }, signal));
      expect(error).toMatchObject({ code: 'models.malformed' });
    });

    it('never returns an answer from a cut stream', async () => {
      const provider = await make({ kind: 'cut', after: 'half a' });
      const seen: ModelDelta[] = [];
      const error = await failureOf(
        (async () => {
          for await (const delta of provider.stream({ ...REQUEST, tools: TOOLS }, signal)) seen.push(delta);
        })(),
      );
      expect(error).toMatchObject({ code: 'models.stream_cut', transient: true });
      expect(seen.every(({ kind }) => kind === 'text')).toBe(true);
    });

    it.each(Object.keys(TRANSIENT) as CannedError[])('fails with the code models.%s', async (kind) => {
      const code: ModelsErrorCode = `models.${kind}`;
      const provider = await make({ kind: 'error', error: kind });
      const expected = { code, transient: TRANSIENT[kind] };
      expect(await failureOf(provider.complete(REQUEST, signal))).toMatchObject(expected);
      expect(await failureOf(read(provider.stream(REQUEST, signal)))).toMatchObject(expected);
    });

    it('embeds each text, if it supports embeddings', async () => {
      const provider = await make({ kind: 'text', text: 'unused' });
      const vectors = await provider.embed?.(['one', 'two', 'one'], signal);
      if (!vectors) return;
      expect(vectors).toHaveLength(3);
      expect(vectors[0]).toEqual(vectors[2]);
      expect(new Set(vectors.map(({ length }) => length)).size).toBe(1);
    });

    it('rejects with the reason of an aborted signal', async () => {
      const provider = await make({ kind: 'text', text: 'too late' });
      const reason = new Error('stop');
      const aborted = AbortSignal.abort(reason);
      await expect(provider.complete(REQUEST, aborted)).rejects.toBe(reason);
      await expect(read(provider.stream(REQUEST, aborted))).rejects.toBe(reason);
    });
  });
}

async function read(stream: AsyncIterable<ModelDelta>): Promise<ModelDelta[]> {
  const deltas: ModelDelta[] = [];
  for await (const delta of stream) deltas.push(delta);
  return deltas;
}

async function failureOf(work: Promise<unknown>): Promise<unknown> {
  try {
    return { answered: await work };
  } catch (error) {
    if (isOkaError(error)) return error;
    throw error;
  }
}
