/** The request format of a provider. */
export type ProviderWire = 'openai' | 'anthropic' | 'ollama' | 'openai-compatible';

/** What Oka knows about a provider before any configuration. */
export interface ProviderFacts {
  /** The name in `config.json` and in `provider/model`. */
  readonly id: string;
  readonly title: string;
  /** The default address; missing if the user has to give one. */
  readonly baseUrl?: string;
  /** The environment variable that holds its key. */
  readonly keyVariable?: string;
  readonly needsKey: boolean;
  readonly wire: ProviderWire;
  /** Runs on this machine by default, so its tokens cost nothing. */
  readonly isLocal: boolean;
}

const REMOTE = { needsKey: true, isLocal: false } as const;
const LOCAL = { needsKey: false, isLocal: true } as const;

/** Every provider that Oka can set up, in the order of the picker. Adding one here is all that it takes. */
export const PROVIDER_CATALOGUE = [
  {
    id: 'openai',
    title: 'OpenAI',
    baseUrl: 'https://api.openai.com/v1',
    keyVariable: 'OPENAI_API_KEY',
    wire: 'openai',
    ...REMOTE,
  },
  {
    id: 'anthropic',
    title: 'Anthropic',
    baseUrl: 'https://api.anthropic.com/v1',
    keyVariable: 'ANTHROPIC_API_KEY',
    wire: 'anthropic',
    ...REMOTE,
  },
  { id: 'ollama', title: 'Ollama', baseUrl: 'http://127.0.0.1:11434', wire: 'ollama', ...LOCAL },
  {
    id: 'lmstudio',
    title: 'LM Studio',
    baseUrl: 'http://127.0.0.1:1234/v1',
    keyVariable: 'LMSTUDIO_API_KEY',
    wire: 'openai-compatible',
    ...LOCAL,
  },
  {
    id: 'llamacpp',
    title: 'llama.cpp',
    baseUrl: 'http://127.0.0.1:8080/v1',
    keyVariable: 'LLAMA_API_KEY',
    wire: 'openai-compatible',
    ...LOCAL,
  },
  {
    id: 'vllm',
    title: 'vLLM',
    baseUrl: 'http://127.0.0.1:8000/v1',
    keyVariable: 'VLLM_API_KEY',
    wire: 'openai-compatible',
    ...LOCAL,
  },
  {
    id: 'openrouter',
    title: 'OpenRouter',
    baseUrl: 'https://openrouter.ai/api/v1',
    keyVariable: 'OPENROUTER_API_KEY',
    wire: 'openai-compatible',
    ...REMOTE,
  },
  {
    id: 'groq',
    title: 'Groq',
    baseUrl: 'https://api.groq.com/openai/v1',
    keyVariable: 'GROQ_API_KEY',
    wire: 'openai-compatible',
    ...REMOTE,
  },
  {
    id: 'mistral',
    title: 'Mistral',
    baseUrl: 'https://api.mistral.ai/v1',
    keyVariable: 'MISTRAL_API_KEY',
    wire: 'openai-compatible',
    ...REMOTE,
  },
  {
    id: 'deepseek',
    title: 'DeepSeek',
    baseUrl: 'https://api.deepseek.com/v1',
    keyVariable: 'DEEPSEEK_API_KEY',
    wire: 'openai-compatible',
    ...REMOTE,
  },
  {
    id: 'gemini',
    title: 'Gemini',
    baseUrl: 'https://generativelanguage.googleapis.com/v1beta/openai',
    keyVariable: 'GEMINI_API_KEY',
    wire: 'openai-compatible',
    ...REMOTE,
  },
  {
    id: 'openai-compatible',
    title: 'Any URL with the OpenAI API',
    wire: 'openai-compatible',
    needsKey: false,
    isLocal: false,
  },
] as const satisfies readonly ProviderFacts[];

export type ProviderId = (typeof PROVIDER_CATALOGUE)[number]['id'];

export const PROVIDER_IDS: readonly ProviderId[] = PROVIDER_CATALOGUE.map(({ id }) => id);

/** The facts of a provider; undefined for an unknown one. */
export function providerFacts(id: string): (ProviderFacts & { readonly id: ProviderId }) | undefined {
  return PROVIDER_CATALOGUE.find((provider) => provider.id === id);
}

/** The name of the credential that holds the key of a provider in the user's vault. */
export function keyNameOf(provider: string, host?: string): string {
  const place = host === undefined ? '' : `-${host.toLowerCase().replaceAll(/[^a-z0-9]+/g, '-')}`;
  return `model-${provider}${place}`;
}
