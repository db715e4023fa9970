import type { Context } from './context.ts';
import { findDaemon } from './daemon-link.ts';
import { placeOf } from './host-process.ts';

/** Of these agents, those that nothing in the background answers for: neither the daemon nor a host of their own. */
export async function unhostedAgents(
  context: Context,
  agents: readonly string[],
): Promise<readonly string[]> {
  if (agents.length === 0 || (await isThere(context))) return [];
  const found = await Promise.all(agents.map((agent) => isThere(context, agent)));
  return agents.filter((_, i) => !found[i]);
}

async function isThere(context: Context, agent?: string): Promise<boolean> {
  const running = await findDaemon(placeOf(context, agent));
  running?.link.close();
  return running !== undefined;
}
