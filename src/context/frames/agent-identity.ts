import { frameError } from './frame-error.ts';

export type ContextCapability = 'read' | 'append' | 'synthesize' | 'generate';

/** The `contextRole` of an agent's front matter. */
export type ContextRole = 'reader' | 'writer' | 'synthesis';

/** An actor on context, independent of its model. */
export interface AgentIdentity {
  readonly id: string;
  readonly role: ContextRole;
  readonly capabilities: readonly ContextCapability[];
}

export interface ContextAgents {
  /** Throws if the agent does not exist. */
  find(agent: string): Promise<AgentIdentity>;
}

const CAPABILITIES: Readonly<Record<ContextRole, readonly ContextCapability[]>> = {
  reader: ['read'],
  writer: ['read', 'append', 'generate'],
  synthesis: ['read', 'append', 'synthesize', 'generate'],
};

/** The agent name of the user. */
export const USER_AGENT = 'user';

/** The identity of an agent; without a role it may only read. */
export function identityOf(agent: string, role: ContextRole = 'reader'): AgentIdentity {
  return { id: agent, role, capabilities: CAPABILITIES[role] };
}

/** The user, who may do everything. */
export const USER_IDENTITY: AgentIdentity = identityOf(USER_AGENT, 'synthesis');

/** The agent if it has this capability; otherwise throws and names the role that it needs. */
export async function requireAgent(
  agents: ContextAgents,
  agent: string,
  capability: ContextCapability,
): Promise<AgentIdentity> {
  const identity = await agents.find(agent);
  if (identity.capabilities.includes(capability)) return identity;
  const wanted = capability === 'synthesize' ? 'synthesis' : 'writer';
  throw frameError(
    'context.not_allowed',
    `Agent "${agent}" has the context role ${identity.role} and may not ${capability}. Set contextRole: ${wanted}, or use another agent.`,
    { agent, role: identity.role, capability },
  );
}
