import { groupBy, type JsonObject } from '../../kernel/index.ts';
import { commitDecided, type EventDraft } from '../../ledger/index.ts';
import { depthOf, pathIn } from '../paths.ts';
import { CONTEXT_STREAM } from '../tree/record-scan.ts';
import type { NodeRecord } from '../types.ts';
import { requireAgent } from './agent-identity.ts';
import { EVERY_TYPE } from './current-basis.ts';
import { invalid } from './frame-error.ts';
import { frameEvent } from './frame-events.ts';
import { checkContent, checkType, type PlannedFrame, planFrame, refuseOverwrite } from './plan-frame.ts';
import { type PlannedSynthesis, planSynthesis, requireDirectory } from './plan-synthesis.ts';
import type { ContentBlobs, ContextParts } from './ports.ts';
import { resolveLineage } from './read-context.ts';
import { resolveNode } from './resolve-node.ts';
import type { PolicyUse } from './types.ts';

export interface PutFrame {
  readonly node: string;
  readonly type: string;
  readonly content: string;
  readonly metadata?: JsonObject;
  readonly agent: string;
  /** The expected id; throws if the frame would get another one. */
  readonly id?: string;
}

export interface Synthesize {
  readonly node: string;
  readonly type: string;
  readonly policy?: string;
  readonly parameters?: JsonObject;
  readonly agent: string;
}

/** Plans a written frame. */
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

/** Plans the frame of one directory. */
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

/** Synthesizes a directory and, with `recursive`, first every directory below it. */
export async function synthesizeBranch(
  parts: ContextParts,
  request: Synthesize & { readonly recursive: boolean; readonly by: string },
): Promise<{
  readonly frame: PlannedSynthesis;
  readonly node: NodeRecord;
  /** The number of appended frames. */
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
      if (kind === 'directory') found.push(pathIn(parent, name));
  return found;
}

/** Marks heads as invalid, so that they are stale until they are regenerated. */
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
  if (types?.length === 0) throw invalid('types', 'The list of types is empty. Omit it for all types.');
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

/** The frames per commit. */
const BATCH = 100;

/**
 * Plans each item and commits the events in batches. If another process has written meanwhile, the batch is planned
 * again; `decide` must have no side effects.
 */
export async function writeFrames<Item, Planned extends { readonly events: readonly EventDraft[] }>(
  { events }: Pick<ContextParts, 'events'>,
  by: string,
  items: readonly Item[],
  decide: (item: Item) => Promise<Planned>,
): Promise<readonly Planned[]> {
  const written: Planned[] = [];
  for (let from = 0; from < items.length; from += BATCH) {
    const batch = items.slice(from, from + BATCH);
    const answers = await commitDecided(events, { stream: CONTEXT_STREAM, actor: by }, async () => {
      const planned: Planned[] = [];
      for (const item of batch) planned.push(await decide(item));
      return { events: planned.flatMap((one) => one.events), answer: planned };
    });
    written.push(...answers);
  }
  return written;
}
