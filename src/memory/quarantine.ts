// Owns: facts of runs that had read untrusted content. I1 They are in a table of their own, so that no search and no pack finds
// them. I2 They leave it when a person confirms or rejects them, or when a trusted source states the same.
import { type EpochMs, type Ids, OkaError } from '../kernel/index.ts';
import type { DecidedChange, StreamAppend } from '../ledger/index.ts';
import { type AddedFact, planFacts } from './add-facts.ts';
import { type CheckedFact, weightOf } from './check-input.ts';
import { memoryEvent, memoryStream } from './memory-events.ts';
import { digestOfFact } from './memory-projection.ts';
import type { MemoryParts } from './ports.ts';
import type { Fact, MemoryErrorCode, QuarantinedFact } from './types.ts';

/** Quarantines a fact, unless the same text is already known or quarantined in its namespace. */
export async function planQuarantine(
  { records, clock, ids }: Pick<MemoryParts, 'records' | 'clock' | 'ids'>,
  fact: CheckedFact,
  from: { readonly run: string; readonly origin?: string },
): Promise<DecidedChange<{ readonly id: string; readonly outcome: 'added' | 'known' }>> {
  const textDigest = digestOfFact(fact.text);
  const like = { textDigests: [textDigest], keys: [], subjects: [] };
  const [known] = await records.liveFacts(fact.namespace, like, clock.now());
  const [held] = await records.quarantined({ namespace: fact.namespace, textDigest, limit: 1 });
  const same = known ?? held;
  if (same !== undefined) return { events: [], answer: { id: same.id, outcome: 'known' } };
  const id = ids.next();
  const { text, expiresAt, at = clock.now() } = fact;
  const data = { id, at, ...weightOf(fact), expiresAt, run: from.run };
  return {
    events: [memoryEvent('fact.quarantined', data, { text, origin: from.origin })],
    answer: { id, outcome: 'added' },
  };
}

/** Moves facts into quarantine, because it is unknown who stated them. Superseded and expired ones are removed. */
export function distrustFacts(
  facts: readonly Fact[],
  { ids, now, origin }: { readonly ids: Ids; readonly now: EpochMs; readonly origin: string },
): readonly StreamAppend[] {
  const namespaces = [...new Set(facts.map(({ namespace }) => namespace))];
  return namespaces.map((namespace) => {
    const own = facts.filter((fact) => fact.namespace === namespace);
    const live = own.filter(
      ({ supersededBy, expiresAt = Number.POSITIVE_INFINITY }) =>
        supersededBy === undefined && expiresAt > now,
    );
    return {
      stream: memoryStream(namespace),
      events: [
        memoryEvent('fact.pruned', { ids: own.map(({ id }) => id) }),
        ...live.map(({ text, at, importance, confidence, expiresAt }) =>
          memoryEvent(
            'fact.quarantined',
            { id: ids.next(), at, importance, confidence, expiresAt, run: 'adopted' },
            { text, origin },
          ),
        ),
      ],
    };
  });
}

/** Confirms a candidate, which then supersedes the facts that it contradicts. */
export async function planCandidateConfirmation(
  parts: Pick<MemoryParts, 'records' | 'clock' | 'ids'>,
  { namespace, text, key }: Fact,
): Promise<DecidedChange<AddedFact>> {
  const fact = { text, namespace, ...(key === undefined ? {} : { key }), at: parts.clock.now() };
  const planned = await planFacts(parts, namespace, [fact]);
  return { ...planned, answer: planned.answer[0] as AddedFact };
}

/** Adds a quarantined fact to the known ones. */
export async function planConfirmation(
  parts: Pick<MemoryParts, 'records' | 'clock' | 'ids'>,
  { id, namespace, text, importance, run, expiresAt }: QuarantinedFact,
): Promise<DecidedChange<AddedFact>> {
  const expiry = expiresAt === undefined ? {} : { expiresAt };
  const fact: CheckedFact = { text, namespace, importance, source: `run ${run}`, ...expiry };
  const planned = await planFacts(parts, namespace, [fact]);
  const added = planned.answer[0] as AddedFact;
  const reviewed = memoryEvent('fact.reviewed', { id, decision: 'confirmed', fact: added.id });
  return { events: [...planned.events, reviewed], others: planned.others ?? [], answer: added };
}

export function unknownQuarantined(id: string): OkaError {
  return new OkaError<MemoryErrorCode>(
    'memory.unknown',
    `No fact "${id}" waits for a review. List them: oka memory review`,
    {
      data: { fact: id },
    },
  );
}
