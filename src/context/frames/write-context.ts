import type { JsonObject } from '../../kernel/index.ts';
import { groupBy } from '../../kernel/index.ts';
import type { NodeRecord } from '../types.ts';
import { requireAgent } from './agent-identity.ts';
import type { ContextParts } from './context-parts.ts';
import { EVERY_TYPE } from './current-basis.ts';
import { invalid } from './frame-error.ts';
import { frameEvent } from './frame-events.ts';
import { childPath, depthOf } from './paths.ts';
import { checkContent, checkType, type PlannedFrame, planFrame, refuseOverwrite } from './plan-frame.ts';
import { type PlannedSynthesis, planSynthesis, requireDirectory } from './plan-synthesis.ts';
import type { ContentBlobs } from './ports.ts';
import { resolveLineage } from './read-context.ts';
import { resolveNode } from './resolve-node.ts';
import type { PolicyUse } from './types.ts';
import { writeFrames } from './write-frames.ts';

/** What somebody says about a node. */
export interface PutFrame {
  readonly node: string;
  readonly type: string;
  readonly content: string;
  readonly metadata?: JsonObject;
  readonly agent: string;
  /** The id that the frame is expected to get; another frame is never put in the place of one that is there. */
  readonly id?: string;
}

/** Which directory is to be synthesized, and how. */
export interface Synthesize {
  readonly node: string;
  readonly type: string;
  readonly policy?: string;
  readonly parameters?: JsonObject;
  readonly agent: string;
}

/** Decides on a frame that somebody has written. */
export async function planPut(
  parts: ContextParts,
  blobs: Pick<ContentBlobs, 'put'>,
  request: PutFrame,
): Promise<PlannedFrame & { readonly node: NodeRecord }> {
  const { type, agent, metadata } = request;
  checkType(type);
  checkContent(request.content);
  await requireAgent(parts.agents, agent, 'append');
  const node = await resolveNode(parts.tree, request.node);
  const planned = await planFrame(parts, blobs, {
    path: node.path,
    node: node.id,
    type,
    agent,
    basis: { kind: 'node', node: node.id },
    recipe: 'none',
    content: parts.redact(request.content),
    ...(metadata === undefined ? {} : { metadata: parts.redact(metadata) }),
  });
  if (request.id !== undefined) await refuseOverwrite(parts, request.id, planned.id);
  return { ...planned, node };
}

/** Decides on the frame of one directory. */
export async function planBranch(
  parts: ContextParts,
  blobs: Pick<ContentBlobs, 'put'>,
  request: Synthesize,
): Promise<PlannedSynthesis & { readonly node: NodeRecord }> {
  const { node, order } = await checkSynthesis(parts, request);
  return { ...(await planSynthesis(parts, blobs, node, order)), node };
}

async function checkSynthesis(parts: ContextParts, request: Synthesize) {
  const { type, agent, policy: name = 'concatenation', parameters = {} } = request;
  checkType(type, [EVERY_TYPE]);
  const found = parts.policies.require(name);
  const policy: PolicyUse = {
    name,
    version: found.version,
    parameters: found.parameters(parts.redact(parameters)),
  };
  await requireAgent(parts.agents, agent, 'synthesize');
  const node = await resolveNode(parts.tree, request.node);
  requireDirectory(node);
  return { node, order: { type, policy, agent } };
}

/** Synthesizes a directory and, if wanted, every directory below it first. */
export async function synthesizeBranch(
  parts: ContextParts,
  request: Synthesize & { readonly recursive: boolean; readonly by: string },
): Promise<{
  readonly frame: PlannedSynthesis;
  readonly node: NodeRecord;
  /** How many frames were appended, the directory's own included. */
  readonly appended: number;
}> {
  const { node, order } = await checkSynthesis(parts, request);
  const paths = request.recursive ? await directoriesWithin(parts, node.path) : [node.path];
  const levels = groupBy(paths, depthOf);
  let last: PlannedSynthesis | undefined;
  let appended = 0;
  for (const depth of [...levels.keys()].sort((a, b) => b - a)) {
    const planned = await writeFrames(parts, request.by, levels.get(depth) ?? [], async (path) =>
      planSynthesis(parts, parts.blobs, await resolveNode(parts.tree, path), order),
    );
    appended += planned.filter(({ outcome }) => outcome === 'appended').length;
    last = planned.at(-1);
  }
  return { frame: last as PlannedSynthesis, node, appended };
}

async function directoriesWithin({ tree }: ContextParts, path: string): Promise<readonly string[]> {
  const found = [path];
  for (const parent of found)
    for (const { name, kind } of await tree.children(parent))
      if (kind === 'directory') found.push(childPath(parent, name));
  return found;
}

/** Marks heads as not holding any more, so that they are stale until they are made again. */
export async function invalidateHeads(
  parts: ContextParts,
  request: {
    readonly node: string;
    readonly types?: readonly string[];
    readonly recursive: boolean;
    readonly agent: string;
    readonly by: string;
  },
): Promise<readonly { readonly path: string; readonly types: readonly string[] }[]> {
  await requireAgent(parts.agents, request.agent, 'append');
  const { path } = await resolveLineage(parts, request.node);
  const { types, recursive, by } = request;
  if (types?.length === 0)
    throw invalid('types', 'no type is named; leave the types out to mean all of them.');
  const found = recursive ? await parts.records.headsWithin(path) : await parts.records.heads(path);
  const wanted = found.filter((head) => !head.invalid && (types === undefined || types.includes(head.type)));
  const marks = [...groupBy(wanted, (head) => head.path)].map(([at, heads]) => ({
    path: at,
    types: heads.map(({ type }) => type),
  }));
  await writeFrames(parts, by, marks, async (mark) => ({
    events: [frameEvent('context.heads_invalidated', mark)],
  }));
  return marks;
}
