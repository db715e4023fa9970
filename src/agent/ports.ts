import type { ModelProvider } from '../models/index.ts';

/** Finds the model that a name stands for. */
export interface AgentModels {
  /** Throws `models.not_configured` when there is none of that name. */
  find(name: string | undefined): Promise<{
    readonly provider: ModelProvider;
    readonly model: string;
    /** How many tokens it can look at, where that is known. */
    readonly contextTokens?: number;
  }>;
}

/** Hears what a model says while it says it. Nothing rests on it; the record has the whole. */
export type HearText = (piece: {
  readonly run: string;
  readonly text: string;
  /** The answer is over. */
  readonly last?: true;
}) => void;
