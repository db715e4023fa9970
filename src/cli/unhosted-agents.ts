import type { Context } from './context.ts';
import { findDaemon } from './daemon-link.ts';
import { placeOf } from './host-process.ts';

/** The agents that neither the daemon nor their own host runs. */
export async function unhostedAgents(
  context: Context,
  agents: readonly string[],
): Promise<readonly string[]> {
  if (agents.length === 0 || (await isRunning(context))) return [];
  const found = await Promise.all(agents.map((agent) => isRunning(context, agent)));
  return agents.filter((_, i) => !found[i]);
}

async function isRunning(context: Context, agent?: string): Promise<boolean> {
  const running = await findDaemon(placeOf(context, agent));
  running?.link.close();
  return running !== undefined;
}
