import type { LanguageModelV3Content, LanguageModelV3StreamPart } from '@ai-sdk/provider';
import { isOkaError, type OkaError } from '../../kernel/index.ts';
import type { ModelAnswer, ModelDelta, ModelProvider, ModelRequest } from '../../models/index.ts';
import { modelError } from '../../models/index.ts';
import { toCallOptions, wireNamesOf } from './to-call-options.ts';
import { type SdkAnswer, toModelAnswer } from './to-model-answer.ts';
import { type AskedModel, toModelError } from './to-model-error.ts';
import type { RemoteEntry, SdkModels } from './types.ts';

interface SdkProviderOptions {
  readonly entry: RemoteEntry;
  readonly models: SdkModels;
  readonly asked: Omit<AskedModel, 'model'>;
}

const EMBEDDED_AT_ONCE = 256;
const SCHEMA_REFUSED = /response_format|json_schema|structured output|output_config|grammar/i;

/**
 * A ModelProvider over the models of one provider's package. Failures are errors of this domain; a stream gives its
 * answer only when it ended as its wire says that streams end, so calls of tools are always whole.
 */
export class SdkProvider implements ModelProvider {
  readonly name: string;
  readonly #entry: RemoteEntry;
  readonly #models: SdkModels;
  readonly #asked: Omit<AskedModel, 'model'>;
  /** Servers that do not know a schema for answers say so once. */
  #schemaByPrompt = false;
  readonly embed?: NonNullable<ModelProvider['embed']>;

  constructor({ entry, models, asked }: SdkProviderOptions) {
    this.name = entry.provider;
    this.#entry = entry;
    this.#models = models;
    this.#asked = asked;
    const { embeddingModel } = entry;
    if (embeddingModel !== undefined && models.embedding)
      this.embed = (texts, signal) => this.#embed(embeddingModel, texts, signal);
  }

  complete(request: ModelRequest, signal: AbortSignal): Promise<ModelAnswer> {
    return this.#askTwice(request, signal, async () => {
      const names = wireNamesOf(request);
      const given = await this.#models
        .language(request.model)
        .doGenerate(this.#callOptions(request, names, signal));
      return toModelAnswer(wholeOf(given), request, { entry: this.#entry, names });
    });
  }

  async *stream(request: ModelRequest, signal: AbortSignal): AsyncGenerator<ModelDelta> {
    const names = wireNamesOf(request);
    const { stream } = await this.#askTwice(request, signal, async () =>
      this.#models.language(request.model).doStream(this.#callOptions(request, names, signal)),
    );
    const reader = stream.getReader();
    const parts = new StreamedParts();
    try {
      for (;;) {
        const { done, value } = await this.#guarded(request.model, signal, () => reader.read());
        if (done) break;
        if (value.type === 'error') throw toModelError(value.error, this.#askedFor(request.model));
        const text = parts.take(value);
        if (text !== '') yield { kind: 'text', text };
      }
    } finally {
      await reader.cancel().catch(() => undefined);
    }
    yield { kind: 'answer', answer: toModelAnswer(parts.whole(), request, { entry: this.#entry, names }) };
  }

  async #embed(model: string, texts: readonly string[], signal: AbortSignal): Promise<number[][]> {
    const embedding = this.#models.embedding?.(model);
    if (!embedding) return [];
    const vectors: number[][] = [];
    const most = Math.min((await embedding.maxEmbeddingsPerCall) ?? EMBEDDED_AT_ONCE, EMBEDDED_AT_ONCE);
    while (vectors.length < texts.length) {
      const values = texts.slice(vectors.length, vectors.length + most);
      const { embeddings } = await this.#guarded(model, signal, async () =>
        embedding.doEmbed({ values, abortSignal: signal }),
      );
      if (embeddings.length !== values.length)
        throw modelError(
          'models.malformed',
          `${this.name} (${model}) gave ${embeddings.length} vectors for ${values.length} texts. Ask again.`,
        );
      vectors.push(...embeddings);
    }
    return vectors;
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

  /** Asks, and asks once more without the provider's own schema mode when the server does not have it. */
  async #askTwice<Value>(
    { model, output }: ModelRequest,
    signal: AbortSignal,
    ask: () => Promise<Value>,
  ): Promise<Value> {
    try {
      return await this.#guarded(model, signal, ask);
    } catch (error) {
      if (!output || this.#schemaByPrompt || !refusesSchema(error)) throw error;
      this.#schemaByPrompt = true;
      return this.#guarded(model, signal, ask);
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

function wholeOf({
  content,
  finishReason,
  usage,
}: {
  readonly content: readonly LanguageModelV3Content[];
  readonly finishReason: SdkAnswer['finish'];
  readonly usage: SdkAnswer['usage'];
}): SdkAnswer {
  const text = content.flatMap((part) => (part.type === 'text' ? [part.text] : [])).join('');
  return { text, calls: content.filter((part) => part.type === 'tool-call'), finish: finishReason, usage };
}

/** Gathers what a stream gives until its last part. */
class StreamedParts {
  #text = '';
  readonly #calls: SdkAnswer['calls'][number][] = [];
  #finish: Extract<LanguageModelV3StreamPart, { type: 'finish' }> | undefined;

  /** Takes a part and gives the text in it. */
  take(part: LanguageModelV3StreamPart): string {
    if (part.type === 'tool-call') this.#calls.push(part);
    else if (part.type === 'finish') this.#finish = part;
    else if (part.type === 'text-delta') {
      this.#text += part.delta;
      return part.delta;
    }
    return '';
  }

  whole(): SdkAnswer {
    if (!this.#finish)
      throw modelError('models.stream_cut', 'the stream ended before its last part. Ask again.');
    const { finishReason, usage } = this.#finish;
    return { text: this.#text, calls: this.#calls, finish: finishReason, usage };
  }
}
