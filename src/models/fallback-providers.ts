import { isOkaError, type OkaError } from '../kernel/index.ts';
import { isBusy, modelError } from './model-error.ts';
import type { ModelProvider } from './ports.ts';
import { deltaWithRecoveries, withRecoveries } from './recoveries.ts';
import type { ModelAnswer, ModelRecovery, ModelRequest } from './types.ts';

/**
 * Tries the providers in order, moving on after a transient failure, or if one is not configured or exceeds a limit. Any other
 * failure is final. A stream moves on only before its first piece. The answer names its provider.
 */
export function fallbackProviders(providers: readonly ModelProvider[]): ModelProvider {
  const embedding = providers.filter((provider) => provider.embed !== undefined);

  async function tryInOrder<Value>(
    candidates: readonly ModelProvider[],
    ask: (provider: ModelProvider) => Promise<Value>,
    signal: AbortSignal,
    failed = new Failures(),
  ): Promise<Value> {
    for (const provider of candidates) {
      await failed.mayGoOn();
      try {
        return await ask(provider);
      } catch (error) {
        if (signal.aborted || !canFallBack(error)) throw error;
        failed.add(provider, error);
      }
    }
    throw failed.last ?? noProvider();
  }

  return {
    name: providers.map(({ name }) => name).join(', '),
    complete: async (request, signal) => {
      const failed = new Failures(request);
      const ask = (provider: ModelProvider): Promise<ModelAnswer> => provider.complete(request, signal);
      return withRecoveries(await tryInOrder(providers, ask, signal, failed), failed.notes);
    },
    async *stream(request, signal) {
      const failed = new Failures(request);
      for (const provider of providers) {
        await failed.mayGoOn();
        let seen = false;
        try {
          for await (const delta of provider.stream(request, signal)) {
            seen = true;
            yield deltaWithRecoveries(delta, failed.notes);
          }
          return;
        } catch (error) {
          if (seen || signal.aborted || !canFallBack(error)) throw error;
          failed.add(provider, error);
        }
      }
      throw failed.last ?? noProvider();
    },
    ...(embedding.length > 0 && {
      embed: (texts, signal) =>
        tryInOrder(embedding, async (provider) => (await provider.embed?.(texts, signal)) ?? [], signal),
    }),
  };
}

/** Fixes the model of a provider, for fallback lists whose members use different models. */
export function withModel(provider: ModelProvider, model: string): ModelProvider {
  const { embed } = provider;
  return {
    name: provider.name,
    complete: (request, signal) => provider.complete({ ...request, model }, signal),
    stream: (request, signal) => provider.stream({ ...request, model }, signal),
    ...(embed && { embed: (texts, signal) => embed.call(provider, texts, signal) }),
  };
}

/** The failures of one request so far. */
class Failures {
  readonly notes: ModelRecovery[] = [];
  readonly #account: ModelRequest['account'];
  /** The failure of the whole list: a busy provider answers later, so its failure counts more than a final one of another. */
  last: unknown;
  #hasSent = false;

  constructor({ account }: Pick<ModelRequest, 'account'> = {}) {
    this.#account = account;
  }

  add({ name: subject }: ModelProvider, error: OkaError): void {
    const { code, message } = error;
    this.notes.push({ kind: 'fallback_model', subject, code, message });
    if (!isBusy(this.last) || isBusy(error)) this.last = error;
    this.#hasSent ||= code !== 'models.not_configured';
  }

  /** Throws the failure if the account admits no request after one that was sent. */
  async mayGoOn(): Promise<void> {
    if (this.#hasSent && this.#account && !(await this.#account.admits('retry'))) throw this.last;
    this.#hasSent = false;
  }
}

/** Failures that another model may not have, although a retry with the same one does not help. */
const OF_THIS_MODEL = [
  'models.not_configured',
  'models.key_rejected',
  'models.unknown_model',
  'models.tools_unsupported',
  'models.timed_out',
  'models.answer_too_large',
] as const;

function canFallBack(error: unknown): error is OkaError {
  return isOkaError(error) && (error.transient || isOkaError(error, OF_THIS_MODEL));
}

function noProvider(): Error {
  return modelError(
    'models.not_configured',
    'No model provider is configured. Add at least one to the configuration.',
  );
}
