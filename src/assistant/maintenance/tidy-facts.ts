// Owns: tidying facts: merges duplicates, sets an expiry on stale facts, erases expired ones. Idempotent.
import type { EpochMs } from '../../kernel/index.ts';
import type { FactReading, Memory } from '../../memory/index.ts';
import { MAINTENANCE } from './maintenance-events.ts';
import type { MaintenanceWork } from './ports.ts';

const MAX_FACTS = 1_000_000;
const DAY_MS = 86_400_000;
/** How long a stale fact is kept unless a person confirms it. */
const STALE_FOR_MS = 30 * DAY_MS;

export async function tidyFacts(
  memory: Pick<Memory, 'facts' | 'addFact' | 'pruneFacts' | 'confirmProven'>,
  { now, dryRun = false }: { readonly now: EpochMs; readonly dryRun?: boolean },
): ReturnType<MaintenanceWork['tidy']> {
  const facts = await memory.facts({ limit: MAX_FACTS });
  const duplicates = duplicatesIn(facts);
  const stale = facts.filter((fact) => fact.stale && fact.expiresAt === undefined);
  if (!dryRun) {
    await memory.confirmProven(MAINTENANCE);
    for (const { kept, duplicate } of duplicates)
      await memory.addFact({ ...identity(kept), supersedes: duplicate.id }, MAINTENANCE);
    for (const fact of stale)
      await memory.addFact({ ...identity(fact), expiresAt: now + STALE_FOR_MS }, MAINTENANCE);
  }
  const pruned = await memory.pruneFacts({ superseded: false, dryRun }, MAINTENANCE);
  return { joined: duplicates.length, archived: stale.length, pruned: pruned.length };
}

/** The members that identify a fact. Maintenance confirms none of them by tidying. */
function identity({ text, namespace, key }: FactReading) {
  return { text, namespace, ...(key === undefined ? {} : { key }), candidate: true };
}

/** Facts that differ only in case and punctuation, each with the one to keep. */
function duplicatesIn(
  facts: readonly FactReading[],
): readonly { readonly kept: FactReading; readonly duplicate: FactReading }[] {
  const kept = new Map<string, FactReading>();
  const duplicates: { kept: FactReading; duplicate: FactReading }[] = [];
  for (const fact of [...facts].sort(byWeight)) {
    const words = fact.text.toLowerCase().match(/[\p{L}\p{N}]+/gu);
    if (words === null) continue;
    const same = JSON.stringify([fact.namespace, fact.key ?? null, ...words]);
    const first = kept.get(same);
    if (first === undefined) kept.set(same, fact);
    else duplicates.push({ kept: first, duplicate: fact });
  }
  return duplicates;
}

/** Most important first, then most confident, then newest, then by id. */
function byWeight(one: FactReading, other: FactReading): number {
  return (
    other.importance - one.importance ||
    other.confidence - one.confidence ||
    other.at - one.at ||
    (one.id < other.id ? -1 : 1)
  );
}
