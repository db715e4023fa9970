import { asObject, type Json } from '../../kernel/index.ts';
import type { LedgerEvent } from '../../ledger/index.ts';

const MAX_DEPTH = 6;

/**
 * The procedures that a run was offered: recalled evidence, the manifest of a model call, or its variable `procedure`.
 * Dropped items of a pack do not count. A record names a procedure by `{ kind: 'procedure', id }` or in a list
 * `procedures` of objects with an id.
 */
export function offeredIn(event: LedgerEvent): readonly string[] {
  const found = new Set<string>();
  if (event.type === 'evidence.recalled') collectIds(event.body, MAX_DEPTH, found);
  const { model, vars, base } = asObject(event.body);
  collectIds(asObject(model)['manifest'], MAX_DEPTH, found);
  // A run that continues another one was offered the same procedures.
  const { evidence } = asObject(base);
  for (const one of (Array.isArray(evidence) ? (evidence as Json[]) : []).map(asObject))
    if (one['source'] === 'recall') collectIds(one['output'], MAX_DEPTH, found);
  const { procedure } = asObject(vars);
  if (event.type === 'run.started' && typeof procedure === 'string') found.add(procedure);
  return [...found];
}

function collectIds(value: Json | undefined, depth: number, found: Set<string>): void {
  if (depth === 0 || value === null || typeof value !== 'object') return;
  if (Array.isArray(value)) {
    for (const member of value as Json[]) collectIds(member, depth - 1, found);
    return;
  }
  const { kind, id } = value as { readonly kind?: Json; readonly id?: Json };
  if (kind === 'procedure' && typeof id === 'string') found.add(id);
  for (const [name, member] of Object.entries(value)) {
    if (name === 'dropped') continue;
    if (name === 'procedures' && Array.isArray(member))
      for (const { id: listed } of (member as Json[]).map(asObject))
        if (typeof listed === 'string') found.add(listed);
    collectIds(member, depth - 1, found);
  }
}
