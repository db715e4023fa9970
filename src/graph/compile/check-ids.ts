import type { Finding } from '../node-type.ts';
import type { ReadDefinition } from './read-definition.ts';

const RESERVED = new Set(['input', 'last', 'vars', 'run', 'nodes']);

/** Ids are unique, and free of names that mean something else. */
export function checkIds({ nodes }: ReadDefinition): Finding[] {
  const first = new Map<string, number>();
  const findings: Finding[] = [];
  for (const { id, index } of nodes) {
    if (id === undefined) continue;
    const field = ['nodes', index, 'node_id'];
    const taken = first.get(id);
    if (taken === undefined) first.set(id, index);
    else {
      findings.push({
        code: 'graph.duplicate_id',
        field,
        message: `the id "${id}" is already that of the node at $.nodes[${taken}].`,
        suggestion: 'Give one of them another id.',
      });
    }
    const problem = reservedFor(id);
    if (problem !== undefined) {
      findings.push({
        code: 'graph.reserved_id',
        field,
        message: `the id "${id}" cannot be used: ${problem}.`,
        suggestion: 'Choose another id.',
      });
    }
  }
  return findings;
}

function reservedFor(id: string): string | undefined {
  if (RESERVED.has(id)) return 'it means something else in templates and expressions';
  return id === 'prototype' || id in Object.prototype ? 'it could reach a prototype' : undefined;
}
