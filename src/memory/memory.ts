// Owns: writing memory one change at a time, and deleting from it. Does not own: which facts replace each other
// (add-facts.ts), and search (find-memories.ts).
import { type Freshness, groupBy } from '../kernel/index.ts';
import { commitDecided, type DecidedChange, type EventAddress } from '../ledger/index.ts';
import { type AddedFact, planFacts, unknownFact } from './add-facts.ts';
import { checkEpisode, checkFact, type NewEpisode, type NewFact } from './check-input.ts';
import { type FactHistory, factHistory, planUndo, type UndoneFact } from './fact-history.ts';
import { subjectOf } from './fact-subject.ts';
import { findDaily, findFacts, freshnessOf, type MemoryQuery, retrieve } from './find-memories.ts';
import { memoryEvent, memoryStream } from './memory-events.ts';
import { planEpisodes, type RecordedEpisode } from './plan-episodes.ts';
import type { FactFilter, MemoryParts, QuarantineFilter } from './ports.ts';
import {
  planCandidateConfirmation,
  planConfirmation,
  planQuarantine,
  unknownQuarantined,
} from './quarantine.ts';
import type { Fact, FactUses, Found, QuarantinedFact } from './types.ts';

/** A fact with its uses, and whether the node that it rests on is as it was. */
export type FactReading = Omit<Fact, 'candidate'> &
  FactUses &
  Freshness & { readonly status: 'confirmed' | 'candidate' };

/** A candidate in review, with the confirmed facts that it contradicts. */
export type CandidateReading = FactReading & { readonly contradicts: readonly string[] };

/** The items per commit. */
const BATCH = 2_000;

/** The memory of one workspace: facts and episodes. */
export class Memory {
  readonly #parts: MemoryParts;
  #writing: Promise<unknown> = Promise.resolve();

  constructor(parts: MemoryParts) {
    this.#parts = parts;
  }

  /** Adds a fact, or affirms the one with the same text. */
  async addFact(fact: NewFact, by: string): Promise<AddedFact> {
    return (await this.addFacts([fact], by))[0] as AddedFact;
  }

  /** Adds facts in order; rejects all of them if one is invalid. */
  addFacts(
    facts: readonly NewFact[],
    by: string,
    onProgress?: (done: number) => void,
  ): Promise<readonly AddedFact[]> {
    return this.#inBatches(facts.map(checkFact), { by, onProgress }, planFacts);
  }

  /** Records episodes; those of a conversation keep their order. Rejects all of them if one is invalid. */
  recordEpisodes(
    episodes: readonly NewEpisode[],
    by: string,
    onProgress?: (done: number) => void,
  ): Promise<readonly RecordedEpisode[]> {
    return this.#inBatches(episodes.map(checkEpisode), { by, onProgress }, planEpisodes);
  }

