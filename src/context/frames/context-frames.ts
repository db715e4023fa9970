// Owns: the operations on frames; writers run one after another. Does not own: the tree.
import type { EpochMs } from '../../kernel/index.ts';
import type { WorkspaceTree } from '../types.ts';
import { requireAgent } from './agent-identity.ts';
import { type Composition, type CompositionPolicy, compose } from './compose.ts';
import type { ContextView } from './context-view.ts';
import { diffFrames, type FrameDiff, type ScanRange } from './diff-frames.ts';
import {
  findAnswer,
  type GeneratedAnswer,
  type GenerationOrder,
  type PreparedGeneration,
  planGenerated,
  prepareGeneration,
} from './generation.ts';
import { type Children, type ChildrenPage, listChildren } from './list-children.ts';
import type { PlannedFrame } from './plan-frame.ts';
import type { PlannedSynthesis } from './plan-synthesis.ts';
import type { ContentBlobs, ContextParts } from './ports.ts';
import {
  getHead,
  getNode,
  type HeadReading,
  type ListedFrame,
  listFrames,
  type NodeContext,
  resolveLineage,
} from './read-context.ts';
import { type Regeneration, type RegenerationOrder, regenerate } from './regenerate.ts';
import { type ContextReport, countFrames, reportContext } from './report-context.ts';
import { resolveNode } from './resolve-node.ts';
import { type ContextFault, validateFrames } from './validate-frames.ts';
import {
  invalidateHeads,
  type PutFrame,
  planBranch,
  planPut,
  type Synthesize,
  synthesizeBranch,
  writeFrames,
} from './write-context.ts';

const MAX_MODEL_CALLS = 20;

/** A frame that was written or already existed. */
export interface WrittenFrame {
  readonly frame: string;
  readonly node: string;
  readonly path: string;
  readonly type: string;
  /** `moved`: the frame existed and is the head again. `known`: it was already the head. */
  readonly outcome: PlannedFrame['outcome'];
}

/** A directory's frame, and the children without frames. */
export interface WrittenSynthesis extends WrittenFrame {
  readonly skipped: readonly string[];
  /** Appended frames, including those of directories below. */
  readonly appended: number;
}

export type RegenerateRequest = Omit<RegenerationOrder, 'path' | 'maxModelCalls'> & {
  readonly node: string;
  readonly agent: string;
  readonly maxModelCalls?: number;
};

/** Opens the workspace for one operation. */
interface WorkspaceTrees {
  /** For reading. Reports a node as unchecked if comparing it with the disk would take too long. */
  current(): WorkspaceTree;
  /** For writing: everything is compared. */
  whole(): WorkspaceTree;
  /** For what follows from a scan: as that scan found it. */
  scanned(): WorkspaceTree;
}

export type FrameServices = Omit<ContextParts, 'tree'> & { readonly trees: WorkspaceTrees };

/** The frames of a workspace: reads, appends and regenerates them. */
export class ContextFrames {
  readonly #services: FrameServices;
  #lastWriter: Promise<unknown> = Promise.resolve();

  constructor(services: FrameServices) {
    this.#services = services;
  }

