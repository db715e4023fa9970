import type { OkaConfig } from '../../config/index.ts';
import type { Capabilities } from '../../engine/index.ts';
import type { EventStore } from '../../ledger/index.ts';
import type { MemoryService, MessageComposer } from '../../tools/index.ts';
import { chatDesk } from '../chat/chat-desk.ts';
import { type ContextDeskParts, contextDesk } from '../context/context-desk.ts';
import { type MemoryWorkbench, memoryKeeper } from '../memory/memory.ts';
import type { Surroundings } from './surroundings.ts';

/** What these capabilities need of the workspace; a `Workbench` has it all. */
export interface CapabilityBench
  extends MemoryWorkbench,
    Pick<ContextDeskParts, 'folder' | 'redactor' | 'clock'> {
  readonly folder: ContextDeskParts['folder'];
  readonly config: () => Promise<OkaConfig>;
  readonly surroundings: () => Promise<Surroundings>;
}

/** What tools can do with what the workspace knows. */
export async function workspaceCapabilities(bench: CapabilityBench): Promise<Capabilities> {
  return {
    memory: memoryKeeper(bench),
    context: contextDesk(await deskParts(bench)),
    chat: await speaking(bench),
  };
}

/**
 * The same without any effect, for runs that are only tried out and recorded in `events`: what would be kept or forgotten
 * stays as it is.
 */
export async function besideCapabilities(bench: CapabilityBench, events: EventStore): Promise<Capabilities> {
  const { recall } = memoryKeeper(bench);
  const memory: MemoryService = {
    recall,
    remember: async () => ({ id: 'not-kept', outcome: 'added', untrusted: false }),
    forget: async () => undefined,
  };
  return {
    memory,
    context: contextDesk({ ...(await deskParts(bench)), events }),
    chat: await speaking(bench),
  };
}

async function speaking(bench: CapabilityBench): Promise<MessageComposer> {
  const agents = async () => (await bench.surroundings()).agents();
  const { ttlMs: _, ...limits } = (await bench.config()).chat;
  return chatDesk({
    ledger: () => bench.ledger(),
    databaseFile: bench.folder.database,
    agents: {
      names: async () => (await agents()).names(),
      toolsOf: async (agent) => (await (await agents()).load(agent)).tools,
    },
    limits,
  });
}

async function deskParts(bench: CapabilityBench) {
  const { folder, clock, redactor } = bench;
  return { folder, clock, redactor, ledger: bench.ledger(), surroundings: await bench.surroundings() };
}
