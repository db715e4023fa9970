export { blobsOfContextEvent } from './context-blobs.ts';
export { type ContextAgents, identityOf, USER_AGENT, USER_IDENTITY } from './frames/agent-identity.ts';
export { ContextFrames, type DraftedFrame, type WrittenFrame } from './frames/context-frames.ts';
export type { ContextParts } from './frames/context-parts.ts';
export type { ContextView, FrameFilter } from './frames/context-view.ts';
export { frameProjection } from './frames/frame-projection.ts';
export { toFrameRecord, toFrameSummary, toHead } from './frames/frame-rows.ts';
export { type FrameForText, framesForText } from './frames/frames-for-text.ts';
export type { GeneratedAnswer, PreparedGeneration } from './frames/generation.ts';
export type { FrameGenerator, FrameRecords, FrameTally, RecipeHead } from './frames/ports.ts';
export { findFrame } from './frames/read-content.ts';
export { SynthesisPolicies } from './frames/synthesis-policies.ts';
export type { Frame, FrameErrorCode, FrameRecord, FrameSummary, Head } from './frames/types.ts';
export { checkIndex, type IndexFault } from './tree/check-index.ts';
export { diffRoots, type RootDiff } from './tree/diff-roots.ts';
export { IGNORE_FILES, IgnoreRules, NEVER_IN_TREE } from './tree/ignore-rules.ts';
export { IndexedTree, nodeIdAt, pathIn } from './tree/indexed-tree.ts';
export {
  directoryNodeId,
  fileNodeId,
  linkNodeId,
} from './tree/node-ids.ts';
export { PackedFolder } from './tree/packed-folder.ts';
export { pathBytes, pathText, utf8Bytes } from './tree/path-text.ts';
export type { Blobs, NodeIndex, NodeIndexChange, RootRecords } from './tree/ports.ts';
export { putFolder } from './tree/put-folder.ts';
export { recordScan } from './tree/record-scan.ts';
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
export type { NodeRecord, WorkspaceTree } from './types.ts';
