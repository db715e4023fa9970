import type { ModelProvider } from '../models/index.ts';

export interface AgentModels {
  /** Throws `models.not_configured` when there is none of that name. */
  find(name: string | undefined): Promise<{
    readonly provider: ModelProvider;
    readonly model: string;
    /** The context size, if it is known. */
    readonly contextTokens?: number;
  }>;
}

/** Gets the text of a model while it streams. The record has the whole answer. */
export type TextListener = (piece: {
  readonly run: string;
  readonly text: string;
  /** True for the end of the answer. */
  readonly last?: true;
}) => void;
