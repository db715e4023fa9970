import * as z from 'zod';
import type { ContextView, FrameFilter } from '../context/index.ts';
import type { ContextTreeApi, WatchRequest } from './context-tree-api.ts';
import { contextTreeSchemas, treeStatusAnswer, watchRequest } from './context-tree-api.ts';
import { runAnswer } from './run-views.ts';
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

/** A frame: something said about a version of a path. */
const frameView = z.object({
  id: text,
  node: text,
  path: text,
  type: text,
  agent: text,
  basisHash: text,
  /** How it can be made again. */
  recipe: z.enum(['none', 'synthesis', 'generation']),
  bytes: number,
  createdAt: epochMs,
  erased: flag,
  metadata: jsonObject.exactOptional(),
});
export type FrameView = TypeOf<typeof frameView>;

/** A frame with what it says, or why that cannot be read. */
const readFrameView = frameView.extend({
  content: text.exactOptional(),
  unreadable: text.exactOptional(),
  /** It is about another version than stands there now. */
  stale: flag.exactOptional(),
  /** Where a composition has it from. */
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
    /** Where a link leads. */
    target: text.exactOptional(),
  }),
  frames: list(readFrameView),
  frameCount: number,
});
export type NodeContextAnswer = TypeOf<typeof nodeContextAnswer>;

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
  /** `moved` and `known`: the same was said before. */
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
  /** Children that had nothing to say. */
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
  /** A configured model, or one as provider/model; the agent's own unless told. */
  model: text.exactOptional(),
  /** Ask even if the same was answered before. */
  again: flag.exactOptional(),
});
export type GenerateFrameRequest = TypeOf<typeof generateFrameRequest>;

/** The run that asked the model and, when it has come to its end, the frame. */
const generateFrameAnswer = runAnswer.extend({
  frame: readFrameView.exactOptional(),
  /** False when the answer was on record, so that nobody was asked. */
  asked: flag.exactOptional(),
});
export type GenerateFrameAnswer = TypeOf<typeof generateFrameAnswer>;

const contextStatusAnswer = treeStatusAnswer.extend({ frames: number, staleHeads: number });
export type ContextStatusAnswer = TypeOf<typeof contextStatusAnswer>;

const headCounts = z.object({ fresh: number, stale: number, invalid: number, gone: number });
export type HeadCounts = TypeOf<typeof headCounts>;

const contextReportAnswer = z.object({
  root: text.nullable(),
  frames: number,
  bytes: number,
  heads: headCounts,
  byType: list(headCounts.extend({ type: text, frames: number })),
  byAgent: list(z.object({ agent: text, frames: number })),
  stale: list(z.object({ path: text, type: text, state: text })),
  since: list(frameView).exactOptional(),
});
export type ContextReportAnswer = TypeOf<typeof contextReportAnswer>;

/** What is made again after each change of the workspace. */
const regenerateOnChangeRequest = z.object({
  /** Nothing above or beside it is made again. */
  node: text,
  /** Also frames that a model wrote. */
  models: flag,
  /** For each change. */
  maxModelCalls: number.exactOptional(),
  agent: text,
});
export type RegenerateOnChangeRequest = TypeOf<typeof regenerateOnChangeRequest>;

const watchContextRequest = watchRequest.extend({
  regenerate: regenerateOnChangeRequest.exactOptional(),
});
export interface WatchContextRequest extends TypeOf<typeof watchContextRequest>, WatchRequest {
  /** Called after a change for which something was made again, or could not be. Must not throw. */
  readonly onRegenerated?: (answer: RegenerateAnswer) => void;
}

const getNodeRequest = z.object({ node: text, view: contextView.exactOptional(), agent: text });

const listFramesRequest = z.object({ node: text, type: text.exactOptional() });

const getHeadRequest = z.object({ node: text, type: text.exactOptional() });

const invalidateRequest = z.object({
  node: text,
  types: list(text).exactOptional(),
  recursive: flag,
  agent: text,
  by: text,
});

const reportRequest = z.object({ since: epochMs.exactOptional() });

/** What can be asked of the context of a workspace. */
export interface ContextApi extends ContextTreeApi {
  /** Follows the workspace until the signal aborts; what changed can be made again at once. */
  watch(request: WatchContextRequest): Promise<void>;
  status(): Promise<ContextStatusAnswer>;
  getNode(request: TypeOf<typeof getNodeRequest>): Promise<NodeContextAnswer>;
  listFrames(request: TypeOf<typeof listFramesRequest>): Promise<readonly FrameView[]>;
  /** Without a type the head that has moved last; null where there is none. */
  getHead(request: TypeOf<typeof getHeadRequest>): Promise<{
    readonly head: FrameView | null;
    readonly stale: boolean;
  }>;
  compose(request: ComposeRequest): Promise<ComposeAnswer>;
  putFrame(request: PutFrameRequest): Promise<WrittenFrameAnswer>;
  synthesize(request: SynthesizeRequest): Promise<SynthesizeAnswer>;
  regenerate(request: RegenerateContextRequest): Promise<RegenerateAnswer>;
  invalidate(
    request: TypeOf<typeof invalidateRequest>,
  ): Promise<readonly { readonly path: string; readonly types: readonly string[] }[]>;
  /** A run asks the model of the agent and appends its answer. */
  generate(request: GenerateFrameRequest): Promise<GenerateFrameAnswer>;
  validate(): Promise<{
    readonly ok: boolean;
    readonly faults: readonly { readonly where: string; readonly what: string }[];
  }>;
  report(request: TypeOf<typeof reportRequest>): Promise<ContextReportAnswer>;
}

export const contextSchemas: SchemasOf<ContextApi> = {
  ...contextTreeSchemas,
  watch: [[watchContextRequest], nothing],
  status: [[], contextStatusAnswer],
  getNode: [[getNodeRequest], nodeContextAnswer],
  listFrames: [[listFramesRequest], list(frameView)],
  getHead: [[getHeadRequest], z.object({ head: frameView.nullable(), stale: flag })],
  compose: [[composeRequest], composeAnswer],
  putFrame: [[putFrameRequest], writtenFrameAnswer],
  synthesize: [[synthesizeRequest], synthesizeAnswer],
  regenerate: [[regenerateContextRequest], regenerateAnswer],
  invalidate: [[invalidateRequest], list(z.object({ path: text, types: list(text) }))],
  generate: [[generateFrameRequest], generateFrameAnswer],
  validate: [[], z.object({ ok: flag, faults: list(fault) })],
  report: [[reportRequest], contextReportAnswer],
};
