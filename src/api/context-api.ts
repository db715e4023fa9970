import * as z from 'zod';
import type { ContextView, FrameFilter } from '../context/index.ts';
import type { Fault } from '../ledger/index.ts';
import {
  type ContextTreeApi,
  contextTreeSchemas,
  nodeChange,
  treeStatusAnswer,
  type WatchRequest,
  watchRequest,
} from './context-tree-api.ts';
import { pageFields, pageOf } from './page-api.ts';
import { type RunListener, runAnswer } from './run-views.ts';
import {
  epochMs,
  fault,
  flag,
  jsonObject,
  list,
  nothing,
  number,
  type SchemasOf,
  schemaOf,
  type TypeOf,
  text,
} from './schemas.ts';

const headState = z.enum(['fresh', 'stale', 'rests_on_stale', 'invalid', 'gone', 'not_checked']);
/** Of a path that could not be compared with the disk: when it was last scanned. */
const uncheckedSince = epochMs.exactOptional();

/** The outdated heads that a head was built from, directly or not. */
const restsOnStale = z.object({
  count: number,
  /** The earliest time of all of them. */
  since: epochMs.exactOptional(),
  /** By path, up to a maximum. */
  heads: list(z.object({ path: text, type: text, state: headState, since: epochMs.exactOptional() })),
});
export type RestsOnStale = TypeOf<typeof restsOnStale>;

/** A frame: a note on a version of a path. */
const frameView = z.object({
  id: text,
  node: text,
  path: text,
  type: text,
  agent: text,
  basisHash: text,
  /** How to regenerate it. */
  recipe: z.enum(['none', 'synthesis', 'generation']),
  bytes: number,
  createdAt: epochMs,
  erased: flag,
  metadata: jsonObject.exactOptional(),
  /** The models that gave its content. */
  producers: list(
    z.object({
      provider: text,
      model: text,
      run: text.exactOptional(),
      question: text.exactOptional(),
      /** The providers that failed before it answered. */
      fallbackFor: list(text).exactOptional(),
    }),
  ).exactOptional(),
});
export type FrameView = TypeOf<typeof frameView>;

/** Whether a frame still holds. */
const mark = {
  /** A head that is not fresh, or an earlier frame about another version of its path. */
  stale: flag,
  /** Of a head. */
  state: headState.exactOptional(),
  uncheckedSince,
  restsOnStale: restsOnStale.exactOptional(),
};

const listedFrameView = frameView.extend({ ...mark, head: flag });
export type ListedFrameView = TypeOf<typeof listedFrameView>;

/** A frame with its content, or why the content is unreadable. */
const readFrameView = frameView.extend({
  ...mark,
  content: text.exactOptional(),
  unreadable: text.exactOptional(),
  stale: flag.exactOptional(),
  head: flag.exactOptional(),
  /** The source in a composition. */
  source: z.enum(['node', 'parent', 'siblings', 'related']).exactOptional(),
});
export type ReadFrameView = TypeOf<typeof readFrameView>;

const frameFilter = schemaOf<FrameFilter>()(
  z.object({
    types: list(text).exactOptional(),
    agents: list(text).exactOptional(),
    since: epochMs.exactOptional(),
    until: epochMs.exactOptional(),
  }),
);

const contextView = schemaOf<ContextView>()(
  frameFilter.extend({ maxFrames: number.exactOptional(), order: text.exactOptional() }),
);

const nodeContextAnswer = z.object({
  node: z.object({
    id: text,
    path: text,
    kind: z.enum(['file', 'directory', 'link', 'gone']),
    size: number.exactOptional(),
    contentHash: text.exactOptional(),
    executable: flag.exactOptional(),
    target: text.exactOptional(),
  }),
  frames: list(readFrameView),
  frameCount: number,
});
export type NodeContextAnswer = TypeOf<typeof nodeContextAnswer>;

/** The newest frame of a path and a type. */
const headView = z.object({
  type: text,
  frame: text,
  state: headState,
  uncheckedSince,
  restsOnStale: restsOnStale.exactOptional(),
  recipe: frameView.shape.recipe,
  at: epochMs,
});
export type HeadView = TypeOf<typeof headView>;

const childView = z.object({
  path: text,
  name: text,
  kind: z.enum(['file', 'directory', 'link']),
  heads: list(headView),
  /** Heads below it that are outdated. */
  staleBelow: number,
});
export type ChildView = TypeOf<typeof childView>;

