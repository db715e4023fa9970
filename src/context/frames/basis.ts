import { type Digest, digestOf, digestOfJson } from '../../kernel/index.ts';
import type { Basis, ChildFrame, Frame } from './types.ts';

/** The hash of a basis; equal exactly for equal bases. */
export function hashBasis(basis: Basis): Digest {
  return digestOfJson(basis);
}

/** The id of a frame: a digest of its basis, agent, type and content. */
export function frameIdOf(frame: Pick<Frame, 'basisHash' | 'agent' | 'type' | 'content'>): Digest {
  const { basisHash, agent, type, content } = frame;
  return digestOfJson({ basis: basisHash, agent, type, content: digestOf(content) });
}

/** Sorts children by node, then by frame, as a basis requires. */
export function orderChildren(children: readonly ChildFrame[]): ChildFrame[] {
  return [...children].sort((a, b) => compareTexts(a[0], b[0]) || compareTexts(a[1], b[1]));
}

/** Compares texts independently of the locale. */
export function compareTexts(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
