import { createSuggester, type Suggester } from '../../kernel/index.ts';
import { isJsonObject } from '../json-value.ts';
import { nodeTypeOf } from '../node-types.ts';
import type { Edges } from './components.ts';
import type { ReadDefinition, ReadNode } from './read-definition.ts';

/** An edge from a node, as written. */
interface Way {
  readonly to: string;
  readonly failed: boolean;
}

/**
 * The edges between nodes, as a graph of vertices. Vertex `i` is the entry of node `i`. Where a node can fail and the
 * graph continues, `done(i)` is a separate vertex, because only some paths have its output.
 */
export interface Flow {
  readonly edges: Edges;
  /** The first node of each id. */
  readonly byId: ReadonlyMap<string, number>;
  readonly ids: Suggester;
  done(node: number): number;
  /** Nodes with an unreadable target, which may lead anywhere. */
  readonly open: ReadonlySet<number>;
  /** True when targets are missing because nodes could not be read; an unreachable node may then be reachable. */
  readonly incomplete: boolean;
}

const WAY_FIELDS = ['next', 'if_true', 'if_false', 'branch_targets', 'on_error'];

export function buildFlow({ nodes }: ReadDefinition): Flow {
  const byId = new Map<string, number>();
  for (const { id, index } of nodes) if (id !== undefined && !byId.has(id)) byId.set(id, index);
  const ids = createSuggester(byId.keys());
  const open = new Set<number>();
  const edges: number[][] = nodes.map(() => []);
  const doneOf = new Int32Array(nodes.length);
  let incomplete = false;
  for (const read of nodes) {
    const ways = waysOf(read);
    if (read.id === undefined || isUnclear(read, ways)) incomplete = true;
    if (isUnclear(read, ways)) open.add(read.index);
    const canFail = ways.some((way) => way.failed);
    doneOf[read.index] = canFail ? edges.push([]) - 1 : read.index;
    const done = doneOf[read.index] as number;
    if (canFail) edges[read.index]?.push(done);
    for (const { to, failed } of ways) {
      const target = byId.get(to) ?? byId.get(ids.nearest(to) ?? '');
      if (target === undefined) open.add(read.index);
      else edges[failed ? read.index : done]?.push(target);
    }
  }
  return { edges, byId, ids, open, incomplete, done: (node) => doneOf[node] as number };
}

function waysOf({ node, source }: ReadNode): readonly Way[] {
  if (node !== undefined)
    return nodeTypeOf(node)
      .targets(node)
      .map(({ to, failed }) => ({ to, failed: failed === true }));
  if (source['type'] === 'end') return [];
  return WAY_FIELDS.flatMap((field) => {
    const value = source[field];
    if (field === 'on_error' && source['type'] === 'map') return [];
    const targets = field === 'branch_targets' && isJsonObject(value) ? Object.values(value) : [value];
    return targets.flatMap((to) => (typeof to === 'string' ? [{ to, failed: field === 'on_error' }] : []));
  });
}

/** True for an unreadable node whose targets are unknown. */
function isUnclear({ node, source, brokenFields }: ReadNode, ways: readonly Way[]): boolean {
  if (node !== undefined || source['type'] === 'end') return false;
  return ways.length === 0 || WAY_FIELDS.some((field) => brokenFields.has(field));
}
