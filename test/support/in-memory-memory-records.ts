import type { EpochMs } from '../../src/kernel/index.ts';
import type { MemoryTables } from '../../src/ledger/index.ts';
import { dayOf } from '../../src/memory/days.ts';
import {
  isLive,
  toEpisodes,
  toFactChange,
  toFacts,
  toQuarantinedFact,
} from '../../src/memory/memory-rows.ts';
import type {
  DaySummary,
  FactFilter,
  FactLikeness,
  MemoryCounts,
  MemoryRecords,
  NewestConversation,
  PruneFilter,
  QuarantineFilter,
} from '../../src/memory/ports.ts';
import type { Episode, Fact, FactChange, FactUses, QuarantinedFact } from '../../src/memory/types.ts';

/** Finds facts and episodes in tables that live in memory. */
export class InMemoryRecords implements MemoryRecords {
  readonly #tables: MemoryTables;

  constructor(tables: MemoryTables) {
    this.#tables = tables;
  }

  async fact(id: string): Promise<Fact | undefined> {
    return this.#facts().find((fact) => fact.id === id);
  }

  async facts(filter: FactFilter): Promise<readonly Fact[]> {
    return this.#facts()
      .filter(({ namespace }) => filter.namespace === undefined || namespace === filter.namespace)
      .filter((fact) => filter.all === true || isLive(fact, filter.now))
      .filter(({ text }) => text.toLowerCase().includes((filter.text ?? '').toLowerCase()))
      .filter(({ at, id }) => {
        const { after } = filter;
        return after === undefined || at < after.at || (at === after.at && id < after.id);
      })
      .sort((a, b) =>
        filter.newestFirst
          ? b.at - a.at || (a.id < b.id ? 1 : -1)
          : b.importance - a.importance || b.at - a.at || (a.id < b.id ? -1 : 1),
      )
      .slice(0, filter.limit);
  }

  async liveFacts(namespace: string, like: FactLikeness, now: EpochMs): Promise<readonly Fact[]> {
    const rows = this.#tables
      .rows('facts')
      .filter((row) => row['namespace'] === namespace)
      .filter(
        (row) =>
          like.textDigests.includes(row['text_digest'] as string) ||
          like.keys.includes(row['key'] as string) ||
          like.subjects.includes(row['subject'] as string),
      );
    return toFacts(rows)
      .filter((fact) => isLive(fact, now))
      .sort(byIndex);
  }

  async candidates({ namespace, now, limit }: { namespace?: string; now: EpochMs; limit: number }) {
    const wanted = namespace === undefined ? {} : { namespace };
    const found = await this.facts({ ...wanted, now, limit: Number.MAX_SAFE_INTEGER, newestFirst: true });
    return found.filter(({ candidate }) => candidate).slice(0, limit);
  }

  async supersededBy(id: string): Promise<readonly Fact[]> {
    return this.#facts()
      .filter((fact) => fact.supersededBy === id)
      .sort(byIndex);
  }

  async changes(id: string): Promise<readonly FactChange[]> {
    const all = this.#tables.rows('fact_changes');
    const linked = new Set([id]);
    for (let size = 0; size < linked.size; ) {
      size = linked.size;
      for (const { fact, other } of all) {
        if (linked.has(fact as string) && other) linked.add(other as string);
        if (linked.has(other as string)) linked.add(fact as string);
      }
    }
    return all
      .filter(({ fact }) => linked.has(fact as string))
      .sort(
        (a, b) => (a['at'] as number) - (b['at'] as number) || (a['idx'] as number) - (b['idx'] as number),
      )
      .map(toFactChange);
  }

  async uses(ids: readonly string[]): Promise<ReadonlyMap<string, FactUses>> {
    const found = new Map<string, FactUses>();
    for (const id of ids) {
      const rows = this.#tables.rows('fact_uses').filter(({ fact }) => fact === id);
      if (rows.length === 0) continue;
      const runs = (from: typeof rows): number => new Set(from.map(({ run }) => run)).size;
      const successes = runs(rows.filter(({ outcome }) => outcome === 'completed'));
      const lastUsedAt = Math.max(...rows.map(({ at }) => at as number));
      found.set(id, { uses: runs(rows), successes, lastUsedAt });
    }
    return found;
  }

  async prunableFacts(now: EpochMs, options: PruneFilter): Promise<readonly Fact[]> {
    return this.#facts()
      .filter(({ namespace }) => options.namespace === undefined || namespace === options.namespace)
      .filter(
        (fact) =>
          (fact.expiresAt ?? Number.POSITIVE_INFINITY) <= now ||
          (options.superseded && fact.supersededBy !== undefined),
      )
      .sort(byIndex);
  }

