import { type Attributes, SpanKind } from '@opentelemetry/api';
import type { ModelAnswer, ModelDirectory, ModelProvider, ModelRequest } from '../../models/index.ts';
import {
  AGENT,
  CACHED_TOKENS,
  errorTypeOf,
  FINISH_REASONS,
  INPUT_TOKENS,
  OPERATION,
  OUTPUT_TOKENS,
  PROVIDER,
  providerName,
  REQUEST_MODEL,
  RESPONSE_MODEL,
  RUN,
} from './conventions.ts';
import type { Instruments } from './instruments.ts';
import { markFailed, type RunTracer, stopwatch } from './run-tracer.ts';

interface Observers {
  readonly tracer: RunTracer;
  readonly instruments: Instruments;
}

/** A directory whose models report each request: one span, duration, tokens and cost. Never what was asked or answered. */
export function observedModels(models: ModelDirectory, observers: Observers): ModelDirectory {
  const observed = new WeakMap<ModelProvider, ModelProvider>();
  return {
    find: async (name) => {
      const found = await models.find(name);
      const provider = observed.get(found.provider) ?? observedProvider(found.provider, observers);
      observed.set(found.provider, provider);
      return { ...found, provider };
    },
  };
}

function observedProvider(provider: ModelProvider, observers: Observers): ModelProvider {
  const { name, embed } = provider;
  return {
    name,
    complete: async (request, signal) => {
      const asked = startRequest(name, request, observers);
      try {
        const answer = await asked.within(() => provider.complete(request, signal));
        asked.answered(answer);
        return answer;
      } catch (error) {
        asked.failed(errorTypeOf(error));
        throw error;
      }
    },
    async *stream(request, signal) {
      const asked = startRequest(name, request, observers);
      try {
        for await (const delta of asked.within(() => provider.stream(request, signal))) {
          if (delta.kind === 'answer') asked.answered(delta.answer);
          yield delta;
        }
      } catch (error) {
        asked.failed(errorTypeOf(error));
        throw error;
      } finally {
        // A reader that stops early, or a stream without an answer.
        asked.failed('models.stream_cut');
      }
    },
    ...(embed === undefined ? {} : { embed: embed.bind(provider) }),
  };
}

/** A request under way. The first call of `answered` or `failed` ends it. */
function startRequest(name: string, request: ModelRequest, { tracer, instruments }: Observers) {
  const provider = providerName(name);
  const { model } = request;
  const seconds = stopwatch();
  const { span, within } = tracer.start(
    `chat ${model}`,
    requestAttributes(provider, request),
    SpanKind.CLIENT,
  );
  let isOpen = true;
  const end = (error: string | undefined, answer?: ModelAnswer): void => {
    if (!isOpen) return;
    isOpen = false;
    if (answer !== undefined) span.setAttributes(answerAttributes(answer));
    if (error !== undefined) markFailed(span, error);
    span.end();
    instruments.modelAsked({
      ...{ provider, model, error },
      seconds: seconds(),
      answer: answer && {
        model: answer.model,
        inputTokens: answer.usage.inputTokens,
        outputTokens: answer.usage.outputTokens,
        costUsd: request.account?.spend().cost_usd,
      },
    });
  };
  return {
    within,
    answered: (answer: ModelAnswer): void => end(undefined, answer),
    failed: (error: string): void => end(error),
  };
}

function requestAttributes(provider: string, request: ModelRequest): Attributes {
  const { model, purpose, maxOutputTokens, temperature, topP, seed } = request;
  return defined({
    [OPERATION]: 'chat',
    [PROVIDER]: provider,
    [REQUEST_MODEL]: model,
    'gen_ai.request.max_tokens': maxOutputTokens,
    'gen_ai.request.temperature': temperature,
    'gen_ai.request.top_p': topP,
    'gen_ai.request.seed': seed,
    [AGENT]: purpose?.agent,
    [RUN]: purpose?.run,
  });
}

function answerAttributes({ model, usage, finish }: ModelAnswer): Attributes {
  return defined({
    [RESPONSE_MODEL]: model,
    [INPUT_TOKENS]: usage.inputTokens,
    [OUTPUT_TOKENS]: usage.outputTokens,
    [CACHED_TOKENS]: usage.cachedInputTokens,
    [FINISH_REASONS]: [finish],
  });
}

function defined(attributes: Attributes): Attributes {
  return Object.fromEntries(Object.entries(attributes).filter(([, value]) => value !== undefined));
}
