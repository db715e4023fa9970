import { Agent, fetch as ask } from 'undici';
import type { Clock, Redactor } from '../../kernel/index.ts';
import { type ModelProvider, modelError, type ProviderWire, providerFacts } from '../../models/index.ts';
import { callLimits } from './call-limits.ts';
import { guardedFetch } from './guarded-fetch.ts';
import { SdkProvider } from './sdk-provider.ts';
import { doneEventEnd, doneLineEnd, messageStopEnd, type StreamEnd } from './stream-end.ts';
import { cutKeys } from './to-model-error.ts';
import type { Connection, ModelSettings, SdkModels } from './types.ts';

interface Wire {
  readonly streamEnd: () => StreamEnd;
  /** Loads the provider's heavy package on first use. */
  load(): Promise<(connection: Connection) => SdkModels>;
}

/** Every request format: its stream end mark and its module. */
const WIRES: Readonly<Record<ProviderWire, Wire>> = {
  openai: { streamEnd: doneEventEnd, load: async () => (await import('./openai-models.ts')).openaiModels },
  anthropic: {
    streamEnd: messageStopEnd,
    load: async () => (await import('./anthropic-models.ts')).anthropicModels,
  },
  ollama: { streamEnd: doneLineEnd, load: async () => (await import('./ollama-models.ts')).ollamaModels },
  'openai-compatible': {
    streamEnd: doneEventEnd,
    load: async () => (await import('./openai-compatible-models.ts')).openaiCompatibleModels,
  },
};

interface OpenOptions {
  readonly clock: Clock;
  readonly redactor: Redactor;
  /** How long a provider may be silent, unless its entry overrides it. */
  readonly quietMs?: number;
  readonly fetch?: typeof fetch;
}

/** Opens the provider of one model, without retries. */
export async function openRemote(settings: ModelSettings, options: OpenOptions): Promise<ModelProvider> {
  const { entry, baseUrl, key } = settings;
  const { clock, redactor } = options;
  const facts = providerFacts(entry.provider);
  if (facts === undefined)
    throw modelError(
      'models.not_configured',
      `Unknown provider "${entry.provider}". See: oka model add --help.`,
    );
  const { streamEnd, load } = WIRES[facts.wire];
  if (key) redactor.addSecret(`key of ${entry.provider}`, key.value);
  const limits = callLimits({
    quietMs: entry.timeoutMs ?? options.quietMs,
    totalMs: entry.totalTimeoutMs,
    maxBytes: entry.maxAnswerBytes,
  });
  const models = (await load())({
    baseUrl,
    key: key?.value,
    fetch: guardedFetch({
      fetch: options.fetch ?? openFetch(),
      clock,
      limits,
      streamEnd,
      who: `${entry.provider} (${entry.model})`,
    }),
  });
  const asked = {
    provider: entry.provider,
    baseUrl,
    keyPlace: key?.place,
    redact: (text: string) => redactor.text(cutKeys(text, key?.value)),
    now: () => clock.now(),
  };
  return new SdkProvider({ entry, models, asked, limits });
}

/** Fetches without built-in timeouts, because slow local models have a configured limit. */
function openFetch(): typeof fetch {
  const dispatcher = new Agent({ headersTimeout: 0, bodyTimeout: 0 });
  const open = (input: Parameters<typeof ask>[0], init: Parameters<typeof ask>[1]): ReturnType<typeof ask> =>
    ask(input, { ...init, dispatcher });
  return open as unknown as typeof fetch;
}
