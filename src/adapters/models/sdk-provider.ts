import type { LanguageModelV3GenerateResult, LanguageModelV3StreamPart } from '@ai-sdk/provider';
import { isOkaError, type OkaError } from '../../kernel/index.ts';
import {
  type ModelAnswer,
  type ModelDelta,
  type ModelProvider,
  type ModelRequest,
  modelError,
  type OpenRequest,
} from '../../models/index.ts';
import { type CallLimits, maxArgumentBytes, tooLarge } from './call-limits.ts';
import { toCallOptions, wireNamesOf } from './to-call-options.ts';
import { type SdkAnswer, toModelAnswer } from './to-model-answer.ts';
import { type AskedModel, toModelError } from './to-model-error.ts';
import type { RemoteEntry, SdkModels } from './types.ts';

interface SdkProviderOptions {
  readonly entry: RemoteEntry;
  readonly models: SdkModels;
  readonly asked: Omit<AskedModel, 'model'>;
  readonly limits: CallLimits;
}

const MAX_EMBEDDED_AT_ONCE = 256;
const SCHEMA_REFUSED = /response_format|json_schema|structured output|output_config|grammar/i;

/**
 * A ModelProvider on top of one provider's SDK package. Failures are errors of this domain; a stream yields its answer only after
 * its end mark, so tool calls are always complete.
 */
export class SdkProvider implements ModelProvider {
  readonly name: string;
  readonly #entry: RemoteEntry;
  readonly #models: SdkModels;
  readonly #asked: Omit<AskedModel, 'model'>;
  readonly #maxArguments: number;
  /** Set after a server has rejected structured output. */
  #schemaByPrompt: boolean;
  readonly embed?: NonNullable<ModelProvider['embed']>;

  constructor({ entry, models, asked, limits }: SdkProviderOptions) {
    this.name = entry.provider;
    this.#entry = entry;
    this.#models = models;
    this.#asked = asked;
    this.#maxArguments = maxArgumentBytes(limits);
    this.#schemaByPrompt = entry.json === false;
    const { embeddingModel } = entry;
    if (embeddingModel !== undefined && models.embedding)
      this.embed = (texts, signal) => this.#embed(embeddingModel, texts, signal);
  }