  async quarantined(filter: QuarantineFilter): Promise<readonly QuarantinedFact[]> {
    return this.#tables
      .rows('quarantined_facts')
      .filter((row) => filter.id === undefined || row['id'] === filter.id)
      .filter((row) => filter.namespace === undefined || row['namespace'] === filter.namespace)
      .filter((row) => filter.textDigest === undefined || row['text_digest'] === filter.textDigest)
      .map(toQuarantinedFact)
      .sort((a, b) => b.at - a.at || (a.id < b.id ? 1 : -1))
      .slice(0, filter.limit);
  }

  async episode(id: string): Promise<Episode | undefined> {
    return this.#episodes().find((episode) => episode.id === id);
  }

  async episodesAt(namespace: string, times: readonly EpochMs[]): Promise<readonly Episode[]> {
    return this.#episodes().filter(
      (episode) => episode.namespace === namespace && times.includes(episode.at),
    );
  }

  async turns(namespace: string, conversation: string): Promise<number> {
    const turns = this.#of(namespace, conversation).map(({ turn = -1 }) => turn);
    return Math.max(-1, ...turns) + 1;
  }

  async conversation(namespace: string, conversation: string, limit: number): Promise<readonly Episode[]> {
    const all = this.#of(namespace, conversation).sort((a, b) => (a.turn ?? 0) - (b.turn ?? 0));
    return all.slice(Math.max(0, all.length - limit));
  }

  async newestConversation(): Promise<NewestConversation | undefined> {
    const [newest] = this.#episodes()
      .filter(({ conversation }) => conversation !== undefined)
      .sort((one, other) => other.at - one.at);
    if (newest?.conversation === undefined) return undefined;
    const { namespace, conversation } = newest;
    return { namespace, conversation, messages: this.#of(namespace, conversation).length };
  }

  async episodesAfter(
    place: { readonly namespace: string; readonly index: number },
    limit: number,
  ): Promise<readonly Episode[]> {
    return this.#episodes()
      .filter(
        ({ namespace, index }) =>
          namespace > place.namespace || (namespace === place.namespace && index > place.index),
      )
      .sort(byIndex)
      .slice(0, limit);
  }

  async days(limit: number): Promise<readonly DaySummary[]> {
    const counts = new Map<string, number>();
    for (const { at } of this.#episodes()) counts.set(dayOf(at), (counts.get(dayOf(at)) ?? 0) + 1);
    return [...counts]
      .map(([day, episodes]) => ({ day, episodes, runs: 0 }))
      .sort((a, b) => (a.day < b.day ? 1 : -1))
      .slice(0, limit);
  }

  async counts(now: EpochMs): Promise<MemoryCounts> {
    const [facts, episodes] = [this.#facts(), this.#episodes()];
    const live = facts.filter((fact) => isLive(fact, now));
    const names = [...new Set([...live, ...episodes].map(({ namespace }) => namespace))].sort();
    const talks = episodes.filter(({ conversation }) => conversation !== undefined);
    return {
      facts: {
        live: live.length,
        expired: facts.filter(
          (fact) => fact.supersededBy === undefined && (fact.expiresAt ?? Number.POSITIVE_INFINITY) <= now,
        ).length,
        superseded: facts.filter((fact) => fact.supersededBy !== undefined).length,
        candidates: live.filter(({ candidate }) => candidate).length,
        quarantined: this.#tables.rows('quarantined_facts').length,
      },
      episodes: episodes.length,
      conversations: new Set(talks.map(({ namespace, conversation }) => `${namespace}\n${conversation}`))
        .size,
      namespaces: names.map((namespace) => ({
        namespace,
        facts: live.filter((fact) => fact.namespace === namespace).length,
        episodes: episodes.filter((episode) => episode.namespace === namespace).length,
      })),
    };
  }

  #facts(): Fact[] {
    return toFacts(this.#tables.rows('facts'));
  }

  #episodes(): Episode[] {
    return toEpisodes(this.#tables.rows('episodes'));
  }

  #of(namespace: string, conversation: string): Episode[] {
    return this.#episodes().filter(
      (episode) => episode.namespace === namespace && episode.conversation === conversation,
    );
  }
}

function byIndex(a: Fact | Episode, b: Fact | Episode): number {
  if (a.namespace !== b.namespace) return a.namespace < b.namespace ? -1 : 1;
  return a.index - b.index;
}
