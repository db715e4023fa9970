import { useMemo } from 'react';
import { agentOfSession } from '../../../../src/api/session-names.ts';
import { useApi } from '../../api/query.ts';

/** The agent that `oka` without a command talks with. */
export const DEFAULT_AGENT = 'anton';

/** The names of all agents, and the agent that a session belongs to. */
export function useAgents(conversation?: string): {
  readonly names: readonly string[];
  readonly to: string | undefined;
} {
  const { data } = useApi('/v1/agents');
  return useMemo(() => {
    const names = data?.map(({ name }) => name) ?? [];
    return { names, to: conversation === undefined ? undefined : agentOfSession(conversation, names) };
  }, [data, conversation]);
}
