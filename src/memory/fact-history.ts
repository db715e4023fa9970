// Owns: the history of a belief, and undoing it. Nothing is deleted: the undone fact links to the restored one.
import { OkaError } from '../kernel/index.ts';
import type { DecidedChange } from '../ledger/index.ts';
import { unknownFact } from './add-facts.ts';
import { memoryEvent, memoryStream } from './memory-events.ts';
import type { MemoryParts, MemoryRecords } from './ports.ts';
import type { Fact, FactChange, MemoryErrorCode } from './types.ts';

/** All versions of a belief, oldest first, and what happened to them. A deleted version has changes but no fact. */
export interface FactHistory {
  readonly versions: readonly Fact[];
  readonly changes: readonly FactChange[];
}

export async function factHistory(records: MemoryRecords, id: string): Promise<FactHistory> {
  const changes = await records.changes(id);
  if (changes.length === 0) throw unknownFact(id);
  const ids = [...new Set(changes.map(({ fact }) => fact))];
  const versions = (await Promise.all(ids.map((one) => records.fact(one)))).filter(
    (one) => one !== undefined,
  );
  return { versions, changes };
}

export interface UndoneFact {
  readonly restored: readonly string[];
  /** The facts that are superseded by the restored one now. */
  readonly undone: readonly string[];
}

/** A valid fact is replaced by the facts that it superseded; a superseded one replaces the fact that is valid now. */
export async function planUndo(
  { records, clock }: Pick<MemoryParts, 'records' | 'clock'>,
  id: string,
): Promise<DecidedChange<UndoneFact>> {
  const fact = await records.fact(id);
  if (fact === undefined) throw unknownFact(id);
  const replaced = fact.supersededBy === undefined ? await records.supersededBy(id) : [fact];
  const current = await currentOf(records, fact);
  const restored = replaced.filter(({ expiresAt = Number.POSITIVE_INFINITY }) => expiresAt > clock.now());
  if (restored.length === 0) throw nothingToUndo(id);
  const last = restored.at(-1) as Fact;
  const undo = current === undefined || current.id === last.id ? [] : [current];
  const instead = current?.id ?? fact.supersededBy ?? id;
  const events = [
    ...restored.map((one) => ({ of: one, event: memoryEvent('fact.restored', { id: one.id, instead }) })),
    ...undo.map((one) => ({ of: one, event: memoryEvent('fact.superseded', { id: one.id, by: last.id }) })),
  ];
  const own = events.filter(({ of }) => of.namespace === fact.namespace).map(({ event }) => event);
  const others = events
    .filter(({ of }) => of.namespace !== fact.namespace)
    .map(({ of, event }) => ({ stream: memoryStream(of.namespace), events: [event] }));
  const answer = { restored: restored.map((one) => one.id), undone: undo.map((one) => one.id) };
  return { events: own, others, answer };
}

/** The valid fact at the end of the links; undefined if it was deleted. */
async function currentOf(records: MemoryRecords, fact: Fact): Promise<Fact | undefined> {
  const seen = new Set<string>();
  let one: Fact | undefined = fact;
  while (one?.supersededBy !== undefined && !seen.has(one.id)) {
    seen.add(one.id);
    one = await records.fact(one.supersededBy);
  }
  return one;
}

function nothingToUndo(id: string): OkaError {
  return new OkaError<MemoryErrorCode>(
    'memory.nothing_to_undo',
    `Fact ${id} replaced no other fact that still holds, so there is nothing to restore. To erase it: oka memory fact delete ${id}`,
    { data: { fact: id } },
  );
}
