import { groupBy, type Unchecked } from '../../kernel/index.ts';
import { pathIn } from '../paths.ts';
import type { ChildRef, NodeRecord, WorkspaceTree } from '../types.ts';
import { hashBasis, orderChildren } from './basis.ts';
import type { ContextParts, RecipeHead } from './ports.ts';
import type { Basis, ChildFrame, FrameRecord, Head, PolicyUse } from './types.ts';

export const EVERY_TYPE = '*';

export interface UsedChild {
  readonly child: ChildRef;
  readonly frame: string;
}

/** The usable frames of a directory's children for a type, and the children without one. */
export async function usedChildren(
  { tree, records }: Pick<ContextParts, 'tree' | 'records'>,
  path: string,
  type: string,
): Promise<{ readonly used: readonly UsedChild[]; readonly skipped: readonly string[] }> {
  const frames: readonly { readonly path: string; readonly frame: string }[] =
    type === EVERY_TYPE
      ? (await records.framesBelow(path))
          .filter(({ erased }) => !erased)
          .map(({ id, path }) => ({ path, frame: id }))
      : (await records.headsBelow(path, type)).filter(({ usable }) => usable);
  const byPath = groupBy(frames, (one) => one.path);
  const used: UsedChild[] = [];
  const skipped: string[] = [];
  for (const child of await tree.children(path)) {
    const own = byPath.get(pathIn(path, child.name)) ?? [];
    if (own.length === 0) skipped.push(pathIn(path, child.name));
    for (const { frame } of own) used.push({ child, frame });
  }
  return { used, skipped };
}

/** The basis of a synthesized frame. */
export function basisOfSynthesis(
  path: string,
  type: string,
  policy: PolicyUse,
  used: readonly UsedChild[],
): Basis {
  return { kind: 'frames', path, type, policy, children: pairs(used) };
}

/** The basis of a generated frame: the node, the prompt and the children's frames. */
export async function basisOfGeneration(
  parts: Pick<ContextParts, 'tree' | 'records'>,
  node: NodeRecord,
  type: string,
  prompt: string,
): Promise<Basis> {
  const used = node.kind === 'directory' ? (await usedChildren(parts, node.path, type)).used : [];
  return { kind: 'both', node: node.id, prompt, children: pairs(used) };
}

/** The basis that a frame would have now; undefined for a frame without a recipe. */
export async function currentBasis(
  parts: Pick<ContextParts, 'tree' | 'records' | 'policies'>,
  node: NodeRecord,
  { type, basis }: Pick<FrameRecord, 'type' | 'basis'>,
): Promise<Basis | undefined> {
  if (basis?.kind === 'both') return basisOfGeneration(parts, node, type, basis.prompt);
  if (basis?.kind !== 'frames') return undefined;
  const { name, parameters } = basis.policy;
  const policy = { name, version: parts.policies.require(name).version, parameters };
  return basisOfSynthesis(node.path, type, policy, (await usedChildren(parts, node.path, type)).used);
}

/** A quick check without reading the frame: whether the head may be outdated. */
export function mayDiffer(
  { policies }: Pick<ContextParts, 'policies'>,
  { invalid, newestBelow, index, node, policy }: RecipeHead,
  version: string | undefined,
): boolean {
  if (invalid || newestBelow > index || node !== version) return true;
  return policy !== undefined && policies.find(policy.name)?.version !== policy.version;
}

/** Whether a head is outdated, or its path is gone. */
export async function isStale(
  parts: Pick<ContextParts, 'tree' | 'records' | 'policies'>,
  head: Head,
): Promise<boolean> {
  const node = await parts.tree.node(head.path);
  if (node === undefined || head.invalid) return true;
  if (head.recipe === 'none') return head.node !== node.id;
  const frame = await parts.records.frame(head.frame);
  if (frame?.basis === undefined) return head.node !== node.id;
  if (frame.basis.kind === 'frames' && parts.policies.find(frame.basis.policy.name) === undefined)
    return head.node !== node.id;
  const basis = await currentBasis(parts, node, frame);
  return basis === undefined || hashBasis(basis) !== frame.basisHash;
}

function pairs(used: readonly UsedChild[]): ChildFrame[] {
  return orderChildren(used.map(({ child, frame }) => [child.id, frame]));
}

/** The version that a path has now, missing if it does not exist; with `unchecked`, the one of the last scan. */
export interface NodeNow {
  readonly id?: string;
  readonly unchecked?: Unchecked;
}

/** Whether a node is as a frame or a fact saw it is answered by comparing with this, and nowhere else. */
export async function nodeNow(tree: WorkspaceTree, path: string): Promise<NodeNow> {
  const [node, unchecked] = [await tree.node(path), await tree.unchecked(path)];
  return { ...(node && { id: node.id }), ...(unchecked && { unchecked }) };
}
