import type { EpochMs } from '../kernel/index.ts';
import type { MemoryTables, Row } from '../ledger/index.ts';
import { TextIndex } from '../retrieval/index.ts';
import { dayOf } from './days.ts';
import { toEpisodePart, toEpisodes, toFact } from './memory-rows.ts';
import type {
  DaySummary,
  FactFilter,
  MemoryCounts,
  MemoryRecords,
  SearchScope,
  SpentOptions,
  TextMatch,
  TextSearch,
} from './ports.ts';
import type { Episode, EpisodePart, Fact } from './types.ts';

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
      .sort((a, b) => b.importance - a.importance || b.at - a.at || (a.id < b.id ? -1 : 1))
      .slice(0, filter.limit);
  }

  async equalFacts(
    namespace: string,
    like: { readonly textDigest: string; readonly key?: string },
    now: EpochMs,
  ): Promise<readonly Fact[]> {
    return this.#tables
      .rows('facts')
      .filter((row) => row['namespace'] === namespace)
      .filter(
        (row) =>
          row['text_digest'] === like.textDigest || (like.key !== undefined && row['key'] === like.key),
      )
      .map(toFact)
      .filter((fact) => isLive(fact, now))
      .sort(byIndex);
  }

  async spentFacts(now: EpochMs, options: SpentOptions): Promise<readonly Fact[]> {
    return this.#facts()
      .filter(({ namespace }) => options.namespace === undefined || namespace === options.namespace)
      .filter((fact) => isExpired(fact, now) || (options.superseded && fact.supersededBy !== undefined))
      .sort(byIndex);
  }

  async episode(id: string): Promise<Episode | undefined> {
    return this.#episodes().find((episode) => episode.id === id);
  }

  async hasEpisode(same: Parameters<MemoryRecords['hasEpisode']>[0]): Promise<boolean> {
    return this.#episodes().some(
      ({ namespace, conversation, at, text }) =>
        namespace === same.namespace &&
        conversation === same.conversation &&
        at === same.at &&
        text === same.text,
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
        expired: facts.filter((fact) => fact.supersededBy === undefined && isExpired(fact, now)).length,
        superseded: facts.filter((fact) => fact.supersededBy !== undefined).length,
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
    return this.#tables.rows('facts').map(toFact);
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

/** Finds by words in tables that live in memory, ranked anew with every question. */
export class InMemoryTextSearch implements TextSearch {
  readonly #tables: MemoryTables;

  constructor(tables: MemoryTables) {
    this.#tables = tables;
  }

  async facts(words: readonly string[], scope: SearchScope): Promise<readonly TextMatch<Fact>[]> {
    const facts = this.#rows('facts', scope)
      .map(toFact)
      .filter((fact) => isLive(fact, scope.now));
    return match(facts, words, scope.limit);
  }

  async episodes(words: readonly string[], scope: SearchScope): Promise<readonly TextMatch<EpisodePart>[]> {
    const parts = this.#rows('episodes', scope)
      .map(toEpisodePart)
      .filter(({ at }) => scope.day === undefined || (at >= scope.day.from && at < scope.day.to));
    const found = match(parts, words, scope.limit);
    const known = new Set(found.map(({ item }) => item));
    const near = parts.filter((part) => !known.has(part) && found.some(({ item }) => isNear(part, item)));
    return [...found, ...near.map((item) => ({ item, score: 0 }))];
  }

  #rows(table: string, scope: SearchScope): Row[] {
    return this.#tables
      .rows(table)
      .filter((row) => scope.namespace === undefined || row['namespace'] === scope.namespace);
  }
}

const NEIGHBOURS = 2;

function isNear(part: EpisodePart, hit: EpisodePart): boolean {
  if (part.conversation === undefined || part.turn === undefined || hit.turn === undefined) return false;
  const together = part.namespace === hit.namespace && part.conversation === hit.conversation;
  return together && Math.abs(part.turn - hit.turn) <= NEIGHBOURS;
}

function match<Item extends { readonly text: string }>(
  items: readonly Item[],
  words: readonly string[],
  limit: number,
): TextMatch<Item>[] {
  const index = new TextIndex();
  for (const [i, { text }] of items.entries()) index.add(String(i), { text });
  return index
    .search(words.join(' '), limit)
    .map(({ id, score }) => ({ item: items[Number(id)] as Item, score }));
}

function isExpired({ expiresAt }: Fact, now: EpochMs): boolean {
  return expiresAt !== undefined && expiresAt <= now;
}

function isLive(fact: Fact, now: EpochMs): boolean {
  return fact.supersededBy === undefined && !isExpired(fact, now);
}

function byIndex(a: Fact | Episode, b: Fact | Episode): number {
  if (a.namespace !== b.namespace) return a.namespace < b.namespace ? -1 : 1;
  return a.index - b.index;
}