  complete(request: ModelRequest, signal: AbortSignal): Promise<ModelAnswer> {
    return this.#askWithSchemaFallback(request, async () => {
      const names = wireNamesOf(request);
      const sent = this.#begin(request, signal);
      try {
        const given = await this.#guarded(request.model, signal, async () =>
          this.#models.language(request.model).doGenerate(this.#callOptions(request, names, signal)),
        );
        const countArguments = this.#countArguments(request.model);
        for (const part of given.content) if (part.type === 'tool-call') countArguments(part.input);
        const answer = toModelAnswer(toSdkAnswer(given), request, { entry: this.#entry, names });
        sent?.answered(answer);
        return answer;
      } catch (error) {
        sent?.failed(error);
        throw error;
      }
    });
  }

  async *stream(request: ModelRequest, signal: AbortSignal): AsyncGenerator<ModelDelta> {
    const names = wireNamesOf(request);
    const { stream, sent } = await this.#askWithSchemaFallback(request, () =>
      this.#openStream(request, names, signal),
    );
    const reader = stream.getReader();
    const parts = new StreamedParts(this.#countArguments(request.model));
    try {
      for (;;) {
        const { done, value } = await this.#guarded(request.model, signal, () => reader.read());
        if (done) break;
        if (value.type === 'error') throw toModelError(value.error, this.#askedFor(request.model));
        const text = parts.add(value);
        if (text !== '') yield { kind: 'text', text };
      }
      const answer = toModelAnswer(parts.answer(), request, { entry: this.#entry, names });
      sent?.answered(answer);
      yield { kind: 'answer', answer };
    } catch (error) {
      sent?.failed(error, parts.length);
      throw error;
    } finally {
      sent?.failed(new Error('the caller stopped reading'), parts.length);
      await reader.cancel().catch(() => undefined);
    }
  }

  async #openStream(request: ModelRequest, names: ReturnType<typeof wireNamesOf>, signal: AbortSignal) {
    const sent = this.#begin(request, signal);
    try {
      const { stream } = await this.#guarded(request.model, signal, async () =>
        this.#models.language(request.model).doStream(this.#callOptions(request, names, signal)),
      );
      return { stream, sent };
    } catch (error) {
      sent?.failed(error);
      throw error;
    }
  }

  /** Reports a request that is about to be sent. */
  #begin({ account, model }: ModelRequest, signal: AbortSignal): OpenRequest | undefined {
    signal.throwIfAborted();
    const { provider, price, isAssumed = false } = this.#entry;
    return account?.begin({ provider, model, isAssumed, ...(price && { price }) });
  }

  async #embed(model: string, texts: readonly string[], signal: AbortSignal): Promise<number[][]> {
    const embedding = this.#models.embedding?.(model);
    if (!embedding) return [];
    const vectors: number[][] = [];
    const batchSize = Math.min(
      (await embedding.maxEmbeddingsPerCall) ?? MAX_EMBEDDED_AT_ONCE,
      MAX_EMBEDDED_AT_ONCE,
    );
    while (vectors.length < texts.length) {
      const values = texts.slice(vectors.length, vectors.length + batchSize);
      const { embeddings } = await this.#guarded(model, signal, async () =>
        embedding.doEmbed({ values, abortSignal: signal }),
      );
      if (embeddings.length !== values.length)
        throw modelError(
          'models.malformed',
          `${this.name} (${model}) gave ${embeddings.length} vectors for ${values.length} texts. Try again.`,
        );
      vectors.push(...embeddings);
    }
    return vectors;
  }

  /** Adds up the arguments of an answer's tool calls; throws when they are too large. */
  #countArguments(model: string): (text: string) => void {
    let bytes = 0;
    return (text) => {
      bytes += Buffer.byteLength(text);
      if (bytes > this.#maxArguments)
        throw tooLarge(`${this.name} (${model})`, 'arguments of tool calls', this.#maxArguments);
    };
  }

  #callOptions(request: ModelRequest, names: ReturnType<typeof wireNamesOf>, signal: AbortSignal) {
    return toCallOptions(request, {
      models: this.#models,
      entry: this.#entry,
      names,
      signal,
      schemaByPrompt: this.#schemaByPrompt,
    });
  }

  /** Asks again without the provider's schema mode if the server does not support it. */
  async #askWithSchemaFallback<Value>(
    { output, account }: ModelRequest,
    ask: () => Promise<Value>,
  ): Promise<Value> {
    try {
      return await ask();
    } catch (error) {
      if (!output || this.#schemaByPrompt || !refusesSchema(error)) throw error;
      this.#schemaByPrompt = true;
      if (account && !(await account.admits('retry'))) throw error;
      return ask();
    }
  }

  async #guarded<Value>(model: string, signal: AbortSignal, work: () => Promise<Value>): Promise<Value> {
    signal.throwIfAborted();
    try {
      return await work();
    } catch (error) {
      signal.throwIfAborted();
      throw toModelError(error, this.#askedFor(model));
    }
  }

  #askedFor(model: string): AskedModel {
    return { ...this.#asked, model };
  }
}

function refusesSchema(error: unknown): error is OkaError {
  return (
    isOkaError(error, 'models.request_failed') &&
    (error.data['status'] === 400 || error.data['status'] === 422) &&
    SCHEMA_REFUSED.test(error.message)
  );
}

function toSdkAnswer({ content, finishReason, usage }: LanguageModelV3GenerateResult): SdkAnswer {
  const text = content.flatMap((part) => (part.type === 'text' ? [part.text] : [])).join('');
  return { text, calls: content.filter((part) => part.type === 'tool-call'), finish: finishReason, usage };
}

/** Collects the parts of a stream; `countArguments` receives the arguments of tool calls as they arrive. */
class StreamedParts {
  readonly #countArguments: (text: string) => void;
  #text = '';
  readonly #calls: SdkAnswer['calls'][number][] = [];
  #finish: Extract<LanguageModelV3StreamPart, { type: 'finish' }> | undefined;

  constructor(countArguments: (text: string) => void) {
    this.#countArguments = countArguments;
  }

  /** Adds a part and returns its text. */
  add(part: LanguageModelV3StreamPart): string {
    if (part.type === 'tool-call') this.#calls.push(part);
    else if (part.type === 'tool-input-delta') this.#countArguments(part.delta);
    else if (part.type === 'finish') this.#finish = part;
    else if (part.type === 'text-delta') {
      this.#text += part.delta;
      return part.delta;
    }
    return '';
  }

  /** The length of the text so far. */
  get length(): number {
    return this.#text.length;
  }

  answer(): SdkAnswer {
    if (!this.#finish)
      throw modelError('models.stream_cut', 'The stream ended before its last part. Try again.');
    const { finishReason, usage } = this.#finish;
    return { text: this.#text, calls: this.#calls, finish: finishReason, usage };
  }
}
