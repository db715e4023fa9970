import type { Json } from '../../kernel/index.ts';
import type { LedgerEvent } from '../../ledger/index.ts';

const DEEPEST = 6;

/**
 * The procedures that a run was shown: in what was recalled for it, in the manifest of what a model was shown, or in its
 * variable `procedure`. What was dropped from a pack was not shown. A record names one by `{ kind: 'procedure', id }` or
 * in a list `procedures` of objects with an id.
 */
export function offeredIn(event: LedgerEvent): readonly string[] {
  const found = new Set<string>();
  if (event.type === 'evidence.recalled') look(event.body, DEEPEST, found);
  const body = event.body;
  if (body === null || typeof body !== 'object' || Array.isArray(body)) return [...found];
  const { model, vars, base } = body as { readonly model?: Json; readonly vars?: Json; readonly base?: Json };
  if (isRecord(model)) look(model['manifest'], DEEPEST, found);
  if (isRecord(base)) lookAtRecalled(base['evidence'], found);
  if (event.type === 'run.started' && isRecord(vars) && typeof vars['procedure'] === 'string')
    found.add(vars['procedure']);
  return [...found];
}

/** A run that goes on from another was shown what that one was shown. */
function lookAtRecalled(evidence: Json | undefined, found: Set<string>): void {
  if (!Array.isArray(evidence)) return;
  for (const one of evidence as Json[])
    if (isRecord(one) && one['source'] === 'recall') look(one['output'], DEEPEST, found);
}

function look(value: Json | undefined, depth: number, found: Set<string>): void {
  if (depth === 0 || value === null || typeof value !== 'object') return;
  if (Array.isArray(value)) {
    for (const member of value as Json[]) look(member, depth - 1, found);
    return;
  }
  const { kind, id } = value as { readonly kind?: Json; readonly id?: Json };
  if (kind === 'procedure' && typeof id === 'string') found.add(id);
  for (const [name, member] of Object.entries(value)) {
    if (name === 'dropped') continue;
    if (name === 'procedures' && Array.isArray(member)) addIds(member as Json[], found);
    look(member, depth - 1, found);
  }
}

/** A list of procedures needs no word that each is one. */
function addIds(members: readonly Json[], found: Set<string>): void {
  for (const member of members)
    if (isRecord(member) && typeof member['id'] === 'string') found.add(member['id']);
}

function isRecord(value: Json | undefined): value is { readonly [name: string]: Json } {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
