export {
  type AgentIdentity,
  type ContextAgents,
  type ContextCapability,
  type ContextRole,
  identityOf,
  USER_AGENT,
  USER_IDENTITY,
} from './frames/agent-identity.ts';
export type { Composition, CompositionPolicy } from './frames/compose.ts';
export { ContextFrames, type DraftedFrame, type WrittenFrame } from './frames/context-frames.ts';
export {
  byAgent,
  byRecency,
  byType,
  type Candidate,
  type CompareFrames,
  type CompositionSource,
  type ContextView,
  type CustomOrdering,
  type FrameFilter,
} from './frames/context-view.ts';
export { nodeNow } from './frames/current-basis.ts';
export { blobsOfContextEvent } from './frames/frame-events.ts';
export {
  frameProjection,
  toFrameRecord,
  toFrameSummary,
  toHead,
  toHeadMove,
} from './frames/frame-projection.ts';
export { type FrameForText, framesForText } from './frames/frames-for-text.ts';
export type { GeneratedAnswer, PreparedGeneration } from './frames/generation.ts';
export type {
  ContentBlobs,
  ContextParts,
  FrameGenerator,
  FrameRecords,
  FrameTally,
  HeadMove,
  RecipeHead,
} from './frames/ports.ts';
export { findFrame } from './frames/read-content.ts';
export { SynthesisPolicies } from './frames/synthesis-policies.ts';
export type { ChildContext, SynthesisInput, SynthesisPolicy } from './frames/synthesis-policy.ts';
export type {
  Basis,
  Frame,
  FrameErrorCode,
  FrameRecord,
  FrameSummary,
  Head,
  PolicyUse,
} from './frames/types.ts';
export { pathIn } from './paths.ts';
export { ChangeTimes } from './tree/change-times.ts';
export { CurrentTree, type WalkScope } from './tree/current-tree.ts';
export { diffRoots, type RootDiff } from './tree/diff-roots.ts';
export { IGNORE_FILES, IgnoreRules, NEVER_IN_TREE } from './tree/ignore-rules.ts';
export { checkIndex, holdsId, type IndexFault } from './tree/indexed-tree.ts';
export { directoryNodeId, fileNodeId, linkNodeId } from './tree/node-ids.ts';
export { PackedFolder } from './tree/packed-folder.ts';
export { pathBytes, pathText, utf8Bytes } from './tree/path-text.ts';
export type { Blobs, NodeIndex, NodeIndexChange, RootRecords } from './tree/ports.ts';
export { putFolder } from './tree/put-folder.ts';
export {
  CONTEXT_STREAM,
  recordScan,
  rootOfRow,
  rootProjection,
  type ScanOutcome,
} from './tree/record-scan.ts';
export { TreeDelta } from './tree/tree-delta.ts';
export type {
  FolderRecord,
  KnownRoot,
  NodeChange,
  SkippedPath,
  Stamp,
  TreeCounts,
  TreeErrorCode,
} from './tree/types.ts';
export type { ChildRef, NodeKind, NodeRecord, WorkspaceTree } from './types.ts';
