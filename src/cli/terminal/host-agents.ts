import { isOkaError, type OkaApi } from '../../api/index.ts';
import type { Context } from '../context.ts';
import { findDaemon } from '../daemon-link.ts';
import { placeOf } from '../host-process.ts';

/** Agents that are answered for in this process. */
export interface HostedAgents {
  /** Lets go of what is being answered at its next boundary; it can be taken up by another process. */
  stop(): Promise<void>;
}

/** Answers for the agents of the workspace while a person is at a terminal, unless a daemon does. */
export async function hostAgents(
  context: Context,
  api: OkaApi,
  onTrouble: (what: string) => void,
): Promise<HostedAgents | undefined> {
  const daemon = await findDaemon(placeOf(context));
  daemon?.link.close();
  if (daemon) return undefined;
  const leaving = new AbortController();
  const hosting = api.chat.host({ signal: leaving.signal }).catch((error: unknown) => {
    onTrouble(isOkaError(error) ? error.message : String(error));
  });
  return {
    stop: async () => {
      leaving.abort();
      await hosting;
    },
  };
}
