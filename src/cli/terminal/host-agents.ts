import { isOkaError, type OkaApi } from '../../api/index.ts';
import type { Context } from '../context.ts';
import { findDaemon } from '../daemon-link.ts';
import { placeOf } from '../host-process.ts';

export interface HostedAgents {
  /** Stops the turns at their next step. Another process can continue them. */
  stop(): Promise<void>;
}

/** Runs the agents of the workspace in this process, unless a daemon does. */
export async function hostAgents(
  context: Context,
  api: OkaApi,
  onWarning: (what: string) => void,
): Promise<HostedAgents | undefined> {
  const daemon = await findDaemon(placeOf(context));
  daemon?.link.close();
  if (daemon) return undefined;
  const stopping = new AbortController();
  const hosting = api.chat.host({ signal: stopping.signal }).catch((error: unknown) => {
    onWarning(isOkaError(error) ? error.message : String(error));
  });
  return {
    stop: async () => {
      stopping.abort();
      await hosting;
    },
  };
}
