/** A model that this machine could use, found without anyone naming it. */
export interface ModelSuggestionView {
  readonly name: string;
  readonly provider: 'openai' | 'anthropic' | 'ollama';
  /** Left out where the person has to name one. */
  readonly model?: string;
  /** What the provider says it has. */
  readonly choices: readonly string[];
  readonly why: string;
}

export interface UseModelRequest {
  /** The name that graphs and agents will use. */
  readonly name: string;
  readonly provider: string;
  readonly model: string;
}

/** Setting up models. */
export interface ModelsApi {
  /** Keys in the environment and an Ollama that runs here; asks the providers what they have. */
  suggest(): Promise<readonly ModelSuggestionView[]>;
  /** Whether any model is configured. */
  configured(): Promise<readonly string[]>;
  /** Puts a model into the person's own configuration, as the default unless there is one. */
  use(request: UseModelRequest): Promise<{ readonly file: string; readonly default: string }>;
}