  /** The parts for one reading. */
  reading(): ContextParts {
    return { ...this.#services, tree: this.#services.trees.current() };
  }

  #writing(): ContextParts {
    return { ...this.#services, tree: this.#services.trees.whole() };
  }

  getNode(node: string, view: ContextView, agent: string): Promise<NodeContext> {
    return getNode(this.reading(), node, view, agent);
  }

  listFrames(node: string, type?: string): Promise<readonly ListedFrame[]> {
    return listFrames(this.reading(), node, type);
  }

  children(node: string, page: ChildrenPage): Promise<Children> {
    return listChildren(this.reading(), node, page);
  }

  getHead(node: string, type?: string): Promise<HeadReading> {
    return getHead(this.reading(), node, type);
  }

  /** Combines frames of several sources. Read-only. */
  async compose(node: string, policy: CompositionPolicy, agent: string): Promise<Composition> {
    const parts = this.reading();
    await requireAgent(parts.agents, agent, 'read');
    return compose(parts, await resolveNode(parts.tree, node), policy);
  }

  /** Appends a frame and makes it the head, in one commit. */
  putFrame(request: PutFrame & { readonly by: string }): Promise<WrittenFrame> {
    return this.#inTurn(async () => {
      const parts = this.#writing();
      const decide = () => planPut(parts, parts.blobs, request);
      const [planned] = await writeFrames(parts, request.by, [request], decide);
      return written(planned as Awaited<ReturnType<typeof decide>>, request.type);
    });
  }

  /** Makes one frame from the frames of a directory's children. */
  synthesize(
    request: Synthesize & { readonly recursive: boolean; readonly by: string },
  ): Promise<WrittenSynthesis> {
    return this.#inTurn(async () => {
      const { frame, node, appended } = await synthesizeBranch(this.#writing(), request);
      return { ...written({ ...frame, node }, request.type), skipped: frame.skipped, appended };
    });
  }

  /** Regenerates stale frames within a scope. Other processes may write and regenerate meanwhile. */
  async regenerate(request: RegenerateRequest): Promise<Regeneration> {
    const { node, agent, dryRun, maxModelCalls = MAX_MODEL_CALLS, ...order } = request;
    const parts = { ...this.#writing(), ...(order.paths && { tree: this.#services.trees.scanned() }) };
    await requireAgent(parts.agents, agent, dryRun ? 'read' : 'synthesize');
    const { path } = await resolveLineage(parts, node);
    return regenerate(parts, { ...order, path, dryRun, maxModelCalls });
  }

  invalidate(request: Parameters<typeof invalidateHeads>[1]): ReturnType<typeof invalidateHeads> {
    return this.#inTurn(() => invalidateHeads(this.reading(), request));
  }

  validate(): Promise<readonly ContextFault[]> {
    return validateFrames(this.reading());
  }

  report(options: { readonly since?: EpochMs }): Promise<ContextReport> {
    return reportContext(this.reading(), options);
  }

  counts(): ReturnType<typeof countFrames> {
    return countFrames(this.reading());
  }

  /** What happened to heads and frames between two scans. */
  diff(range: ScanRange): Promise<FrameDiff> {
    return diffFrames(this.reading(), range);
  }

  /** The events that `putFrame` would commit, for callers that commit them together with others. */
  async draftPut(request: PutFrame, blobs: Pick<ContentBlobs, 'put'>): Promise<DraftedFrame> {
    const planned = await planPut(this.#writing(), blobs, request);
    return { ...written(planned, request.type), events: planned.events };
  }

  /** The events that `synthesize` would commit for this one directory. */
  async draftSynthesis(
    request: Synthesize,
    blobs: Pick<ContentBlobs, 'put'>,
  ): Promise<DraftedFrame & Pick<PlannedSynthesis, 'skipped'>> {
    const planned = await planBranch(this.#writing(), blobs, request);
    return { ...written(planned, request.type), skipped: planned.skipped, events: planned.events };
  }

  prepareGeneration(order: GenerationOrder): Promise<PreparedGeneration> {
    return prepareGeneration(this.#writing(), order);
  }

  /** The earlier answer to the same question, if it is still valid. */
  findAnswer(prepared: PreparedGeneration, question: string): Promise<GeneratedAnswer | undefined> {
    return findAnswer(this.reading(), prepared, question);
  }

  /** The events that append a generated frame. */
  async draftGenerated(
    prepared: PreparedGeneration,
    answer: GeneratedAnswer,
    blobs: Pick<ContentBlobs, 'put'>,
  ): Promise<DraftedFrame> {
    const planned = await planGenerated(this.#writing(), blobs, prepared, answer);
    return { ...written({ ...planned, node: prepared.node }, prepared.type), events: planned.events };
  }

  /** Runs writers of this process one after another, so that only other processes cause conflicts. */
  #inTurn<Answer>(work: () => Promise<Answer>): Promise<Answer> {
    const turn = this.#lastWriter.then(work, work);
    this.#lastWriter = turn.catch(() => undefined);
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
