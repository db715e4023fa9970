import { isOkaError } from '../kernel/index.ts';
import { modelError } from './model-error.ts';
import type { ModelProvider } from './ports.ts';

/**
 * Asks the first provider, and the next one when that fails for a transient reason or is not configured. Any other
 * failure is final. A stream moves on only while nothing of it was seen. The answer names who gave it.
 */
export function fallbackProviders(providers: readonly ModelProvider[]): ModelProvider {
  const embedding = providers.filter((provider) => provider.embed !== undefined);

  async function inTurn<Value>(
    candidates: readonly ModelProvider[],
    ask: (provider: ModelProvider) => Promise<Value>,
    signal: AbortSignal,
  ): Promise<Value> {
    let last: unknown;
    for (const provider of candidates) {
      try {
        return await ask(provider);
      } catch (error) {
        if (signal.aborted || !opensNext(error)) throw error;
        last = error;
      }
    }
    throw last ?? noProvider();
  }

  return {
    name: providers.map(({ name }) => name).join(', '),
    complete: (request, signal) =>
      inTurn(providers, (provider) => provider.complete(request, signal), signal),
    async *stream(request, signal) {
      let last: unknown;
      for (const provider of providers) {
        let seen = false;
        try {
          for await (const delta of provider.stream(request, signal)) {
            seen = true;
            yield delta;
          }
          return;
        } catch (error) {
          if (seen || signal.aborted || !opensNext(error)) throw error;
          last = error;
        }
      }
      throw last ?? noProvider();
    },
    ...(embedding.length > 0 && {
      embed: (texts, signal) =>
        inTurn(embedding, async (provider) => (await provider.embed?.(texts, signal)) ?? [], signal),
    }),
  };
}

/** The same provider, always asked for one model; for lists whose members know different models. */
export function withModel(provider: ModelProvider, model: string): ModelProvider {
  const { embed } = provider;
  return {
    name: provider.name,
    complete: (request, signal) => provider.complete({ ...request, model }, signal),
    stream: (request, signal) => provider.stream({ ...request, model }, signal),
    ...(embed && { embed: (texts, signal) => embed.call(provider, texts, signal) }),
  };
}

function opensNext(error: unknown): boolean {
  return isOkaError(error) && (error.transient || error.code === 'models.not_configured');
}

function noProvider(): Error {
  return modelError(
    'models.not_configured',
    'no model provider is listed; name at least one in the configuration.',
  );
}
