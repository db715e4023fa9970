// Owns: adding facts. I1 A namespace holds one live fact per text and one per key, and one confirmed fact per subject.
// I2 Nothing is overwritten: a superseded fact stays and links to its successor. I3 A candidate supersedes only candidates.
import { type EpochMs, groupBy, OkaError } from '../kernel/index.ts';
import type { DecidedChange, EventDraft, StreamAppend } from '../ledger/index.ts';
import { type CheckedFact, weightOf } from './check-input.ts';
import { subjectOf } from './fact-subject.ts';
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
  readonly subject: string | undefined;
}

interface Sought {
  readonly textDigest: string;
  readonly key: string | undefined;
  readonly subject: string | undefined;
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
  #storedBySubject = new Map<string | undefined, Planned[]>();
  readonly #byText = new Map<string, Planned>();
  readonly #byKey = new Map<string, Planned>();
  readonly #bySubject = new Map<string, Planned>();

  constructor(parts: Parts, namespace: string) {
    this.#parts = parts;
    this.#namespace = namespace;
    this.#now = parts.clock.now();
  }

  /** Loads the stored facts that share a text, a key or a subject with the new ones. */
  async loadStored(facts: readonly CheckedFact[]): Promise<void> {
    const textDigests = facts.map(({ text }) => digestOfFact(text));
    const keys = facts.flatMap(({ key }) => key ?? []);
    const subjects = facts.flatMap(({ text }) => subjectOf(text) ?? []);
    const like = { textDigests, keys, subjects };
    const stored = (await this.#parts.records.liveFacts(this.#namespace, like, this.#now)).map(toPlanned);
    this.#storedByText = groupBy(stored, ({ textDigest }) => textDigest);
    this.#storedByKey = groupBy(stored, ({ key }) => key);
    this.#storedBySubject = groupBy(stored, ({ subject }) => subject);
  }

  async add(given: CheckedFact): Promise<AddedFact> {
    const textDigest = digestOfFact(given.text);
    const subject = subjectOf(given.text);
    const live = this.#liveFacts({ textDigest, key: given.key, subject });
    const fact = withFreeKey(given, live);
    const { key } = fact;
    const isCandidate = fact.candidate === true;
    const same = live.find(
      (one) => one.textDigest === textDigest && (isCandidate || key === undefined || one.key === key),
    );
    const others = live.filter((one) => one !== same && (!isCandidate || one.candidate === true));
    const isNamed = (one: Planned): boolean =>
      one.textDigest === textDigest || (key !== undefined && one.key === key);
    const contradicted = others.filter((one) => !isNamed(one) && !isOfOtherKey(one, key));
    const newer = contradicted.filter(({ at }) => at > (fact.at ?? this.#now));
    const older = contradicted.filter((one) => !newer.includes(one));
    const replaced = new Map([...others.filter(isNamed), ...older].map((one) => [one.id, one]));
    if (fact.supersedes !== undefined && fact.supersedes !== same?.id) {
      const old = await this.#supersededFact(fact.supersedes);
      replaced.set(old.id, old);
    }
    const outcome = same === undefined ? 'added' : this.#affirm(same, fact);
    const id = same?.id ?? this.#append(fact, textDigest, subject);
    for (const old of replaced.values()) this.#supersede(old, id);
    this.#supersedeLate(same, id, newer);
    return { id, outcome, superseded: [...replaced.keys()] };
  }

  /** A fact of an earlier time that comes in late is superseded by the one of a later time. */
  #supersedeLate(same: Planned | undefined, id: string, newer: readonly Planned[]): void {
    const newest = [...newer].sort((one, other) => other.at - one.at)[0];
    const added = [...this.#byText.values()].find((one) => one.id === id);
    if (same === undefined && newest !== undefined && added !== undefined) this.#supersede(added, newest.id);
  }

  /** The live facts with this text, key or subject, after the changes planned so far. */
  #liveFacts({ textDigest, key, subject }: Sought): readonly Planned[] {
    const found = new Map<string, Planned>();
    for (const fact of [
      ...(this.#storedByText.get(textDigest) ?? []),
      ...(key === undefined ? [] : (this.#storedByKey.get(key) ?? [])),
      ...(subject === undefined ? [] : (this.#storedBySubject.get(subject) ?? [])),
      this.#byText.get(textDigest),
      key === undefined ? undefined : this.#byKey.get(key),
      subject === undefined ? undefined : this.#bySubject.get(subject),
    ])
      if (fact) found.set(fact.id, this.#changed.get(fact.id) ?? fact);
    return [...found.values()].filter((one) => isLive(one, this.#now));
  }

  async #supersededFact(id: string): Promise<Planned> {
    const stored = this.#changed.get(id) ?? (await this.#parts.records.fact(id));
    if (stored === undefined) throw unknownFact(id);
    const { supersededBy } = stored;
    if (supersededBy === undefined) return toPlanned(stored);
    throw new OkaError<MemoryErrorCode>(
      'memory.superseded',
      `fact ${id} is already superseded by ${supersededBy}. Supersede that one: --supersedes ${supersededBy}`,
      { data: { fact: id, supersededBy } },
    );
  }

  #affirm(same: Planned, fact: CheckedFact): 'affirmed' | 'known' {
    // What nobody confirmed does not change how much a known fact counts.
    const weight = fact.candidate === true ? same : { ...same, ...stated(fact) };
    const { importance, confidence } = weight;
    const { expiresAt = same.expiresAt } = fact;
    const confirmed = same.candidate && fact.candidate !== true ? (true as const) : undefined;
    const isKnown =
      importance === same.importance && confidence === same.confidence && expiresAt === same.expiresAt;
    if (isKnown && !confirmed) return 'known';
    const data = { id: same.id, importance, confidence, expiresAt, confirmed };
    this.events.push(memoryEvent('fact.affirmed', data));
    const times = expiresAt === undefined ? {} : { expiresAt };
    const { candidate, ...rest } = same;
    const status = candidate && !confirmed ? { candidate } : {};
    this.#changed.set(same.id, { ...rest, ...status, importance, confidence, ...times });
    return 'affirmed';
  }

  #append(fact: CheckedFact, textDigest: string, subject: string | undefined): string {
    const id = this.#parts.ids.next();
    const { text, key, source, restsOn, expiresAt, at = this.#now } = fact;
    const weight = weightOf(fact);
    const candidate = fact.candidate === true ? true : undefined;
    this.events.push(
      memoryEvent('fact.added', { id, at, ...weight, expiresAt, candidate }, { text, key, source, restsOn }),
    );
    const planned: Planned = {
      ...{ id, namespace: this.#namespace, text, textDigest, subject, ...weight, by: '', at, index: -1 },
      ...(candidate ? { candidate } : {}),
      ...(key === undefined ? {} : { key }),
      ...(expiresAt === undefined ? {} : { expiresAt }),
    };
    this.#byText.set(textDigest, planned);
    if (key !== undefined) this.#byKey.set(key, planned);
    if (subject !== undefined) this.#bySubject.set(subject, planned);
    return id;
  }

  #supersede(old: Planned, by: string): void {
    this.#changed.set(old.id, { ...old, supersededBy: by });
    const event = memoryEvent('fact.superseded', { id: old.id, by });
    if (old.namespace === this.#namespace) this.events.push(event);
    else this.others.push({ stream: memoryStream(old.namespace), events: [event] });
  }
}

function toPlanned(fact: Fact): Planned {
  return { ...fact, textDigest: digestOfFact(fact.text), subject: subjectOf(fact.text) };
}

/** A candidate does not take the key of a confirmed fact. */
function withFreeKey(fact: CheckedFact, live: readonly Planned[]): CheckedFact {
  const isTaken = live.some(({ key, candidate }) => key === fact.key && candidate !== true);
  if (fact.candidate !== true || fact.key === undefined || !isTaken) return fact;
  const { key: _key, ...rest } = fact;
  return rest;
}

/** People name by keys which facts replace each other; different keys say that both hold. */
function isOfOtherKey(one: Planned, key: string | undefined): boolean {
  return one.key !== undefined && key !== undefined && one.key !== key;
}

/** The weight that a fact states itself. */
function stated({ importance, confidence }: CheckedFact) {
  return {
    ...(importance === undefined ? {} : { importance }),
    ...(confidence === undefined ? {} : { confidence }),
  };
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
