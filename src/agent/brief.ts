import type { Evidence } from '../engine/index.ts';
import { asObject, type JsonObject } from '../kernel/index.ts';

/** The agent of a run and its instructions. Recorded when the run starts, so that a resumed run has the same. */
export interface AgentBrief {
  readonly agent: string;
  /** The name of the model that plans. */
  readonly model?: string;
  readonly persona: string;
  /** Names and patterns of the tools for the model; undefined for the default ones. */
  readonly tools?: readonly string[];
  /** The workspace's instructions for agents, outermost first; without their text if a context pack has it. */
  readonly instructions: readonly { readonly path: string; readonly text: string }[];
  /** Skills by name and description; their text is read on demand. */
  readonly skills: readonly { readonly name: string; readonly description: string }[];
  readonly temperature?: number;
  readonly topP?: number;
}

/** The name of an agent's brief in the evidence. */
export const BRIEF = 'agent.brief';

/** A brief as JSON, for the record. */
export function briefToJson(brief: AgentBrief): JsonObject {
  return JSON.parse(JSON.stringify(brief)) as JsonObject;
}

/** The brief that was recorded when the run started. */
export function recordedBrief(evidence: readonly Evidence[]): AgentBrief | undefined {
  const found = evidence.find(({ source, tool }) => source === 'recall' && tool === BRIEF);
  return found && (asObject(found.output) as unknown as AgentBrief);
}
