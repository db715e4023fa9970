import { frameError } from './frame-error.ts';

/** What an agent may do with context. */
export type ContextCapability = 'read' | 'append' | 'synthesize' | 'generate';

/** How an agent stands to context; front matter `contextRole`. */
export type ContextRole = 'reader' | 'writer' | 'synthesis';

/** Who acts on context, whatever model it thinks with. */
export interface AgentIdentity {
  readonly id: string;
  readonly role: ContextRole;
  readonly capabilities: readonly ContextCapability[];
}

/** Knows who may act on context. */
export interface ContextAgents {
  /** Throws where there is no such agent. */
  find(agent: string): Promise<AgentIdentity>;
}

const CAPABILITIES: Readonly<Record<ContextRole, readonly ContextCapability[]>> = {
  reader: ['read'],
  writer: ['read', 'append', 'generate'],
  synthesis: ['read', 'append', 'synthesize', 'generate'],
};

/** The name that a person acts under. */
export const USER_AGENT = 'user';

/** The identity of an agent with this role; one that has none may only read. */
export function identityOf(agent: string, role: ContextRole = 'reader'): AgentIdentity {
  return { id: agent, role, capabilities: CAPABILITIES[role] };
}

/** The person at the keyboard, who may do everything. */
export const USER_IDENTITY: AgentIdentity = identityOf(USER_AGENT, 'synthesis');

/** The agent, if it may do this; else refuses and says what would let it. */
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
    `the agent "${agent}" is a ${identity.role} of context and may not ${capability}; give it contextRole: ${wanted}, or use another agent.`,
    { agent, role: identity.role, capability },
  );
}