  /** The fact with this id, even if it is expired or superseded. */
  async fact(id: string): Promise<FactReading> {
    const fact = await this.#parts.records.fact(id);
    if (fact === undefined) throw unknownFact(id);
    return (await this.#readings([fact]))[0] as FactReading;
  }

  /** Facts by importance, then newest first. */
  async facts(filter: Omit<FactFilter, 'now'>): Promise<readonly FactReading[]> {
    const facts = await this.#parts.records.facts({ ...filter, now: this.#parts.clock.now() });
    return this.#readings(facts);
  }

  /** Learned facts that nobody confirmed and no run used with success, newest first. */
  async candidates(filter: {
    readonly namespace?: string;
    readonly limit: number;
  }): Promise<readonly CandidateReading[]> {
    const found = await this.#parts.records.candidates({ ...filter, now: this.#parts.clock.now() });
    const readings = (await this.#readings(found)).filter(({ status }) => status === 'candidate');
    return Promise.all(
      readings.map(async (fact) => ({ ...fact, contradicts: await this.#contradicted(fact) })),
    );
  }

  /** Records that candidates were used with success, so that they stay confirmed when their runs are archived. */
  async confirmProven(by: string): Promise<readonly string[]> {
    const filter = { now: this.#parts.clock.now(), limit: Number.MAX_SAFE_INTEGER };
    const found = await this.#readings(await this.#parts.records.candidates(filter));
    const proven = found.filter(({ status }) => status === 'confirmed').map(({ id }) => id);
    for (const id of proven) await this.confirmFact(id, by);
    return proven;
  }

  /** All versions of a belief and what happened to them. */
  history(id: string): Promise<FactHistory> {
    return factHistory(this.#parts.records, id);
  }

  /** Restores what a fact replaced. */
  undoFact(id: string, by: string): Promise<UndoneFact> {
    return this.#inTurn(async () => {
      const fact = await this.#parts.records.fact(id);
      if (fact === undefined) throw unknownFact(id);
      const target = { stream: memoryStream(fact.namespace), actor: by };
      return commitDecided(this.#parts.events, target, () => planUndo(this.#parts, id));
    });
  }

  /** Keeps a fact of a run that had read untrusted content apart, until a person reviews it. */
  quarantineFact(
    fact: NewFact,
    from: { readonly run: string; readonly origin?: string },
    by: string,
  ): Promise<{ readonly id: string; readonly outcome: 'added' | 'known' }> {
    const checked = checkFact(fact);
    const target = { stream: memoryStream(checked.namespace), actor: by };
    return this.#inTurn(() =>
      commitDecided(this.#parts.events, target, () => planQuarantine(this.#parts, checked, from)),
    );
  }

  /** Facts in quarantine, newest first. */
  quarantined(filter: Omit<QuarantineFilter, 'textDigest'>): Promise<readonly QuarantinedFact[]> {
    return this.#parts.records.quarantined(filter);
  }

  /** Confirms a candidate, or adds a quarantined fact to the known ones. */
  confirmFact(id: string, by: string): Promise<AddedFact> {
    return this.#inTurn(async () => {
      const candidate = await this.#candidate(id);
      const fact = candidate ?? (await this.#quarantinedFact(id));
      const target = { stream: memoryStream(fact.namespace), actor: by };
      return commitDecided(this.#parts.events, target, () =>
        candidate === undefined
          ? planConfirmation(this.#parts, fact as QuarantinedFact)
          : planCandidateConfirmation(this.#parts, candidate),
      );
    });
  }

  /** Rejects a candidate or a quarantined fact, and erases its text from the ledger. */
  rejectFact(id: string, by: string): Promise<void> {
    return this.#inTurn(async () => {
      const fact = (await this.#candidate(id)) ?? (await this.#quarantinedFact(id));
      await this.#parts.erasure.erase([addressOf(fact)], by, `fact ${id} was rejected`);
      const event = memoryEvent('fact.reviewed', { id, decision: 'rejected' });
      const append = { stream: memoryStream(fact.namespace), events: [event] };
      await this.#parts.events.commit({ actor: by, sync: 'full', appends: [append] });
    });
  }

  async #candidate(id: string): Promise<Fact | undefined> {
    const fact = await this.#parts.records.fact(id);
    return fact?.candidate && fact.supersededBy === undefined ? fact : undefined;
  }

  async #quarantinedFact(id: string): Promise<QuarantinedFact> {
    const [fact] = await this.#parts.records.quarantined({ id, limit: 1 });
    if (fact === undefined) throw unknownQuarantined(id);
    return fact;
  }

  /** Deletes a fact and erases its text from the ledger. */
  deleteFact(id: string, by: string): Promise<void> {
    return this.#inTurn(async () => {
      const fact = await this.#parts.records.fact(id);
      if (fact === undefined) throw unknownFact(id);
      await this.#parts.erasure.erase([addressOf(fact)], by, `fact ${id} was deleted`);
      const append = { stream: memoryStream(fact.namespace), events: [memoryEvent('fact.deleted', { id })] };
      await this.#parts.events.commit({ actor: by, sync: 'full', appends: [append] });
    });
  }

  /** Deletes expired facts and, optionally, superseded ones. Returns their ids. */
  pruneFacts(
    options: { readonly namespace?: string; readonly superseded?: boolean; readonly dryRun?: boolean },
    by: string,
  ): Promise<readonly string[]> {
    return this.#inTurn(async () => {
      const { namespace, superseded = false, dryRun = false } = options;
      const wanted = { superseded, ...(namespace === undefined ? {} : { namespace }) };
      const spent = await this.#parts.records.prunableFacts(this.#parts.clock.now(), wanted);
      if (spent.length > 0 && !dryRun) await this.#prune(spent, by);
      return spent.map(({ id }) => id);
    });
  }

  async findFacts(query: MemoryQuery): Promise<Found> {
    return this.#withStatus(await findFacts(this.#parts, query));
  }

