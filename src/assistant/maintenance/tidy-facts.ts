// Owns: keeping facts in order: those that say the same become one, those that rest on what has changed get an end, those
// that have expired are erased. Nothing is done twice: what is in order is passed over.
import type { EpochMs } from '../../kernel/index.ts';
import type { FactReading, Memory } from '../../memory/index.ts';
import { MAINTENANCE } from './maintenance-events.ts';

const MOST_FACTS = 1_000_000;
const DAY_MS = 86_400_000;
/** How long a fact is kept whose ground has changed, unless somebody affirms it. */
const STALE_FOR_MS = 30 * DAY_MS;

/** What tidying came to, or would come to. */
export interface TidyReport {
  readonly joined: number;
  readonly archived: number;
  readonly pruned: number;
}

export async function tidyFacts(
  memory: Pick<Memory, 'facts' | 'addFact' | 'pruneFacts'>,
  { now, dryRun = false }: { readonly now: EpochMs; readonly dryRun?: boolean },
): Promise<TidyReport> {
  const facts = await memory.facts({ limit: MOST_FACTS });
  const doubles = doublesIn(facts);
  const stale = facts.filter((fact) => fact.stale && fact.expiresAt === undefined);
  if (!dryRun) {
    for (const { kept, double } of doubles)
      await memory.addFact({ ...identity(kept), supersedes: double.id }, MAINTENANCE);
    for (const fact of stale)
      await memory.addFact({ ...identity(fact), expiresAt: now + STALE_FOR_MS }, MAINTENANCE);
  }
  const pruned = await memory.pruneFacts({ superseded: false, dryRun }, MAINTENANCE);
  return { joined: doubles.length, archived: stale.length, pruned: pruned.length };
}

/** What tells memory which fact is meant, without changing anything about it. */
function identity({ text, namespace, key }: FactReading) {
  return { text, namespace, ...(key === undefined ? {} : { key }) };
}

/** Facts that differ only in case and punctuation, each with the one that stays. */
function doublesIn(
  facts: readonly FactReading[],
): readonly { readonly kept: FactReading; readonly double: FactReading }[] {
  const kept = new Map<string, FactReading>();
  const doubles: { kept: FactReading; double: FactReading }[] = [];
  for (const fact of [...facts].sort(byWeight)) {
    const words = fact.text.toLowerCase().match(/[\p{L}\p{N}]+/gu);
    if (words === null) continue;
    const same = JSON.stringify([fact.namespace, fact.key ?? null, ...words]);
    const first = kept.get(same);
    if (first === undefined) kept.set(same, fact);
    else doubles.push({ kept: first, double: fact });
  }
  return doubles;
}

/** The heaviest first, then the newest; ids settle what is left. */
function byWeight(one: FactReading, other: FactReading): number {
  return (
    other.importance - one.importance ||
    other.confidence - one.confidence ||
    other.at - one.at ||
    (one.id < other.id ? -1 : 1)
  );
}
