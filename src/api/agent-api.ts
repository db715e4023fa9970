import * as z from 'zod';

import { flag, list, number, record, type SchemasOf, type TypeOf, text } from './schemas.ts';

/** One thing that is wrong with an agent, and the way out. */
const agentProblemView = z.object({
  code: text,
  field: text.exactOptional(),
  message: text,
  next: text,
});
export type AgentProblemView = TypeOf<typeof agentProblemView>;

/** An agent as lists show it. */
const agentView = z.object({
  name: text,
  description: text.exactOptional(),
  provider: text.exactOptional(),
  model: text.exactOptional(),
  script: text.exactOptional(),
  contextRole: z.enum(['reader', 'writer', 'synthesis']).exactOptional(),
  tools: list(text).exactOptional(),
  /** Its file, relative to the workspace; the built-in agent has none. */
  path: text.exactOptional(),
  valid: flag,
});
export type AgentView = TypeOf<typeof agentView>;

const agentDetails = agentView.extend({
  fallback: list(text).exactOptional(),
  temperature: number.exactOptional(),
  budgets: record(number).exactOptional(),
  persona: text,
  problems: list(agentProblemView),
});
export type AgentDetails = TypeOf<typeof agentDetails>;

const agentCheckAnswer = z.object({
  valid: flag,
  agents: list(
    z.object({ name: text, path: text.exactOptional(), valid: flag, problems: list(agentProblemView) }),
  ),
});
export type AgentCheckAnswer = TypeOf<typeof agentCheckAnswer>;

const newAgentRequest = z.object({
  name: text,
  description: text.exactOptional(),
  provider: text.exactOptional(),
  model: text.exactOptional(),
  script: text.exactOptional(),
  fallback: list(text).exactOptional(),
  temperature: number.exactOptional(),
  contextRole: text.exactOptional(),
  tools: list(text).exactOptional(),
  budgets: record(number).exactOptional(),
  persona: text.exactOptional(),
});
export type NewAgentRequest = TypeOf<typeof newAgentRequest>;

/** What can be asked about agents. People write them; no run can. */
export interface AgentApi {
  list(): Promise<readonly AgentView[]>;
  show(name: string): Promise<AgentDetails>;
  /** Writes the file of a new agent, unless anything about it is wrong. */
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
