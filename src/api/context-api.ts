import type { EpochMs, JsonObject } from '../kernel/index.ts';
import type { ContextTreeApi, TreeStatusAnswer, WatchRequest } from './context-tree-api.ts';
import type { RunAnswer } from './run-views.ts';

/** A frame: something said about a version of a path. */
export interface FrameView {
  readonly id: string;
  readonly node: string;
  readonly path: string;
  readonly type: string;
  readonly agent: string;
  readonly basisHash: string;
  /** How it can be made again. */
  readonly recipe: 'none' | 'synthesis' | 'generation';
  readonly bytes: number;
  readonly createdAt: EpochMs;
  readonly erased: boolean;
  readonly metadata?: JsonObject;
}

/** A frame with what it says, or why that cannot be read. */
export interface ReadFrameView extends FrameView {
  readonly content?: string;
  readonly unreadable?: string;
  /** It is about another version than stands there now. */
  readonly stale?: boolean;
  /** Where a composition has it from. */
  readonly source?: 'node' | 'parent' | 'siblings' | 'related';
}

/** Which frames are wanted. */
export interface FrameFilterRequest {
  readonly types?: readonly string[];
  readonly agents?: readonly string[];
  readonly since?: EpochMs;
  readonly until?: EpochMs;
}

/** How a reader sees the frames of a node. */
export interface ContextViewRequest extends FrameFilterRequest {
  readonly maxFrames?: number;
  /** recency, type or agent. */
  readonly order?: string;
}

export interface NodeContextAnswer {
  readonly node: {
    readonly id: string;
    readonly path: string;
    readonly kind: 'file' | 'directory' | 'link' | 'gone';
    readonly size?: number;
    readonly contentHash?: string;
    readonly executable?: boolean;
    /** Where a link leads. */
    readonly target?: string;
  };
  readonly frames: readonly ReadFrameView[];
  readonly frameCount: number;
}

export interface PutFrameRequest {
  readonly node: string;
  readonly type: string;
  readonly content: string;
  readonly metadata?: JsonObject;
  readonly agent: string;
  readonly by: string;
}

export interface WrittenFrameAnswer {
  readonly frame: FrameView;
  /** `moved` and `known`: the same was said before. */
  readonly outcome: 'appended' | 'moved' | 'known';
}

export interface SynthesizeRequest {
  readonly node: string;
  readonly type: string;
  readonly policy?: string;
  readonly parameters?: JsonObject;
  readonly recursive: boolean;
  readonly agent: string;
  readonly by: string;
}

export interface SynthesizeAnswer extends WrittenFrameAnswer {
  /** Children that had nothing to say. */
  readonly skipped: readonly string[];
  readonly appended: number;
}

export interface RegenerateContextRequest {
  readonly node: string;
  readonly recursive: boolean;
  readonly types?: readonly string[];
  readonly dryRun: boolean;
  /** Also frames that a model wrote. */
  readonly models: boolean;
  readonly maxModelCalls?: number;
  readonly agent: string;
  readonly by: string;
}

export interface RegenerateAnswer {
  readonly dryRun: boolean;
  readonly regenerated: readonly {
    readonly path: string;
    readonly type: string;
    readonly recipe: 'synthesis' | 'generation';
    readonly from: string;
    readonly to?: string;
  }[];
  readonly unchanged: number;
  readonly skipped: readonly { readonly path: string; readonly type: string; readonly why: string }[];
  readonly cost: { readonly frames: number; readonly modelCalls: number };
}

export interface ComposeRequest extends FrameFilterRequest {
  readonly node: string;
  readonly maxFrames?: number;
  readonly sources?: readonly string[];
  readonly related?: readonly string[];
  readonly order?: string;
  readonly typePriority?: readonly string[];
  readonly agentPriority?: readonly string[];
  readonly query?: string;
  readonly agent: string;
}

export interface ComposeAnswer {
  readonly frames: readonly ReadFrameView[];
  readonly candidates: number;
  readonly skipped: readonly { readonly what: string; readonly why: string }[];
}

export interface GenerateFrameRequest {
  readonly node: string;
  readonly prompt: string;
  readonly type: string;
  readonly agent: string;
  /** A configured model, or one as provider/model; the agent's own unless told. */
  readonly model?: string;
  /** Ask even if the same was answered before. */
  readonly again?: boolean;
}

/** The run that asked the model and, when it has come to its end, the frame. */
export interface GenerateFrameAnswer extends RunAnswer {
  readonly frame?: ReadFrameView;
  /** False when the answer was on record, so that nobody was asked. */
  readonly asked?: boolean;
}

export interface ContextStatusAnswer extends TreeStatusAnswer {
  readonly frames: number;
  readonly staleHeads: number;
}

export interface HeadCounts {
  readonly fresh: number;
  readonly stale: number;
  readonly invalid: number;
  readonly gone: number;
}

export interface ContextReportAnswer {
  readonly root: string | null;
  readonly frames: number;
  readonly bytes: number;
  readonly heads: HeadCounts;
  readonly byType: readonly (HeadCounts & { readonly type: string; readonly frames: number })[];
  readonly byAgent: readonly { readonly agent: string; readonly frames: number }[];
  readonly stale: readonly { readonly path: string; readonly type: string; readonly state: string }[];
  readonly since?: readonly FrameView[];
}

/** What is made again after each change of the workspace. */
export interface RegenerateOnChangeRequest {
  /** Nothing above or beside it is made again. */
  readonly node: string;
  /** Also frames that a model wrote. */
  readonly models: boolean;
  /** For each change. */
  readonly maxModelCalls?: number;
  readonly agent: string;
}

export interface WatchContextRequest extends WatchRequest {
  readonly regenerate?: RegenerateOnChangeRequest;
  /** Called after a change for which something was made again, or could not be. Must not throw. */
  readonly onRegenerated?: (answer: RegenerateAnswer) => void;
}

/** What can be asked of the context of a workspace. */
export interface ContextApi extends ContextTreeApi {
  /** Follows the workspace until the signal aborts; what changed can be made again at once. */
  watch(request: WatchContextRequest): Promise<void>;
  status(): Promise<ContextStatusAnswer>;
  getNode(request: {
    readonly node: string;
    readonly view?: ContextViewRequest;
    readonly agent: string;
  }): Promise<NodeContextAnswer>;
  listFrames(request: { readonly node: string; readonly type?: string }): Promise<readonly FrameView[]>;
  /** Without a type the head that has moved last; null where there is none. */
  getHead(request: { readonly node: string; readonly type?: string }): Promise<{
    readonly head: FrameView | null;
    readonly stale: boolean;
  }>;
  compose(request: ComposeRequest): Promise<ComposeAnswer>;
  putFrame(request: PutFrameRequest): Promise<WrittenFrameAnswer>;
  synthesize(request: SynthesizeRequest): Promise<SynthesizeAnswer>;
  regenerate(request: RegenerateContextRequest): Promise<RegenerateAnswer>;
  invalidate(request: {
    readonly node: string;
    readonly types?: readonly string[];
    readonly recursive: boolean;
    readonly agent: string;
    readonly by: string;
  }): Promise<readonly { readonly path: string; readonly types: readonly string[] }[]>;
  /** A run asks the model of the agent and appends its answer. */
  generate(request: GenerateFrameRequest): Promise<GenerateFrameAnswer>;
  validate(): Promise<{
    readonly ok: boolean;
    readonly faults: readonly { readonly where: string; readonly what: string }[];
  }>;
  report(request: { readonly since?: EpochMs }): Promise<ContextReportAnswer>;
}
