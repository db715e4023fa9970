import type { JsonObject } from '../kernel/index.ts';
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

/** Who acts and what they were told, as it stood when the run began; recorded with the run, so that a resume finds it. */
export interface AgentBrief {
  readonly agent: string;
  /** The model that plans, by the name that it is found under. */
  readonly model?: string;
  readonly persona: string;
  /** Names and families of tools that it may be offered; undefined offers what is usual. */
  readonly tools?: readonly string[];
  /** What people wrote for agents in the workspace, outermost first; without their text where a context pack holds it. */
  readonly instructions: readonly { readonly path: string; readonly text: string }[];
  /** Skills by name and description; their text is read when it is needed. */
  readonly skills: readonly { readonly name: string; readonly description: string }[];
  readonly temperature?: number;
}

/** The name under which an agent's brief stands among the evidence. */
export const BRIEF = 'agent.brief';

/** What a run names instead of a model so that it is planned by rules. */
export const NO_MODEL = 'none';

/** Hears what a model says while it says it. Nothing rests on it; the record has the whole. */
export type HearText = (piece: {
  readonly run: string;
  readonly text: string;
  /** The answer is over. */
  readonly last?: true;
}) => void;

/** A brief as JSON, for the record. */
export function briefToJson(brief: AgentBrief): JsonObject {
  return JSON.parse(JSON.stringify(brief)) as JsonObject;
}
