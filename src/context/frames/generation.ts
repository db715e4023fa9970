import type { JsonObject } from '../../kernel/index.ts';
import type { NodeRecord } from '../types.ts';
import { requireAgent } from './agent-identity.ts';
import { hashBasis } from './basis.ts';
import type { ContextParts } from './context-parts.ts';
import { basisOfGeneration } from './current-basis.ts';
import { invalid } from './frame-error.ts';
import { byRecency } from './order-frames.ts';
import { checkContent, checkType, type PlannedFrame, planFrame } from './plan-frame.ts';
import type { ContentBlobs } from './ports.ts';
import { findFrame, readFrame } from './read-content.ts';
import { resolveNode } from './resolve-node.ts';
import type { Basis, Frame } from './types.ts';

/** What a model is to be asked about a node. */
export interface GenerationOrder {
  readonly node: string;
  readonly type: string;
  readonly prompt: string;
  readonly agent: string;
}

/** All that a model is shown beside the file itself, and what its answer will rest on. */
export interface PreparedGeneration {
  readonly node: NodeRecord;
  readonly type: string;
  readonly agent: string;
  readonly prompt: string;
  readonly basis: Basis;
  readonly children: readonly Frame[];
}

/** What a model has written, and who it was. */
export interface GeneratedAnswer {
  readonly content: string;
  readonly metadata: JsonObject;
}

/** Gathers what a model needs to write a frame, and refuses agents that may not have one written. */
export async function prepareGeneration(
  parts: ContextParts,
  order: GenerationOrder,
): Promise<PreparedGeneration> {
  const { type, agent } = order;
  checkType(type);
  if (typeof order.prompt !== 'string' || order.prompt.trim() === '')
    throw invalid('prompt', 'nothing is asked; give a prompt.');
  await requireAgent(parts.agents, agent, 'generate');
  const prompt = parts.redact(order.prompt);
  const node = await resolveNode(parts.tree, order.node);
  const basis = await basisOfGeneration(parts, node, type, prompt);
  const children: Frame[] = [];
  for (const [, id] of basis.kind === 'both' ? basis.children : []) {
    const record = await parts.records.frame(id);
    if (record) children.push(await readFrame(parts.blobs, record));
  }
  return { node, type, agent, prompt, basis, children };
}

/**
 * The answer to the same question that is on record, so that nothing is paid for twice, whatever became of the run that asked.
 * There is none where a person has said since that it does not hold.
 */
export async function findAnswer(
  parts: ContextParts,
  { node, type, agent, basis }: PreparedGeneration,
  question: string,
): Promise<GeneratedAnswer | undefined> {
  if ((await parts.records.head(node.path, type))?.invalid) return undefined;
  const alike = await parts.records.framesWithBasis(hashBasis(basis));
  const own = alike.filter((frame) => frame.type === type && frame.agent === agent);
  for (const { id } of own.sort(byRecency)) {
    const { content, metadata = {} } = (await findFrame(parts, id)) ?? {};
    if (content !== undefined && metadata['question'] === question) return { content, metadata };
  }
  return undefined;
}

/** Decides on the frame that a model has written. */
export function planGenerated(
  parts: ContextParts,
  blobs: Pick<ContentBlobs, 'put'>,
  prepared: PreparedGeneration,
  answer: GeneratedAnswer,
): Promise<PlannedFrame> {
  const { node, type, agent, basis } = prepared;
  checkContent(answer.content);
  return planFrame(parts, blobs, {
    path: node.path,
    node: node.id,
    type,
    agent,
    basis,
    recipe: 'generation',
    content: parts.redact(answer.content),
    metadata: parts.redact(answer.metadata),
  });
}
