import type { JsonObject } from '../../kernel/index.ts';
import { showPath } from '../paths.ts';
import type { NodeRecord } from '../types.ts';
import { requireAgent } from './agent-identity.ts';
import { hashBasis } from './basis.ts';
import { byRecency } from './context-view.ts';
import { basisOfGeneration } from './current-basis.ts';
import { frameError, invalid } from './frame-error.ts';
import { producerIn } from './frame-projection.ts';
import { checkContent, checkType, type PlannedFrame, planFrame } from './plan-frame.ts';
import type { ContentBlobs, ContextParts } from './ports.ts';
import { findFrame, readFrame } from './read-content.ts';
import { resolveNode } from './resolve-node.ts';
import type { Basis, Frame } from './types.ts';

/** A request to a model about a node. */
export interface GenerationOrder {
  readonly node: string;
  readonly type: string;
  readonly prompt: string;
  readonly agent: string;
}

/** The input of a model apart from the file itself, and the basis of its answer. */
export interface PreparedGeneration extends Omit<GenerationOrder, 'node'> {
  readonly node: NodeRecord;
  readonly basis: Basis;
  readonly children: readonly Frame[];
}

/** The answer of a model; the metadata names the model. */
export interface GeneratedAnswer {
  readonly content: string;
  readonly metadata: JsonObject;
}

/** Collects the input for a model; throws if the agent may not generate frames. */
export async function prepareGeneration(
  parts: ContextParts,
  order: GenerationOrder,
): Promise<PreparedGeneration> {
  const { type, agent } = order;
  checkType(type);
  if (typeof order.prompt !== 'string' || order.prompt.trim() === '')
    throw invalid('prompt', 'The prompt is empty.');
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
 * The recorded answer to the same question, so that no question is paid for twice. None if the head was invalidated
 * since.
 */
export async function findAnswer(
  parts: ContextParts,
  { node, type, agent, basis }: PreparedGeneration,
  question: string,
): Promise<GeneratedAnswer | undefined> {
  if ((await parts.records.head(node.path, type))?.invalid) return undefined;
  const candidates = await parts.records.framesWithBasis(hashBasis(basis));
  const own = candidates.filter((frame) => frame.type === type && frame.agent === agent);
  for (const { id } of own.sort(byRecency)) {
    const { content, metadata = {}, producers = [] } = (await findFrame(parts, id)) ?? {};
    const asked = producers.find((producer) => producer.question === question);
    if (content !== undefined && asked !== undefined)
      return { content, metadata: { ...metadata, provider: asked.provider, model: asked.model } };
  }
  return undefined;
}

/** Plans the frame for the answer of a model. */
export async function planGenerated(
  parts: ContextParts,
  blobs: Pick<ContentBlobs, 'put'>,
  prepared: PreparedGeneration,
  answer: GeneratedAnswer,
): Promise<PlannedFrame> {
  const { node, type, agent, basis } = prepared;
  if (answer.content.trim() === '')
    throw frameError(
      'context.not_generated',
      `The model answered with no text, so no frame about ${showPath(node.path)} was made. Ask again, or use another model.`,
      { path: node.path },
    );
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
    producer: producerIn(answer.metadata),
  });
}
