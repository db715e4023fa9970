// Owns: repeating the decisions of a case, with the recorded or with today's workspace. Records nothing.
import {
  Engine,
  MemoryArtifactStore,
  type ReplayedDecision,
  type RunKind,
  type RunState,
  replayRun,
  type StateGraph,
} from '../../engine/index.ts';
import {
  type ActualDecision,
  type CaseRun,
  caseEvents,
  describeRequest,
  digestOfText,
} from '../../eval/index.ts';
import type { LedgerEvent } from '../../ledger/index.ts';
import { openProcesses } from '../process/open-processes.ts';
import { loadBehaviour } from '../services/extensions.ts';
import type { WorkspaceServices } from '../services/workspace-services.ts';
import { type CurrentModels, recordedModel } from './current-models.ts';

export type EvalServices = Pick<
  WorkspaceServices,
  | 'clock'
  | 'random'
  | 'redactor'
  | 'policy'
  | 'moreTools'
  | 'packs'
  | 'models'
  | 'agents'
  | 'config'
  | 'folder'
  | 'home'
  | 'trust'
>;

/** An engine with today's tools, planners and policy, and nothing to act with. */
export async function openEvalEngine(services: EvalServices, blobs: Iterable<string>): Promise<Engine> {
  const { clock, random, redactor } = services;
  const artifacts = new MemoryArtifactStore(clock);
  for (const blob of blobs) await artifacts.put(blob, { mediaType: 'application/json' });
  const { behaviour } = await loadBehaviour();
  const kinds = behaviour({ models: NO_MODELS, moreTools: await services.moreTools() });
  // Policy judges a program by what it could do on this machine; none is started.
  const capabilities = { processes: openProcesses(services, await services.config()) };
  const policy = await services.policy();
  return new Engine({ ...kinds, artifacts, clock, random, redactor, policy, capabilities });
}

/** Models are not called: their answers are in the record. */
const NO_MODELS = {
  find: async (): Promise<never> => {
    throw new Error('an eval without --live asks no model');
  },
};

export interface ReplayWith {
  readonly engine: Engine;
  readonly graph: (run: RunState, kind: RunKind) => StateGraph | Promise<StateGraph>;
  readonly events: (events: readonly LedgerEvent[], run: RunState) => Promise<readonly LedgerEvent[]>;
  readonly addBlob: (text: string) => string;
  readonly models: CurrentModels;
}

/** The decisions of one run of a case. */
export async function replayCaseRun(run: CaseRun, state: RunState, replay: ReplayWith) {
  const { parts } = replay.engine;
  const kind = parts.kinds.get(state.kind);
  if (kind === undefined) return { decisions: [], steps: [] };
  const events = await replay.events(caseEvents(run), state);
  const decisions: ActualDecision[] = [];
  const steps: ReplayedDecision[] = [];
  const { policy } = parts;
  const graph = (at: RunState) => replay.graph(at, kind);
  const model = await replay.models.ofRun(state);
  for await (const one of replayRun(events, { kind, parts, graph, policy })) {
    if (one.kind !== 'decision') continue;
    steps.push(one);
    decisions.push({ ...toActual(one, replay.addBlob), ...(await modelsOf(one, model, replay.models)) });
  }
  return { decisions, steps };
}

/** The model that a decision asks today, and the recorded one. */
async function modelsOf(
  { replayed, model: asked }: ReplayedDecision,
  ofRun: string | undefined,
  models: CurrentModels,
): Promise<Pick<ActualDecision, 'model' | 'recordedModel'>> {
  const model = asked === undefined ? await models.ofCall(replayed) : ofRun;
  const before = asked && recordedModel(asked.recorded, model);
  return {
    ...(model === undefined ? {} : { model }),
    ...(before === undefined ? {} : { recordedModel: before }),
  };
}

function toActual(one: ReplayedDecision, addBlob: (text: string) => string): ActualDecision {
  const { index, step, state, replayed, verdict, model } = one;
  const request = model?.replayed?.request;
  return {
    at: index,
    step,
    state,
    decision: replayed,
    ...(verdict === undefined ? {} : { policy: verdict.replayed.decision, why: verdict.replayed.why }),
    ...(request === undefined
      ? {}
      : { request: describeRequest(request, model?.replayed?.requestDigest ?? '', addBlob) }),
  };
}

/** Collects blobs by digest. */
export class Blobs {
  readonly texts: Record<string, string>;

  constructor(texts: Readonly<Record<string, string>> = {}) {
    this.texts = { ...texts };
  }

  readonly add = (text: string): string => {
    const digest = digestOfText(text);
    this.texts[digest] = text;
    return digest;
  };

  readonly get = (digest: string): string | undefined => this.texts[digest];
}