/** The differences between two scans: of paths, heads and frames. */
const treeDiffAnswer = z.object({
  from: text,
  to: text,
  added: list(nodeChange),
  changed: list(nodeChange),
  removed: list(nodeChange),
  heads: list(
    z.object({
      path: text,
      type: text,
      /** The frame at the first scan. */
      before: text.exactOptional(),
      /** The frame at the second scan. */
      after: text.exactOptional(),
      /** The path has changed since the frame at the second scan. */
      stale: z.literal(true).exactOptional(),
      invalid: z.literal(true).exactOptional(),
    }),
  ),
  /** Frames that were added in between, oldest first. */
  frames: list(frameView),
});
export type TreeDiffAnswer = TypeOf<typeof treeDiffAnswer>;

const childrenRequest = z.object({ ...pageFields, node: text });

/** Children by name, and the heads of the path itself. */
const childrenAnswer = pageOf(childView).extend({ path: text, heads: list(headView) });
export type ChildrenAnswer = TypeOf<typeof childrenAnswer>;

const putFrameRequest = z.object({
  node: text,
  type: text,
  content: text,
  metadata: jsonObject.exactOptional(),
  agent: text,
  by: text,
});
export type PutFrameRequest = TypeOf<typeof putFrameRequest>;

const writtenFrameAnswer = z.object({
  frame: frameView,
  /** `moved` and `known`: an identical frame existed. */
  outcome: z.enum(['appended', 'moved', 'known']),
});
export type WrittenFrameAnswer = TypeOf<typeof writtenFrameAnswer>;

const synthesizeRequest = z.object({
  node: text,
  type: text,
  policy: text.exactOptional(),
  parameters: jsonObject.exactOptional(),
  recursive: flag,
  agent: text,
  by: text,
});
export type SynthesizeRequest = TypeOf<typeof synthesizeRequest>;

const synthesizeAnswer = writtenFrameAnswer.extend({
  /** Children without frames. */
  skipped: list(text),
  appended: number,
});
export type SynthesizeAnswer = TypeOf<typeof synthesizeAnswer>;

const regenerateContextRequest = z.object({
  node: text,
  recursive: flag,
  types: list(text).exactOptional(),
  dryRun: flag,
  /** Also frames that a model wrote. */
  models: flag,
  maxModelCalls: number.exactOptional(),
  agent: text,
  by: text,
});
export type RegenerateContextRequest = TypeOf<typeof regenerateContextRequest>;

const regenerateAnswer = z.object({
  dryRun: flag,
  regenerated: list(
    z.object({
      path: text,
      type: text,
      recipe: z.enum(['synthesis', 'generation']),
      from: text,
      to: text.exactOptional(),
    }),
  ),
  unchanged: number,
  skipped: list(z.object({ path: text, type: text, why: text })),
  cost: z.object({ frames: number, modelCalls: number }),
});
export type RegenerateAnswer = TypeOf<typeof regenerateAnswer>;

const composeRequest = frameFilter.extend({
  node: text,
  maxFrames: number.exactOptional(),
  /** Also earlier frames; by default only heads. */
  history: flag.exactOptional(),
  /** At most this many frames of each source; by default an equal share of `maxFrames`. */
  nodeMax: number.exactOptional(),
  parentMax: number.exactOptional(),
  siblingsMax: number.exactOptional(),
  relatedMax: number.exactOptional(),
  sources: list(text).exactOptional(),
  related: list(text).exactOptional(),
  order: text.exactOptional(),
  typePriority: list(text).exactOptional(),
  agentPriority: list(text).exactOptional(),
  query: text.exactOptional(),
  agent: text,
});
export type ComposeRequest = TypeOf<typeof composeRequest>;

const composeAnswer = z.object({
  frames: list(readFrameView),
  candidates: number,
  skipped: list(z.object({ what: text, why: text })),
});
export type ComposeAnswer = TypeOf<typeof composeAnswer>;

const generateFrameRequest = z.object({
  node: text,
  prompt: text,
  type: text,
  agent: text,
  /** A configured model, or provider/model. Default: the model of the agent. */
  model: text.exactOptional(),
  /** Ask even if an identical question was answered before. */
  again: flag.exactOptional(),
});
export interface GenerateFrameRequest extends TypeOf<typeof generateFrameRequest>, RunListener {}

/** The run that asked the model and, once completed, the frame. */
const generateFrameAnswer = runAnswer.extend({
  frame: readFrameView.exactOptional(),
  /** False if a recorded answer was reused. */
  asked: flag.exactOptional(),
});
export type GenerateFrameAnswer = TypeOf<typeof generateFrameAnswer>;

const headCounts = z.object({
  fresh: number,
  stale: number,
  rests_on_stale: number,
  invalid: number,
  gone: number,
  /** Heads of paths that would take long to compare with the disk. */
  not_checked: number,
});
export type HeadCounts = TypeOf<typeof headCounts>;

const contextStatusAnswer = treeStatusAnswer.extend({
  frames: number,
  frameBytes: number,
  heads: headCounts,
});
export type ContextStatusAnswer = TypeOf<typeof contextStatusAnswer>;

