import type { Capabilities } from '../../engine/index.ts';
import type { EventStore } from '../../ledger/index.ts';
import type { MemoryService, MessageComposer, ReminderService } from '../../tools/index.ts';
import { chatAgents } from '../chat/chat-agents.ts';
import { chatDesk } from '../chat/chat-desk.ts';
import { contextDesk } from '../context/context-desk.ts';
import { memoryKeeper } from '../memory/memory.ts';
import type { WorkspaceServices } from './workspace-services.ts';

/** What tools can do with the memory, context and conversations of the workspace. */
export async function workspaceCapabilities(services: WorkspaceServices): Promise<Capabilities> {
  return {
    memory: memoryKeeper(services),
    context: contextDesk(services),
    chat: await chatOf(services),
    reminders: remindersOf(services),
  };
}

/** The same without effects, for a dry run that is recorded in `events`. */
export async function dryRunCapabilities(
  services: WorkspaceServices,
  events: EventStore,
): Promise<Capabilities> {
  const { recall, facts } = memoryKeeper(services);
  const memory: MemoryService = {
    recall,
    facts,
    remember: async () => ({ id: 'not-kept', outcome: 'added', untrusted: false }),
    forget: async () => undefined,
  };
  return {
    memory,
    context: contextDesk(services, events),
    chat: await chatOf(services),
    reminders: remindersOf(services),
  };
}

async function chatOf({ ledger, agents, config }: WorkspaceServices): Promise<MessageComposer> {
  const { ttlMs: _, ...limits } = (await config()).chat;
  return chatDesk({ ledger, agents: chatAgents(agents), limits });
}

function remindersOf({ graphs }: WorkspaceServices): ReminderService {
  const schedules = async (): Promise<ReminderService> => (await graphs()).schedules;
  return {
    remind: async (request) => (await schedules()).remind(request),
    reminders: async () => (await schedules()).reminders(),
    cancelReminder: async (id, run) => (await schedules()).cancelReminder(id, run),
  };
}
