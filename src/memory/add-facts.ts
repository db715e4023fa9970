// Owns: adding facts. I1 A namespace holds one live fact per text and one per key.
// I2 Nothing is overwritten: a superseded fact stays and links to its successor.
import { type EpochMs, groupBy, OkaError } from '../kernel/index.ts';
import type { DecidedChange, EventDraft, StreamAppend } from '../ledger/index.ts';
import { type CheckedFact, weightOf } from './check-input.ts';
import { memoryEvent, memoryStream } from './memory-events.ts';
import { digestOfFact } from './memory-projection.ts';
import { isLive } from './memory-rows.ts';
import type { MemoryParts } from './ports.ts';
import type { Fact, MemoryErrorCode } from './types.ts';

export interface AddedFact {
  readonly id: string;
  /** `known`: an equal fact already existed and did not change. */
  readonly outcome: 'added' | 'affirmed' | 'known';
  readonly superseded: readonly string[];
}

type Parts = Pick<MemoryParts, 'records' | 'clock' | 'ids'>;

/** Decides what to append for facts of one namespace, in order. Later facts see the changes of earlier ones. */
export async function planFacts(
  parts: Parts,
  namespace: string,
  facts: readonly CheckedFact[],
): Promise<DecidedChange<readonly AddedFact[]>> {
  const plan = new FactPlan(parts, namespace);
  await plan.loadStored(facts);
  const answer: AddedFact[] = [];
  for (const fact of facts) answer.push(await plan.add(fact));
  return { events: plan.events, others: plan.others, answer };
}

/** A fact after the planned changes, with the digest that equal texts share. */
interface Planned extends Fact {
  readonly textDigest: string;
}

class FactPlan {
  readonly events: EventDraft[] = [];
  readonly others: StreamAppend[] = [];
  readonly #parts: Parts;
  readonly #namespace: string;
  readonly #now: EpochMs;
  readonly #changed = new Map<string, Planned>();
  #storedByText = new Map<string, Planned[]>();
  #storedByKey = new Map<string | undefined, Planned[]>();
  readonly #byText = new Map<string, Planned>();
  readonly #byKey = new Map<string, Planned>();

  constructor(parts: Parts, namespace: string) {
    this.#parts = parts;
    this.#namespace = namespace;
    this.#now = parts.clock.now();
  }

  /** Loads the stored facts that share a text or a key with the new ones. */
  async loadStored(facts: readonly CheckedFact[]): Promise<void> {
    const textDigests = facts.map(({ text }) => digestOfFact(text));
    const keys = facts.flatMap(({ key }) => key ?? []);
    const stored = (
      await this.#parts.records.liveFacts(this.#namespace, { textDigests, keys }, this.#now)
    ).map((fact) => ({ ...fact, textDigest: digestOfFact(fact.text) }));
    this.#storedByText = groupBy(stored, ({ textDigest }) => textDigest);
    this.#storedByKey = groupBy(stored, ({ key }) => key);
  }

  async add(fact: CheckedFact): Promise<AddedFact> {
    const { key } = fact;
    const textDigest = digestOfFact(fact.text);
    const live = this.#liveFacts(textDigest, key);
    const same = live.find((one) => one.textDigest === textDigest && (key === undefined || one.key === key));
    // A fact with the same text or the same key is replaced.
    const replaced = new Map(live.filter((one) => one !== same).map((one) => [one.id, one]));
    if (fact.supersedes !== undefined && fact.supersedes !== same?.id) {
      const old = await this.#supersededFact(fact.supersedes);
      replaced.set(old.id, old);
    }
    const outcome = same === undefined ? 'added' : this.#affirm(same, fact);
    const id = same?.id ?? this.#append(fact, textDigest);
    for (const old of replaced.values()) this.#supersede(old, id);
    return { id, outcome, superseded: [...replaced.keys()] };
  }

  /** The live facts with this text or key, after the changes planned so far. */
  #liveFacts(textDigest: string, key: string | undefined): readonly Planned[] {
    const found = new Map<string, Planned>();
    for (const fact of [
      ...(this.#storedByText.get(textDigest) ?? []),
      ...(key === undefined ? [] : (this.#storedByKey.get(key) ?? [])),
      this.#byText.get(textDigest),
      key === undefined ? undefined : this.#byKey.get(key),
    ])
      if (fact) found.set(fact.id, this.#changed.get(fact.id) ?? fact);
    return [...found.values()].filter((one) => isLive(one, this.#now));
  }

  async #supersededFact(id: string): Promise<Planned> {
    const stored = this.#changed.get(id) ?? (await this.#parts.records.fact(id));
    if (stored === undefined) throw unknownFact(id);
    const { supersededBy } = stored;
    if (supersededBy === undefined) return { ...stored, textDigest: digestOfFact(stored.text) };
    throw new OkaError<MemoryErrorCode>(
      'memory.superseded',
      `fact ${id} is already superseded by ${supersededBy}. Supersede that one: --supersedes ${supersededBy}`,
      { data: { fact: id, supersededBy } },
    );
  }

  #affirm(same: Planned, fact: CheckedFact): 'affirmed' | 'known' {
    const { importance = same.importance, confidence = same.confidence, expiresAt = same.expiresAt } = fact;
    const isKnown =
      importance === same.importance && confidence === same.confidence && expiresAt === same.expiresAt;
    if (isKnown) return 'known';
    this.events.push(memoryEvent('fact.affirmed', { id: same.id, importance, confidence, expiresAt }));
    const times = expiresAt === undefined ? {} : { expiresAt };
    this.#changed.set(same.id, { ...same, importance, confidence, ...times });
    return 'affirmed';
  }

  #append(fact: CheckedFact, textDigest: string): string {
    const id = this.#parts.ids.next();
    const { text, key, source, restsOn, expiresAt, at = this.#now } = fact;
    const weight = weightOf(fact);
    this.events.push(
      memoryEvent('fact.added', { id, at, ...weight, expiresAt }, { text, key, source, restsOn }),
    );
    const planned: Planned = {
      ...{ id, namespace: this.#namespace, text, textDigest, ...weight, at, index: -1 },
      ...(key === undefined ? {} : { key }),
      ...(expiresAt === undefined ? {} : { expiresAt }),
    };
    this.#byText.set(textDigest, planned);
    if (key !== undefined) this.#byKey.set(key, planned);
    return id;
  }

  #supersede(old: Planned, by: string): void {
    this.#changed.set(old.id, { ...old, supersededBy: by });
    const event = memoryEvent('fact.superseded', { id: old.id, by });
    if (old.namespace === this.#namespace) this.events.push(event);
    else this.others.push({ stream: memoryStream(old.namespace), events: [event] });
  }
}

export function unknownFact(id: string): OkaError {
  return new OkaError<MemoryErrorCode>(
    'memory.unknown',
    `No fact "${id}". List facts: oka memory fact list`,
    {
      data: { fact: id },
    },
  );
}
