import type { JsonObject } from '../../kernel/index.ts';
import { showPath } from '../paths.ts';
import type { NodeRecord } from '../types.ts';
import { compareTexts } from './basis.ts';
import { basisOfSynthesis, type UsedChild, usedChildren } from './current-basis.ts';
import { frameError } from './frame-error.ts';
import { type PlannedFrame, planFrame } from './plan-frame.ts';
import type { ContentBlobs, ContextParts } from './ports.ts';
import { readFrame } from './read-content.ts';
import type { ChildContext } from './synthesis-policy.ts';
import type { PolicyUse } from './types.ts';

export interface SynthesisOrder {
  readonly type: string;
  readonly policy: PolicyUse;
  readonly agent: string;
  readonly metadata?: JsonObject;
}

/** A planned frame, and the children without frames. */
export interface PlannedSynthesis extends PlannedFrame {
  readonly skipped: readonly string[];
}

/** Plans the frame of a directory from its children only. */
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

/** Only directories can be synthesized. */
export function requireDirectory({ path, kind }: NodeRecord): void {
  if (kind === 'directory') return;
  throw frameError(
    'context.not_a_directory',
    `Cannot synthesize ${showPath(path)}: it is a ${kind}, not a directory. Append a frame with: oka context put-frame`,
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
      `Frame ${id} of ${child.name} is missing. Run: oka context validate`,
      { frame: id },
    );
  const { type, agent, content } = await readFrame(blobs, record);
  return { name: child.name, kind: child.kind, frame: id, type, agent, content };
}
