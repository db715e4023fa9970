import type { Finding } from '../node-type.ts';
import type { ReadDefinition } from './read-definition.ts';

/** Ids with another meaning in templates and expressions. */
export const RESERVED_IDS: ReadonlySet<string> = new Set(['input', 'last', 'vars', 'run', 'nodes']);

/** Ids must be unique and not reserved. */
export function* checkIds({ nodes }: ReadDefinition): Generator<Finding> {
  const first = new Map<string, number>();
  for (const { id, index } of nodes) {
    if (id === undefined) continue;
    const field = ['nodes', index, 'node_id'];
    const taken = first.get(id);
    if (taken === undefined) first.set(id, index);
    else {
      yield {
        code: 'graph.duplicate_id',
        field,
        message: `the id "${id}" is already used by the node at $.nodes[${taken}].`,
        suggestion: 'Give one of them another id.',
      };
    }
    const problem = reservedFor(id);
    if (problem !== undefined) {
      yield {
        code: 'graph.reserved_id',
        field,
        message: `the id "${id}" cannot be used: ${problem}.`,
        suggestion: 'Choose another id.',
      };
    }
  }
}

function reservedFor(id: string): string | undefined {
  if (RESERVED_IDS.has(id)) return 'it has another meaning in templates and expressions';
  return id === 'prototype' || id in Object.prototype ? 'it could reach a prototype' : undefined;
}
