import type { JsonObject } from '../../kernel/index.ts';
import type { NodeRecord } from '../types.ts';
import { compareTexts } from './basis.ts';
import type { ContextParts } from './context-parts.ts';
import { basisOfSynthesis, type UsedChild, usedChildren } from './current-basis.ts';
import { frameError } from './frame-error.ts';
import { showPath } from './paths.ts';
import { type PlannedFrame, planFrame } from './plan-frame.ts';
import type { ContentBlobs } from './ports.ts';
import { readFrame } from './read-content.ts';
import type { ChildContext } from './synthesis-policy.ts';
import type { PolicyUse } from './types.ts';

/** What a directory's frame is to be made with. */
export interface SynthesisOrder {
  readonly type: string;
  readonly policy: PolicyUse;
  readonly agent: string;
  readonly metadata?: JsonObject;
}

/** A frame that was decided on, and the children that had nothing to say. */
export interface PlannedSynthesis extends PlannedFrame {
  readonly skipped: readonly string[];
}

/** Decides on the frame of a directory; looks at its children only. */
export async function planSynthesis(
  parts: ContextParts,
  blobs: Pick<ContentBlobs, 'put'>,
  node: NodeRecord,
  order: SynthesisOrder,
): Promise<PlannedSynthesis> {
  requireDirectory(node);
  const { path } = node;
  const { type, policy, agent, metadata } = order;
  const { used, skipped } = await usedChildren(parts, path, type);
  const children = await Promise.all(used.map((one) => contextOf(parts, one)));
  children.sort(
    (a, b) => compareTexts(a.name, b.name) || compareTexts(a.type, b.type) || compareTexts(a.frame, b.frame),
  );
  const input = { path, type, parameters: policy.parameters, children };
  const content = parts.policies.synthesize(parts.policies.require(policy.name), input);
  const planned = await planFrame(parts, blobs, {
    path,
    node: node.id,
    type,
    agent,
    basis: basisOfSynthesis(path, type, policy, used),
    recipe: 'synthesis',
    content,
    ...(metadata === undefined ? {} : { metadata }),
  });
  return { ...planned, skipped };
}

/** Only directories are made of what others say. */
export function requireDirectory({ path, kind }: NodeRecord): void {
  if (kind === 'directory') return;
  throw frameError(
    'context.not_a_directory',
    `${showPath(path)} is a ${kind}, and only directories are synthesized; append a frame to it with: oka context put-frame.`,
    { path, kind },
  );
}

async function contextOf(
  { records, blobs }: Pick<ContextParts, 'records' | 'blobs'>,
  { child, frame: id }: UsedChild,
): Promise<ChildContext> {
  const record = await records.frame(id);
  if (record === undefined)
    throw frameError(
      'context.frame_missing',
      `the frame ${id} of ${child.name} is not there; see: oka context validate.`,
      {
        frame: id,
      },
    );
  const { type, agent, content } = await readFrame(blobs, record);
  return { name: child.name, kind: child.kind, frame: id, type, agent, content };
}
