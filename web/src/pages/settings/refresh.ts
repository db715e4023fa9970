// The ledger has no events for models and servers, so what changes them says what to read again.

import { queryClient } from '../../api/query.ts';

export const refreshModels = (): Promise<void> =>
  queryClient.invalidateQueries({
    predicate: ({ queryKey: [path] }) => typeof path === 'string' && /^\/v1\/(model|agents)/.test(path),
  });

export const refreshServers = (): Promise<void> =>
  queryClient.invalidateQueries({
    predicate: ({ queryKey: [path] }) => path === '/v1/mcp-servers' || path === '/v1/tools',
  });
