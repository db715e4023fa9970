import * as z from 'zod';
import { epochMs, flag, list, number, record, type SchemasOf, type TypeOf, text } from './schemas.ts';

/** A problem of an agent, and its fix. */
const agentProblemView = z.object({
  code: text,
  field: text.exactOptional(),
  message: text,
  next: text,
});
export type AgentProblemView = TypeOf<typeof agentProblemView>;

const agentView = z.object({
  name: text,
  description: text.exactOptional(),
  provider: text.exactOptional(),
  /** Without a provider, the name of a configured model. */
  model: text.exactOptional(),
  script: text.exactOptional(),
  contextRole: z.enum(['reader', 'writer', 'synthesis']).exactOptional(),
  tools: list(text).exactOptional(),
  /** Relative to the workspace; missing for the built-in agent. */
  path: text.exactOptional(),
  valid: flag,
  /** The process of its own, started with `oka agent run`. */
  process: z.object({ pid: number, startedAt: epochMs }).exactOptional(),
});
export type AgentView = TypeOf<typeof agentView>;

const agentDetails = agentView.extend({
  fallback: list(text).exactOptional(),
  temperature: number.exactOptional(),
  topP: number.exactOptional(),
  budgets: record(number).exactOptional(),
  /** The model that answers for the agent now, as `provider/model`. Missing without a model. */
  answeredBy: text.exactOptional(),
  persona: text,
  problems: list(agentProblemView),
});
export type AgentDetails = TypeOf<typeof agentDetails>;

const agentCheckAnswer = z.object({
  valid: flag,
  agents: list(agentDetails.pick({ name: true, path: true, valid: true, problems: true })),
});
export type AgentCheckAnswer = TypeOf<typeof agentCheckAnswer>;

const newAgentRequest = agentDetails
  .omit({ path: true, valid: true, problems: true, answeredBy: true, process: true })
  .extend({ contextRole: text.exactOptional(), persona: text.exactOptional() });
export type NewAgentRequest = TypeOf<typeof newAgentRequest>;

/** Agents. Only users create them, never runs. */
export interface AgentApi {
  list(): Promise<readonly AgentView[]>;
  show(name: string): Promise<AgentDetails>;
  /** Writes the file of a new agent; fails if it is not valid. */
  create(request: NewAgentRequest): Promise<AgentDetails>;
  /** Checks one agent, or all. */
  check(name?: string): Promise<AgentCheckAnswer>;
}

export const agentSchemas: SchemasOf<AgentApi> = {
  list: [[], list(agentView)],
  show: [[{ name: text }], agentDetails],
  create: [[newAgentRequest], agentDetails],
  check: [[{ name: text.optional() }], agentCheckAnswer],
};