const contextReportAnswer = contextStatusAnswer.extend({
  byType: list(headCounts.extend({ type: text, frames: number })),
  byAgent: list(z.object({ agent: text, frames: number })),
  /** Heads that are not fresh, up to 1,000. */
  notFresh: list(
    z.object({
      path: text,
      type: text,
      state: headState,
      uncheckedSince,
      restsOnStale: restsOnStale.exactOptional(),
    }),
  ),
  since: list(frameView).exactOptional(),
});
export type ContextReportAnswer = TypeOf<typeof contextReportAnswer>;

/** Frames to regenerate after each change of the workspace. `maxModelCalls` applies to each change. */
const regenerateOnChangeRequest = regenerateContextRequest.pick({
  node: true,
  models: true,
  maxModelCalls: true,
  agent: true,
});
export type RegenerateOnChangeRequest = TypeOf<typeof regenerateOnChangeRequest>;

const watchContextRequest = watchRequest.extend({
  regenerate: regenerateOnChangeRequest.exactOptional(),
});
export interface WatchContextRequest extends TypeOf<typeof watchContextRequest>, WatchRequest {
  /** Called after each attempt to regenerate frames. Must not throw. */
  readonly onRegenerated?: (answer: RegenerateAnswer) => void;
}

const getNodeRequest = z.object({ node: text, view: contextView.exactOptional(), agent: text });

const nodeRequest = z.object({ node: text, type: text.exactOptional() });

const headAnswer = z.object({ ...mark, head: frameView.nullable() });
export type HeadAnswer = TypeOf<typeof headAnswer>;

const invalidateRequest = z.object({
  node: text,
  types: list(text).exactOptional(),
  recursive: flag,
  agent: text,
  by: text,
});

const reportRequest = z.object({ since: epochMs.exactOptional() });

/** The context of a workspace: its tree and the frames on it. */
export interface ContextApi extends ContextTreeApi {
  /** Watches the workspace until the signal aborts, and regenerates stale frames if requested. */
  watch(request: WatchContextRequest): Promise<void>;
  status(): Promise<ContextStatusAnswer>;
  /** Takes prefixes of root ids. Includes what happened since the newest scan, if it is one of them. */
  diff(from: string, to: string): Promise<TreeDiffAnswer>;
  getNode(request: TypeOf<typeof getNodeRequest>): Promise<NodeContextAnswer>;
  children(request: TypeOf<typeof childrenRequest>): Promise<ChildrenAnswer>;
  listFrames(request: TypeOf<typeof nodeRequest>): Promise<readonly ListedFrameView[]>;
  /** Without a type, the newest head; null if there is none. */
  getHead(request: TypeOf<typeof nodeRequest>): Promise<HeadAnswer>;
  compose(request: ComposeRequest): Promise<ComposeAnswer>;
  putFrame(request: PutFrameRequest): Promise<WrittenFrameAnswer>;
  synthesize(request: SynthesizeRequest): Promise<SynthesizeAnswer>;
  regenerate(request: RegenerateContextRequest): Promise<RegenerateAnswer>;
  invalidate(
    request: TypeOf<typeof invalidateRequest>,
  ): Promise<readonly { readonly path: string; readonly types: readonly string[] }[]>;
  /** Starts a run that asks a model and appends its answer as a frame. */
  generate(request: GenerateFrameRequest): Promise<GenerateFrameAnswer>;
  validate(): Promise<{ readonly ok: boolean; readonly faults: readonly Fault[] }>;
  report(request: TypeOf<typeof reportRequest>): Promise<ContextReportAnswer>;
}

export const contextSchemas: SchemasOf<ContextApi> = {
  ...contextTreeSchemas,
  watch: [[watchContextRequest], nothing],
  status: [[], contextStatusAnswer],
  diff: [[{ from: text }, { to: text }], treeDiffAnswer],
  getNode: [[getNodeRequest], nodeContextAnswer],
  children: [[childrenRequest], childrenAnswer],
  listFrames: [[nodeRequest], list(listedFrameView)],
  getHead: [[nodeRequest], headAnswer],
  compose: [[composeRequest], composeAnswer],
  putFrame: [[putFrameRequest], writtenFrameAnswer],
  synthesize: [[synthesizeRequest], synthesizeAnswer],
  regenerate: [[regenerateContextRequest], regenerateAnswer],
  invalidate: [[invalidateRequest], list(z.object({ path: text, types: list(text) }))],
  generate: [[generateFrameRequest], generateFrameAnswer],
  validate: [[], z.object({ ok: flag, faults: list(fault) })],
  report: [[reportRequest], contextReportAnswer],
};