  findDaily(query: MemoryQuery): Promise<Found> {
    return findDaily(this.#parts, query);
  }

  async retrieve(query: MemoryQuery): Promise<Found> {
    return this.#withStatus(await retrieve(this.#parts, query));
  }

  /** Erases first, so that a crash leaves no text of a deleted fact. */
  async #prune(spent: readonly Fact[], by: string): Promise<void> {
    await this.#parts.erasure.erase(spent.map(addressOf), by, 'facts were pruned');
    const appends = [...groupBy(spent, (fact) => fact.namespace)].map(([namespace, facts]) => ({
      stream: memoryStream(namespace),
      events: [memoryEvent('fact.pruned', { ids: facts.map(({ id }) => id) })],
    }));
    await this.#parts.events.commit({ actor: by, sync: 'full', appends });
  }

  async #inBatches<Item extends { readonly namespace: string }, Answer>(
    items: readonly Item[],
    { by, onProgress }: { readonly by: string; readonly onProgress?: ((done: number) => void) | undefined },
    plan: (
      parts: MemoryParts,
      namespace: string,
      batch: readonly Item[],
    ) => Promise<DecidedChange<readonly Answer[]>>,
  ): Promise<readonly Answer[]> {
    const answers = new Map<Item, Answer>();
    for (const [namespace, members] of groupBy(items, (item) => item.namespace)) {
      for (let from = 0; from < members.length; from += BATCH) {
        const batch = members.slice(from, from + BATCH);
        const decide = () => plan(this.#parts, namespace, batch);
        const answered = await this.#inTurn(() =>
          commitDecided(this.#parts.events, { stream: memoryStream(namespace), actor: by }, decide),
        );
        for (const [i, item] of batch.entries()) answers.set(item, answered[i] as Answer);
        onProgress?.(answers.size);
      }
    }
    return items.map((item) => answers.get(item) as Answer);
  }

  /** Runs writers of this process one after another, so that only other processes cause conflicts. */
  #inTurn<Answer>(work: () => Promise<Answer>): Promise<Answer> {
    const turn = this.#writing.then(work, work);
    this.#writing = turn.catch(() => undefined);
    return turn;
  }

  async #readings(facts: readonly Fact[]): Promise<readonly FactReading[]> {
    const uses = await this.#parts.records.uses(facts.map(({ id }) => id));
    const freshness = await freshnessOf(this.#parts, facts);
    return Promise.all(
      facts.map(async ({ candidate, ...fact }, at) => {
        const used = uses.get(fact.id) ?? { uses: 0, successes: 0 };
        const isOpen = candidate === true && !(await this.#isProven(fact, used));
        const status = isOpen ? ('candidate' as const) : ('confirmed' as const);
        return { ...fact, ...used, status, ...freshness[at] };
      }),
    );
  }

  /** Whether a run used a candidate with success, and no confirmed fact says otherwise. */
  async #isProven(fact: Fact, { successes }: FactUses): Promise<boolean> {
    return successes > 0 && (await this.#contradicted(fact)).length === 0;
  }

  /** The confirmed facts that a candidate contradicts. */
  async #contradicted({ id, namespace, text }: Fact): Promise<readonly string[]> {
    const subject = subjectOf(text);
    if (subject === undefined) return [];
    const like = { textDigests: [], keys: [], subjects: [subject] };
    const live = await this.#parts.records.liveFacts(namespace, like, this.#parts.clock.now());
    return live.filter((one) => one.id !== id && one.candidate !== true).map((one) => one.id);
  }

  /** A candidate that was used with success is marked no longer. */
  async #withStatus(found: Found): Promise<Found> {
    const ids = found.hits.flatMap(({ id, candidate }) => (candidate ? [id] : []));
    if (ids.length === 0) return found;
    const proven = new Set<string>();
    for (const [id, used] of await this.#parts.records.uses(ids)) {
      const fact = used.successes > 0 ? await this.#parts.records.fact(id) : undefined;
      if (fact && (await this.#isProven(fact, used))) proven.add(id);
    }
    const hits = found.hits.map((hit) => {
      if (!hit.candidate || !proven.has(hit.id)) return hit;
      const { candidate: _candidate, ...rest } = hit;
      return rest;
    });
    return { ...found, hits };
  }
}

function addressOf({ namespace, index }: Pick<Fact, 'namespace' | 'index'>): EventAddress {
  return { stream: memoryStream(namespace), index };
}
