// Owns: what the context tools of runs are given, and who acts in a run. Does not own: what frames mean; that is loaded
// with the first call, because few runs ask for it.
import type { WorkspaceFolder } from '../../adapters/workspace/index.ts';
import { DEFAULT_AGENT, modelOfAgent } from '../../agent/index.ts';
import { type ContextFrames, type FrameErrorCode, USER_AGENT } from '../../context/index.ts';
import { agentOf, runStream } from '../../engine/index.ts';
import { type Clock, type JsonObject, OkaError, type Redactor } from '../../kernel/index.ts';
import type { EventStore } from '../../ledger/index.ts';
import type { FrameService } from '../../tools/index.ts';
import type { OpenLedger } from '../ledger/open-ledger.ts';
import type { ContextWorkbench } from './context.ts';

/** What an engine that acts on a workspace has at hand. */
export interface ContextDeskParts {
  readonly folder: WorkspaceFolder;
  readonly ledger: OpenLedger;
  readonly clock: Clock;
  readonly redactor: Redactor;
  readonly surroundings: Awaited<ReturnType<ContextWorkbench['surroundings']>>;
  /** Where runs are looked up; the ledger's unless told. */
  readonly events?: EventStore;
}

/** The capability `context`, for an engine that may act. */
export function contextDesk(parts: ContextDeskParts): FrameService {
  const { ledger, events = ledger.events } = parts;
  let opened: Promise<ContextFrames> | undefined;
  const frames = (): Promise<ContextFrames> => {
    opened ??= openFrames(parts);
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
    modelOf: (agent) => (agent === USER_AGENT ? undefined : modelOfAgent(agent)),
  };
}

async function openFrames({ surroundings, ledger, ...parts }: ContextDeskParts): Promise<ContextFrames> {
  const { framesOn } = await import('./context.ts');
  const bench = {
    ...parts,
    ledger: () => ledger,
    // An engine that may act is opened only in a workspace that the person trusts.
    requireTrust: () => undefined,
    config: async () => ({ alwaysSync: false }),
    writable: async () => ledger,
    surroundings: async () => surroundings,
  };
  return framesOn(bench, ledger).frames;
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
