/** Addresses and keys of model providers from the environment. */
export interface ProviderEnvironment {
  readonly openaiKey?: string;
  readonly openaiBaseUrl?: string;
  readonly anthropicKey?: string;
  readonly anthropicBaseUrl?: string;
  readonly ollamaHost?: string;
  /** Any other variable, for keys that a configuration names. */
  get(name: string): string | undefined;
}

const VARIABLES = {
  openaiKey: 'OPENAI_API_KEY',
  openaiBaseUrl: 'OPENAI_BASE_URL',
  anthropicKey: 'ANTHROPIC_API_KEY',
  anthropicBaseUrl: 'ANTHROPIC_BASE_URL',
  ollamaHost: 'OLLAMA_HOST',
} as const;

/** Reads the standard variables of model providers; an empty one counts as unset. */
export function providerEnvironment(
  environment: Readonly<Record<string, string | undefined>> = process.env,
): ProviderEnvironment {
  const get = (name: string): string | undefined => environment[name]?.trim() || undefined;
  const found: { -readonly [Field in keyof typeof VARIABLES]?: string } = {};
  for (const field of Object.keys(VARIABLES) as (keyof typeof VARIABLES)[]) {
    const value = get(VARIABLES[field]);
    if (value !== undefined) found[field] = value;
  }
  return { ...found, get };
}
