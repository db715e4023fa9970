import type { Capabilities } from '../engine/index.ts';
import type { EventStore } from '../ledger/index.ts';
import type { MemoryKeeper } from '../tools/index.ts';
import { type ContextDeskParts, contextDesk } from './context-desk.ts';
import { type MemoryWorkbench, memoryKeeper } from './memory.ts';

/** What these capabilities need of the workspace; a `Workbench` has it all. */
export interface CapabilityBench
  extends MemoryWorkbench,
    Pick<ContextDeskParts, 'folder' | 'redactor' | 'clock'> {
  readonly folder: ContextDeskParts['folder'];
  readonly surroundings: () => Promise<ContextDeskParts['surroundings']>;
}

/** What tools can do with what the workspace knows. */
export async function workspaceCapabilities(bench: CapabilityBench): Promise<Capabilities> {
  return { memory: memoryKeeper(bench), context: contextDesk(await deskParts(bench)) };
}

/**
 * The same without any effect, for runs that are only tried out and recorded in `events`: what would be kept or forgotten
 * stays as it is.
 */
export async function besideCapabilities(bench: CapabilityBench, events: EventStore): Promise<Capabilities> {
  const { recall } = memoryKeeper(bench);
  const memory: MemoryKeeper = {
    recall,
    remember: async () => ({ id: 'not-kept', outcome: 'added', untrusted: false }),
    forget: async () => undefined,
  };
  return { memory, context: contextDesk({ ...(await deskParts(bench)), events }) };
}

async function deskParts(bench: CapabilityBench) {
  const { folder, clock, redactor } = bench;
  return { folder, clock, redactor, ledger: bench.ledger(), surroundings: await bench.surroundings() };
}
