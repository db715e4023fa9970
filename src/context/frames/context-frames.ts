// Owns: one way to all that can be done with frames, its writers one after another. Does not own: the tree.
import type { EpochMs } from '../../kernel/index.ts';
import { requireAgent } from './agent-identity.ts';
import { type Composition, type CompositionPolicy, compose } from './compose.ts';
import type { ContextParts } from './context-parts.ts';
import type { ContextView } from './context-view.ts';
import {
  findAnswer,
  type GeneratedAnswer,
  type GenerationOrder,
  type PreparedGeneration,
  planGenerated,
  prepareGeneration,
} from './generation.ts';
import type { PlannedFrame } from './plan-frame.ts';
import type { PlannedSynthesis } from './plan-synthesis.ts';
import type { ContentBlobs, FrameGenerator } from './ports.ts';
import {
  getHead,
  getNode,
  type HeadReading,
  listFrames,
  type NodeContext,
  resolveLineage,
} from './read-context.ts';
import { type Regeneration, regenerate } from './regenerate.ts';
import { type ContextReport, countFrames, reportContext } from './report-context.ts';
import { resolveNode } from './resolve-node.ts';
import type { FrameSummary } from './types.ts';
import { type ContextFault, validateFrames } from './validate-frames.ts';
import {
  invalidateHeads,
  type PutFrame,
  planBranch,
  planPut,
  type Synthesize,
  synthesizeBranch,
} from './write-context.ts';
import { writeFrames } from './write-frames.ts';

const MOST_MODEL_CALLS = 20;

/** A frame that was written, or that stood there already. */
export interface WrittenFrame {
  readonly frame: string;
  readonly node: string;
  readonly path: string;
  readonly type: string;
  /** `moved`: the frame was there, and is the head again; `known`: it was the head already. */
  readonly outcome: PlannedFrame['outcome'];
}

/** A directory's frame, and the children that had nothing to say. */
export interface WrittenSynthesis extends WrittenFrame {
  readonly skipped: readonly string[];
  /** How many frames were appended, those below included. */
  readonly appended: number;
}

/** What is to be made again. */
export interface RegenerateRequest {
  readonly node: string;
  readonly recursive: boolean;
  readonly types?: readonly string[];
  readonly dryRun: boolean;
  readonly agent: string;
  readonly by: string;
  readonly generator?: FrameGenerator;
  readonly maxModelCalls?: number;
  /** Only heads of these paths within the scope; all of them unless told. */
  readonly paths?: ReadonlySet<string>;
}

/** What was said about a workspace: reading it, adding to it, making it again. */
export class ContextFrames {
  readonly #parts: ContextParts;
  #writing: Promise<unknown> = Promise.resolve();

  constructor(parts: ContextParts) {
    this.#parts = parts;
  }

  getNode(node: string, view: ContextView, agent: string): Promise<NodeContext> {
    return getNode(this.#parts, node, view, agent);
  }

  listFrames(node: string, type?: string): Promise<readonly FrameSummary[]> {
    return listFrames(this.#parts, node, type);
  }

  getHead(node: string, type?: string): Promise<HeadReading> {
    return getHead(this.#parts, node, type);
  }

  /** Puts frames of several sources together; reads only. */
  async compose(node: string, policy: CompositionPolicy, agent: string): Promise<Composition> {
    await requireAgent(this.#parts.agents, agent, 'read');
    return compose(this.#parts, await resolveNode(this.#parts.tree, node), policy);
  }

  /** Appends a frame and makes it the head, in one commit. */
  putFrame(request: PutFrame & { readonly by: string }): Promise<WrittenFrame> {
    return this.#inTurn(async () => {
      const decide = () => planPut(this.#parts, this.#parts.blobs, request);
      const [planned] = await writeFrames(this.#parts, request.by, [request], decide);
      return written(planned as Awaited<ReturnType<typeof decide>>, request.type);
    });
  }

  /** Makes one frame of what a directory's children say. */
  synthesize(
    request: Synthesize & { readonly recursive: boolean; readonly by: string },
  ): Promise<WrittenSynthesis> {
    return this.#inTurn(async () => {
      const { frame, node, appended } = await synthesizeBranch(this.#parts, request);
      return { ...written({ ...frame, node }, request.type), skipped: frame.skipped, appended };
    });
  }

  /** Makes again what does not hold any more within a scope. Others may write, and regenerate, meanwhile. */
  async regenerate(request: RegenerateRequest): Promise<Regeneration> {
    const { node, agent, dryRun, maxModelCalls = MOST_MODEL_CALLS, ...order } = request;
    await requireAgent(this.#parts.agents, agent, dryRun ? 'read' : 'synthesize');
    const { path } = await resolveLineage(this.#parts, node);
    return regenerate(this.#parts, { ...order, path, dryRun, maxModelCalls });
  }

  invalidate(request: Parameters<typeof invalidateHeads>[1]): ReturnType<typeof invalidateHeads> {
    return this.#inTurn(() => invalidateHeads(this.#parts, request));
  }

  validate(): Promise<readonly ContextFault[]> {
    return validateFrames(this.#parts);
  }

  report(options: { readonly since?: EpochMs }): Promise<ContextReport> {
    return reportContext(this.#parts, options);
  }

  counts(): ReturnType<typeof countFrames> {
    return countFrames(this.#parts);
  }

  /** The events that `putFrame` would commit, for whoever commits them with something else. */
  async draftPut(request: PutFrame, blobs: Pick<ContentBlobs, 'put'>): Promise<DraftedFrame> {
    const planned = await planPut(this.#parts, blobs, request);
    return { ...written(planned, request.type), events: planned.events };
  }

  /** The events that `synthesize` would commit for this one directory. */
  async draftSynthesis(
    request: Synthesize,
    blobs: Pick<ContentBlobs, 'put'>,
  ): Promise<DraftedFrame & Pick<PlannedSynthesis, 'skipped'>> {
    const planned = await planBranch(this.#parts, blobs, request);
    return { ...written(planned, request.type), skipped: planned.skipped, events: planned.events };
  }

  prepareGeneration(order: GenerationOrder): Promise<PreparedGeneration> {
    return prepareGeneration(this.#parts, order);
  }

  /** What was answered to the same question before, if that still counts. */
  findAnswer(prepared: PreparedGeneration, question: string): Promise<GeneratedAnswer | undefined> {
    return findAnswer(this.#parts, prepared, question);
  }

  /** The events that append what a model has written. */
  async draftGenerated(
    prepared: PreparedGeneration,
    answer: GeneratedAnswer,
    blobs: Pick<ContentBlobs, 'put'>,
  ): Promise<DraftedFrame> {
    const planned = await planGenerated(this.#parts, blobs, prepared, answer);
    return { ...written({ ...planned, node: prepared.node }, prepared.type), events: planned.events };
  }

  /** Writers of this process wait for each other, so that only other processes can be faster. */
  #inTurn<Answer>(work: () => Promise<Answer>): Promise<Answer> {
    const turn = this.#writing.then(work, work);
    this.#writing = turn.catch(() => undefined);
    return turn;
  }
}

/** A frame that is not written yet, and the events that write it. */
export interface DraftedFrame extends WrittenFrame {
  readonly events: PlannedFrame['events'];
}

function written(
  { id, outcome, node }: PlannedFrame & { readonly node: { readonly id: string; readonly path: string } },
  type: string,
): WrittenFrame {
  return { frame: id, node: node.id, path: node.path, type, outcome };
}
