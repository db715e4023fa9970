import type { GraphNode } from '../types.ts';
import { freeId } from './slug.ts';

/** A node whose targets are not all known yet. */
export interface DraftNode {
  readonly node_id: string;
  [field: string]: unknown;
}

/** A field of a node that waits for the id of what comes next. */
export interface Exit {
  readonly node: DraftNode;
  readonly field: string;
}

/** Nodes in the order of the steps, joined as they come. */
export class DraftGraph {
  readonly #nodes: DraftNode[] = [{ node_id: 'start', type: 'start' }];
  readonly #ids = new Set(['start', 'end']);

  /** The way out of the start. */
  get first(): Exit {
    return { node: this.#nodes[0] as DraftNode, field: 'next' };
  }

  /** Adds a node under a free id near the wished one, and leads the exits to it. */
  add(wish: string, fields: Readonly<Record<string, unknown>>, from: readonly Exit[]): DraftNode {
    const node: DraftNode = { ...fields, node_id: freeId(wish, this.#ids) };
    this.#ids.add(node.node_id);
    this.#nodes.push(node);
    lead(from, node.node_id);
    return node;
  }

  /** All nodes and an end, to which the exits lead that are still open. */
  finish(open: readonly Exit[]): GraphNode[] {
    lead(open, 'end');
    const nodes = [...this.#nodes, { node_id: 'end', type: 'end' }];
    return nodes.map(({ node_id, ...rest }) => ({ node_id, ...rest })) as unknown as GraphNode[];
  }
}

function lead(exits: readonly Exit[], to: string): void {
  for (const { node, field } of exits) node[field] = to;
}
