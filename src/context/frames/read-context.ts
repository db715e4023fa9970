import { isOkaError } from '../../kernel/index.ts';
import type { NodeKind, NodeRecord } from '../types.ts';
import { requireAgent } from './agent-identity.ts';
import { byRecency, type ContextView, selectFrames } from './context-view.ts';
import { type FrameMark, FrameMarks } from './frame-marks.ts';
import { pathsFor } from './node-names.ts';
import type { ContextParts } from './ports.ts';
import { tryReadFrame } from './read-content.ts';
import { resolveNode } from './resolve-node.ts';
import type { Frame, FrameRecord, FrameSummary, Head, Lineage } from './types.ts';

/** A frame with its content, or with the reason why it cannot be read. */
type ViewedFrame = (Frame | (FrameSummary & { readonly unreadable: string })) & FrameMark;

/** A node with the frames of a view. */
export interface NodeContext {
  readonly node: Omit<NodeRecord, 'kind'> & { readonly kind: NodeKind | 'gone' };
  readonly frames: readonly ViewedFrame[];
  /** The number of all frames. */
  readonly frameCount: number;
}

export interface HeadReading extends Omit<FrameMark, 'head'> {
  readonly head?: FrameSummary;
}

export type ListedFrame = FrameSummary & FrameMark;

/** Resolves a name to a path, also to a deleted one that has frames. */
export async function resolveLineage(
  { tree, records }: Pick<ContextParts, 'tree' | 'records'>,
  name: string,
): Promise<Lineage> {
  try {
    return await resolveNode(tree, name);
  } catch (error) {
    if (!isOkaError(error, 'context.node_unknown')) throw error;
    for (const path of pathsFor(name, tree.folder))
      if ((await records.heads(path)).length > 0) return { path };
    throw error;
  }
}

export async function getNode(
  parts: ContextParts,
  name: string,
  view: ContextView,
  agent: string,
): Promise<NodeContext> {
  await requireAgent(parts.agents, agent, 'read');
  const { path, id, kind = 'gone', ...record } = await resolveLineage(parts, name);
  const all = await parts.records.framesOf(path);
  const frames: ViewedFrame[] = [];
  const marks = new FrameMarks(parts);
  for (const summary of selectFrames(all, view)) frames.push(await viewFrame(parts, summary, marks));
  const newest = [...all].sort(byRecency)[0];
  return {
    node: { id: id ?? newest?.node ?? '', path, kind, ...record },
    frames,
    frameCount: all.length,
  };
}

async function viewFrame(
  { records, blobs }: ContextParts,
  summary: FrameSummary,
  marks: FrameMarks,
): Promise<ViewedFrame> {
  const mark = await marks.of(summary);
  const read = await tryReadFrame(blobs, (await records.frame(summary.id)) as FrameRecord);
  return 'why' in read ? { ...summary, unreadable: read.why, ...mark } : { ...read.frame, ...mark };
}

/** Every frame of a path, newest first, without contents. */
export async function listFrames(
  parts: ContextParts,
  name: string,
  type?: string,
): Promise<readonly ListedFrame[]> {
  const { path } = await resolveLineage(parts, name);
  const frames = await parts.records.framesOf(path);
  const listed = frames.filter((frame) => type === undefined || frame.type === type).sort(byRecency);
  const marks = new FrameMarks(parts);
  const marked: ListedFrame[] = [];
  for (const frame of listed) marked.push({ ...frame, ...(await marks.of(frame)) });
  return marked;
}

/** The head of a path: of one type, or the newest one. */
export async function getHead(parts: ContextParts, name: string, type?: string): Promise<HeadReading> {
  const { path } = await resolveLineage(parts, name);
  const head =
    type === undefined ? newestHead(await parts.records.heads(path)) : await parts.records.head(path, type);
  if (head === undefined) return { stale: false };
  const record = await parts.records.frame(head.frame);
  if (record === undefined) return { stale: true };
  const { basis: _basis, content: _content, blob: _blob, ...summary } = record;
  const { head: _head, ...mark } = await new FrameMarks(parts).ofHead(head);
  return { head: summary, ...mark };
}

function newestHead(heads: readonly Head[]): Head | undefined {
  return [...heads].sort((a, b) => b.index - a.index)[0];
}
