export { blobsOfContextEvent } from './context-blobs.ts';
export {
  type AgentIdentity,
  type ContextAgents,
  type ContextCapability,
  type ContextRole,
  identityOf,
  USER_AGENT,
  USER_IDENTITY,
} from './frames/agent-identity.ts';
export type { ComposedFrame, Composition, CompositionPolicy } from './frames/compose.ts';
export {
  ContextFrames,
  type DraftedFrame,
  type RegenerateRequest,
  type WrittenFrame,
  type WrittenSynthesis,
} from './frames/context-frames.ts';
export type { ContextParts } from './frames/context-parts.ts';
export type { ContextView, FrameFilter } from './frames/context-view.ts';
export type { FrameEventData, FrameEventType } from './frames/frame-events.ts';
export { frameProjection } from './frames/frame-projection.ts';
export { toFrameRecord, toFrameSummary, toHead } from './frames/frame-rows.ts';
export { type FrameForText, framesForText } from './frames/frames-for-text.ts';
export type { GeneratedAnswer, GenerationOrder, PreparedGeneration } from './frames/generation.ts';
export { InMemoryFrameRecords } from './frames/in-memory-frame-records.ts';
export type { Candidate, CompositionSource, CustomOrdering } from './frames/order-frames.ts';
export type { ContentBlobs, FrameGenerator, FrameRecords, FrameTally, RecipeHead } from './frames/ports.ts';
export { findFrame } from './frames/read-content.ts';
export type { HeadReading, NodeContext, ViewedFrame } from './frames/read-context.ts';
export type { Regenerated, Regeneration, SkippedHead } from './frames/regenerate.ts';
export type { ContextReport, HeadState } from './frames/report-context.ts';
export { resolveNode } from './frames/resolve-node.ts';
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
  Recipe,
} from './frames/types.ts';
export type { ContextFault } from './frames/validate-frames.ts';
export type { PutFrame, Synthesize } from './frames/write-context.ts';
export { checkIndex, type IndexFault } from './tree/check-index.ts';
export { diffRoots, type RootDiff } from './tree/diff-roots.ts';
export { IGNORE_FILES, IgnoreRules, NEVER_IN_TREE } from './tree/ignore-rules.ts';
export { IndexedTree, kindAt, nodeIdAt, pathIn } from './tree/indexed-tree.ts';
export {
  directoryNodeId,
  fileNodeId,
  linkNodeId,
} from './tree/node-ids.ts';
export { PackedFolder } from './tree/packed-folder.ts';
export { pathBytes, pathText, utf8Bytes } from './tree/path-text.ts';
export type { Blobs, NodeIndex, NodeIndexChange, RootRecords } from './tree/ports.ts';
export { putFolder } from './tree/put-folder.ts';
export { recordScan, type ScanRecorder } from './tree/record-scan.ts';
export { rootOfRow, rootProjection } from './tree/root-projection.ts';
export type { ScanOutcome } from './tree/scan-outcome.ts';
export { TreeDelta } from './tree/tree-delta.ts';
export { CONTEXT_STREAM } from './tree/tree-events.ts';
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
