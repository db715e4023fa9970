import { join } from 'node:path';
import { ProcessRecord } from '../../adapters/processes/index.ts';
import type { Owners } from '../../engine/index.ts';

/** The live process that `oka agent run` started for an agent; `directory` is the `.oka` folder. */
export function agentProcess(
  directory: string,
  owners: Owners,
  agent: string,
): ReturnType<ProcessRecord['read']> {
  const found = new ProcessRecord(join(directory, 'run'), `agent-${agent}`).read();
  return found !== undefined && owners.isAlive(found.owner) ? found : undefined;
}
