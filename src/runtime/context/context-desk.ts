// Owns: what the context tools of runs are given, and who acts in a run. Does not own: what frames mean; that is loaded
// with the first call, because few runs ask for it.
import { DEFAULT_AGENT, modelOfAgent } from '../../agent/index.ts';
import { type ContextFrames, type FrameErrorCode, USER_AGENT } from '../../context/index.ts';
import { agentOf, runStream } from '../../engine/index.ts';
import { type JsonObject, OkaError } from '../../kernel/index.ts';
import type { EventStore } from '../../ledger/index.ts';
import type { AgentVoice, FrameService } from '../../tools/index.ts';
import type { ContextServices } from './context.ts';

/** The capability `context`, for an engine that may act. `events` holds the runs; the ledger does by default. */
export function contextDesk(
  services: ContextServices,
  events: EventStore = services.ledger().events,
): FrameService {
  let opened: Promise<ContextFrames> | undefined;
  const frames = (): Promise<ContextFrames> => {
    opened ??= import('./context.ts').then(({ framesOn }) => framesOn(services, services.ledger()).frames);
    return opened;
  };
  return {
    getNode: async (...request) => (await frames()).getNode(...request),
    compose: async (...request) => (await frames()).compose(...request),
    draftPut: async (...request) => (await frames()).draftPut(...request),
    draftSynthesis: async (...request) => (await frames()).draftSynthesis(...request),
    prepareGeneration: async (order) => (await frames()).prepareGeneration(order),
    findAnswer: async (...request) => (await frames()).findAnswer(...request),
    draftGenerated: async (...request) => (await frames()).draftGenerated(...request),
    actingAgent: (run, asked) => actingAgent(events, run, asked),
    voiceOf: (agent) => voiceOf(services, agent),
  };
}

async function voiceOf({ agents }: ContextServices, agent: string): Promise<AgentVoice> {
  if (agent === USER_AGENT) return {};
  const all = await agents();
  const { persona, temperature, topP } = await all.load(agent);
  const untrusted = await all.untrustedBrief?.(agent);
  return {
    model: modelOfAgent(agent),
    persona,
    ...(temperature === undefined ? {} : { temperature }),
    ...(topP === undefined ? {} : { topP }),
    ...(untrusted === undefined ? {} : { untrusted }),
  };
}

async function actingAgent(events: EventStore, run: string, asked: string | undefined): Promise<string> {
  const own = await agentOfRun(events, run);
  if (asked === undefined || asked === own || own === USER_AGENT) return asked ?? own;
  const code: FrameErrorCode = 'context.not_allowed';
  throw new OkaError(code, `the agent "${own}" cannot act as "${asked}"; leave the agent out.`, {
    data: { agent: own, asked },
  });
}

const KINDS_OF_AGENTS: readonly unknown[] = ['agent', 'assistant'];

/** Whose run it is: the agent's that it, or a run above it, was started for; else the person's. */
async function agentOfRun(events: EventStore, run: string): Promise<string> {
  const [started] = await events.read(runStream(run));
  const { kind, lineage } = (started?.data ?? {}) as { kind?: string; lineage?: { parent?: string } };
  const { vars } = (started?.body ?? {}) as { vars?: JsonObject };
  const agent = agentOf(vars);
  if (agent !== undefined) return agent;
  if (KINDS_OF_AGENTS.includes(kind)) return DEFAULT_AGENT.name;
  return lineage?.parent === undefined ? USER_AGENT : agentOfRun(events, lineage.parent);
}
