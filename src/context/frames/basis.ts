import { type Digest, digestOf, digestOfJson } from '../../kernel/index.ts';
import type { Basis, ChildFrame } from './types.ts';

/** The hash of a basis; it differs exactly when what a frame was made from differs. */
export function hashBasis(basis: Basis): Digest {
  return digestOfJson(basis);
}

/** The id of a frame: over its basis, who made it, its type and its content. */
export function frameIdOf(frame: {
  readonly basisHash: string;
  readonly agent: string;
  readonly type: string;
  readonly content: string | Uint8Array;
}): Digest {
  const { basisHash, agent, type, content } = frame;
  return digestOfJson({ basis: basisHash, agent, type, content: digestOf(content) });
}

/** Children in the one order that a basis has: by node, then by frame. */
export function orderChildren(children: readonly ChildFrame[]): ChildFrame[] {
  return [...children].sort((a, b) => compareTexts(a[0], b[0]) || compareTexts(a[1], b[1]));
}

/** An order of texts that is the same on every machine. */
export function compareTexts(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
