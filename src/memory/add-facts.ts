// Owns: what becomes of facts that are to be added. I1 A namespace holds one live fact of a text and one of a key.
// I2 Nothing is overwritten: what a new fact replaces stays, with a link to it.
import { type EpochMs, OkaError } from '../kernel/index.ts';
import type { DecidedChange, EventDraft, StreamAppend } from '../ledger/index.ts';
import { type CheckedFact, weightOf } from './check-input.ts';
import { memoryEvent, memoryStream } from './memory-events.ts';
import type { MemoryParts } from './memory-parts.ts';
import { digestOfFact } from './memory-projection.ts';
import type { Fact, MemoryErrorCode } from './types.ts';

/** What became of a fact that was to be added. */
export interface AddedFact {
  readonly id: string;
  /** `known`: the same stood there already, unchanged. */
  readonly outcome: 'added' | 'affirmed' | 'known';
  readonly superseded: readonly string[];
}

type Parts = Pick<MemoryParts, 'records' | 'clock' | 'ids'>;

/** Decides what to append for facts of one namespace, in order; later ones see what earlier ones changed. */
export async function planFacts(
  parts: Parts,
  namespace: string,
  facts: readonly CheckedFact[],
): Promise<DecidedChange<readonly AddedFact[]>> {
  const plan = new FactPlan(parts, namespace);
  await plan.look(facts);
  const answer: AddedFact[] = [];
  for (const fact of facts) answer.push(await plan.add(fact));
  return { events: plan.events, others: plan.others, answer };
}

/** A fact as it will be, with the digest that equal texts share. */
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
  readonly #storedByText = new Map<string, Planned[]>();
  readonly #storedByKey = new Map<string, Planned[]>();
  readonly #byText = new Map<string, Planned>();
  readonly #byKey = new Map<string, Planned>();

  constructor(parts: Parts, namespace: string) {
    this.#parts = parts;
    this.#namespace = namespace;
    this.#now = parts.clock.now();
  }

  /** Finds the stored facts that the ones to be added may meet. */
  async look(facts: readonly CheckedFact[]): Promise<void> {
    const textDigests = facts.map(({ text }) => digestOfFact(text));
    const keys = facts.flatMap(({ key }) => (key === undefined ? [] : [key]));
    const stored = await this.#parts.records.standingFacts(this.#namespace, { textDigests, keys }, this.#now);
    for (const fact of stored) {
      const planned = { ...fact, textDigest: digestOfFact(fact.text) };
      push(this.#storedByText, planned.textDigest, planned);
      if (fact.key !== undefined) push(this.#storedByKey, fact.key, planned);
    }
  }

  async add(fact: CheckedFact): Promise<AddedFact> {
    const textDigest = digestOfFact(fact.text);
    const standing = this.#standing(textDigest, fact.key);
    const same = standing.find(
      (one) => one.textDigest === textDigest && (fact.key === undefined || one.key === fact.key),
    );
    const replaced = new Map(
      standing
        .filter((one) => one !== same && this.#clashes(one, fact, textDigest))
        .map((one) => [one.id, one]),
    );
    if (fact.supersedes !== undefined && fact.supersedes !== same?.id) {
      const old = await this.#superseded(fact.supersedes);
      replaced.set(old.id, old);
    }
    const outcome = same === undefined ? 'added' : this.#affirm(same, fact);
    const id = same?.id ?? this.#append(fact, textDigest);
    for (const old of replaced.values()) this.#supersede(old, id);
    return { id, outcome, superseded: [...replaced.keys()] };
  }

  /** The same text under another key, or another text under the same key, gives way. */
  #clashes(one: Planned, fact: CheckedFact, textDigest: string): boolean {
    return one.textDigest === textDigest || (fact.key !== undefined && one.key === fact.key);
  }

  /** The live facts with this text or key, as they are after what was planned so far. */
  #standing(textDigest: string, key: string | undefined): readonly Planned[] {
    const found = new Map<string, Planned>();
    for (const fact of [
      ...(this.#storedByText.get(textDigest) ?? []),
      ...(key === undefined ? [] : (this.#storedByKey.get(key) ?? [])),
    ])
      found.set(fact.id, fact);
    for (const planned of [
      this.#byText.get(textDigest),
      key === undefined ? undefined : this.#byKey.get(key),
    ])
      if (planned) found.set(planned.id, planned);
    return [...found.values()]
      .map((one) => this.#changed.get(one.id) ?? one)
      .filter(
        (one) =>
          one.supersededBy === undefined && !(one.expiresAt !== undefined && one.expiresAt <= this.#now),
      );
  }

  async #superseded(id: string): Promise<Planned> {
    const planned = this.#changed.get(id);
    const stored = planned ?? (await this.#parts.records.fact(id));
    if (stored === undefined) throw unknownFact(id);
    if (stored.supersededBy === undefined) return { ...stored, textDigest: digestOfFact(stored.text) };
    const code: MemoryErrorCode = 'memory.superseded';
    const { supersededBy } = stored;
    throw new OkaError(
      code,
      `the fact ${id} was superseded by ${supersededBy} already; supersede that one: --supersedes ${supersededBy}.`,
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
      id,
      namespace: this.#namespace,
      text,
      ...weight,
      ...(key === undefined ? {} : { key }),
      ...(expiresAt === undefined ? {} : { expiresAt }),
      at,
      index: -1,
      textDigest,
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

function push<Item>(lists: Map<string, Item[]>, name: string, item: Item): void {
  const list = lists.get(name);
  if (list) list.push(item);
  else lists.set(name, [item]);
}

/** The refusal of an id that no fact has. */
export function unknownFact(id: string): OkaError {
  const code: MemoryErrorCode = 'memory.unknown';
  return new OkaError(code, `there is no fact "${id}"; see: oka memory fact list.`, { data: { fact: id } });
}
