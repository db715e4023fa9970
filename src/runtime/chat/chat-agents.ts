import type { ChatAgents } from '../../chat/index.ts';
import type { WorkspaceServices } from '../services/workspace-services.ts';

/** The agents of a workspace, as conversations see them. */
export function chatAgents(agents: WorkspaceServices['agents']): ChatAgents {
  return {
    names: async () => (await agents()).names(),
    toolsOf: async (agent) => (await (await agents()).load(agent)).tools,
  };
}
