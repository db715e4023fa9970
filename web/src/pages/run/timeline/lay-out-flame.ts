import type { FlameNode } from '../record/flame.ts';

export interface FlameBox {
  readonly key: string;
  readonly node: FlameNode;
  readonly depth: number;
  /** Parts of the whole width. */
  readonly from: number;
  readonly share: number;
}

/** Narrower boxes cannot be seen. */
const MIN_SHARE = 0.004;
const MAX_DEPTH = 12;

/** The boxes that are wide enough to be seen, so that a long run has some hundred of them. */
export function layOut(root: FlameNode): readonly FlameBox[] {
  const boxes: FlameBox[] = [];
  if (root.value <= 0) return boxes;
  const visit = (node: FlameNode, place: { key: string; depth: number; from: number }): void => {
    const share = node.value / root.value;
    if (share < MIN_SHARE || place.depth > MAX_DEPTH) return;
    boxes.push({ ...place, node, share });
    let { from } = place;
    for (const [index, child] of node.children.entries()) {
      visit(child, { key: `${place.key}/${index}`, depth: place.depth + 1, from });
      from += child.value / root.value;
    }
  };
  visit(root, { key: '', depth: 0, from: 0 });
  return boxes;
}
