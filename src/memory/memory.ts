// Owns: writing memory one change after another, and taking out what is to be forgotten. Does not own: what facts mean
// to each other (add-facts.ts), or which of them fit a question (find-memories.ts).
import { commitDecided, type DecidedChange, type EventAddress } from '../ledger/index.ts';
import { type AddedFact, planFacts, unknownFact } from './add-facts.ts';
import {
  type CheckedEpisode,
  type CheckedFact,
  checkEpisode,
  checkFact,
  type NewEpisode,
  type NewFact,
} from './check-input.ts';
import { findDaily, findFacts, isStale, type MemoryQuery, retrieve } from './find-memories.ts';
import { memoryEvent, memoryStream } from './memory-events.ts';
import type { MemoryParts } from './memory-parts.ts';
import { planEpisodes, type RecordedEpisode } from './plan-episodes.ts';
import type { FactFilter } from './ports.ts';
import type { Fact, Found } from './types.ts';

/** A fact, and whether what it rests on has changed since. */
export type FactReading = Fact & { readonly stale?: true };

/** So many go into one commit. */
const BATCH = 2_000;

/** What is remembered in one workspace: facts and episodes. */
export class Memory {
  readonly #parts: MemoryParts;
  #writing: Promise<unknown> = Promise.resolve();

  constructor(parts: MemoryParts) {
    this.#parts = parts;
  }

  /** Adds a fact in one commit, or affirms the one with the same text. */
  async addFact(fact: NewFact, by: string): Promise<AddedFact> {
    return (await this.addFacts([fact], by))[0] as AddedFact;
  }

  /** Adds facts in order; refuses all of them when one cannot be kept. */
  addFacts(facts: readonly NewFact[], by: string): Promise<readonly AddedFact[]> {
    return this.#inBatches(facts.map(checkFact), by, (namespace, batch: readonly CheckedFact[]) =>
      planFacts(this.#parts, namespace, batch),
    );
  }

  /** Records episodes; those of one conversation keep their order. Refuses all of them when one cannot be kept. */
  recordEpisodes(episodes: readonly NewEpisode[], by: string): Promise<readonly RecordedEpisode[]> {
    return this.#inBatches(episodes.map(checkEpisode), by, (namespace, batch: readonly CheckedEpisode[]) =>
      planEpisodes(this.#parts, namespace, batch),
    );
  }

  /** The fact with this id, also one that is expired or superseded. */
  async fact(id: string): Promise<FactReading> {
    const fact = await this.#parts.records.fact(id);
    if (fact === undefined) throw unknownFact(id);
    return this.#reading(fact);
  }

  /** Facts, the most important first, then the newest. */
  async facts(filter: Omit<FactFilter, 'now'>): Promise<readonly FactReading[]> {
    const facts = await this.#parts.records.facts({ ...filter, now: this.#parts.clock.now() });
    return Promise.all(facts.map((fact) => this.#reading(fact)));
  }

  /** Takes a fact out for good: its text is erased wherever it stood, and the record says that it is gone. */
  deleteFact(id: string, by: string): Promise<void> {
    return this.#inTurn(async () => {
      const fact = await this.#parts.records.fact(id);
      if (fact === undefined) throw unknownFact(id);
      await this.#parts.erasure.erase([addressOf(fact)], by, `fact ${id} was deleted`);
      const append = { stream: memoryStream(fact.namespace), events: [memoryEvent('fact.deleted', { id })] };
      await this.#parts.events.commit({ actor: by, sync: 'full', appends: [append] });
    });
  }

  /** Takes out facts that have expired and, if wanted, those that were superseded. Answers with their ids. */
  pruneFacts(
    options: { readonly namespace?: string; readonly superseded?: boolean; readonly dryRun?: boolean },
    by: string,
  ): Promise<readonly string[]> {
    return this.#inTurn(async () => {
      const { namespace, superseded = false, dryRun = false } = options;
      const wanted = { superseded, ...(namespace === undefined ? {} : { namespace }) };
      const spent = await this.#parts.records.spentFacts(this.#parts.clock.now(), wanted);
      if (spent.length > 0 && !dryRun) await this.#prune(spent, by);
      return spent.map(({ id }) => id);
    });
  }

  findFacts(query: MemoryQuery): Promise<Found> {
    return findFacts(this.#parts, query);
  }

  findDaily(query: MemoryQuery): Promise<Found> {
    return findDaily(this.#parts, query);
  }

  retrieve(query: MemoryQuery): Promise<Found> {
    return retrieve(this.#parts, query);
  }

  /** Erases first: whatever happens then, no text is left of a fact that is gone. */
  async #prune(spent: readonly Fact[], by: string): Promise<void> {
    await this.#parts.erasure.erase(spent.map(addressOf), by, 'facts were pruned');
    const appends = [...byNamespace(spent)].map(([namespace, facts]) => ({
      stream: memoryStream(namespace),
      events: [memoryEvent('fact.pruned', { ids: facts.map(({ id }) => id) })],
    }));
    await this.#parts.events.commit({ actor: by, sync: 'full', appends });
  }

  async #inBatches<Item extends { readonly namespace: string }, Answer>(
    items: readonly Item[],
    by: string,
    plan: (namespace: string, batch: readonly Item[]) => Promise<DecidedChange<readonly Answer[]>>,
  ): Promise<readonly Answer[]> {
    const answers = new Map<Item, Answer>();
    for (const [namespace, members] of byNamespace(items)) {
      for (let from = 0; from < members.length; from += BATCH) {
        const batch = members.slice(from, from + BATCH);
        const decide = () => plan(namespace, batch);
        const answered = await this.#inTurn(() =>
          commitDecided(this.#parts.events, { stream: memoryStream(namespace), actor: by }, decide),
        );
        for (const [i, item] of batch.entries()) answers.set(item, answered[i] as Answer);
      }
    }
    return items.map((item) => answers.get(item) as Answer);
  }

  /** Writers of this process wait for each other, so that only other processes can be faster. */
  #inTurn<Answer>(work: () => Promise<Answer>): Promise<Answer> {
    const turn = this.#writing.then(work, work);
    this.#writing = turn.catch(() => undefined);
    return turn;
  }

  async #reading(fact: Fact): Promise<FactReading> {
    return (await isStale(this.#parts, fact)) ? { ...fact, stale: true } : fact;
  }
}

function addressOf({ namespace, index }: Fact): EventAddress {
  return { stream: memoryStream(namespace), index };
}

function byNamespace<Item extends { readonly namespace: string }>(
  items: readonly Item[],
): ReadonlyMap<string, readonly Item[]> {
  const groups = new Map<string, Item[]>();
  for (const item of items) {
    const group = groups.get(item.namespace);
    if (group) group.push(item);
    else groups.set(item.namespace, [item]);
  }
  return groups;
}
