import type { MemoryTables, Row } from '../../src/ledger/index.ts';
import {
  episodePassage,
  factPassage,
  isLive,
  showEpisode,
  showFact,
  toEpisodePart,
  toEpisodes,
  toFactPart,
  toFacts,
} from '../../src/memory/memory-rows.ts';
import type {
  FoundEpisode,
  FoundFact,
  SearchScope,
  SearchTerms,
  TextMatch,
  TextSearch,
} from '../../src/memory/ports.ts';
import type { EpisodePart, Fact } from '../../src/memory/types.ts';
import { NEIGHBOUR_REACH, readText, TextIndex } from '../../src/retrieval/index.ts';

/** Finds by words in tables that live in memory; ranks all texts for every query. */
export class InMemoryTextSearch implements TextSearch {
  readonly #tables: MemoryTables;

  constructor(tables: MemoryTables) {
    this.#tables = tables;
  }

  texts(): number {
    return this.#tables.rows('facts').length + this.#tables.rows('episodes').length;
  }

  sample(limit: number, namespace?: string): readonly string[] {
    return (['facts', 'episodes'] as const).flatMap((table) =>
      this.#tables
        .rows(table)
        .filter((row) => namespace === undefined || row['namespace'] === namespace)
        .slice(0, limit)
        .map((row) => readText(row['text'] as string).terms),
    );
  }

  async facts(terms: SearchTerms, scope: SearchScope): Promise<readonly TextMatch[]> {
    const facts = this.#placed('facts', toFactPart).filter(
      ({ item }) => isWithin(item, scope) && isLive(item, scope.now),
    );
    return match(facts, terms, scope.limit).map(({ place, item, score }) => ({
      place,
      score,
      found: factPassage(item, place, readText(item.text)),
    }));
  }

  async episodes(terms: SearchTerms, scope: SearchScope): Promise<readonly TextMatch[]> {
    const parts = this.#placed('episodes', toEpisodePart).filter(
      ({ item }) =>
        isWithin(item, scope) &&
        isSaidIn(item, scope) &&
        (scope.day === undefined || (item.at >= scope.day.from && item.at < scope.day.to)),
    );
    const found = match(parts, terms, scope.limit);
    const known = new Set(found.map(({ place }) => place));
    const near = parts.filter(
      ({ place, item }) => !known.has(place) && found.some((hit) => isNear(item, hit.item)),
    );
    return [...found, ...near.map((one) => ({ ...one, score: 0 }))].map(({ place, item, score }) => ({
      place,
      score,
      found: episodePassage(item, place, readText(item.text)),
    }));
  }

  async newestAt(scope: Pick<SearchScope, 'namespace' | 'conversation'>): Promise<number | undefined> {
    const times = this.#placed('episodes', toEpisodePart)
      .filter(({ item }) => isWithin(item, scope) && isSaidIn(item, scope))
      .map(({ item }) => item.at);
    return times.length === 0 ? undefined : Math.max(...times);
  }

  textsAt(kind: 'facts' | 'episodes', places: readonly number[]): ReadonlyMap<number, string> {
    const rows = this.#tables.rows(kind);
    return new Map(places.map((place) => [place, rows[place]?.['text'] as string]));
  }

  async factsAt(places: readonly number[], longest: number): Promise<ReadonlyMap<number, FoundFact>> {
    const rows = this.#tables.rows('facts');
    const whole = new Map(toFacts(rows).map((fact) => [fact.id, fact]));
    return new Map(
      places.flatMap((place) => {
        const found = rows[place] && toFactPart(rows[place]);
        return found ? [[place, showFact(found, whole.get(found.id)?.text ?? found.text, longest)]] : [];
      }),
    );
  }

  async episodesAt(places: readonly number[], longest: number): Promise<ReadonlyMap<number, FoundEpisode>> {
    const rows = this.#tables.rows('episodes');
    const whole = new Map(toEpisodes(rows).map((episode) => [episode.id, episode]));
    return new Map(
      places.flatMap((place) => {
        const found = rows[place] && toEpisodePart(rows[place]);
        return found ? [[place, showEpisode(found, whole.get(found.id)?.text ?? found.text, longest)]] : [];
      }),
    );
  }

  #placed<Item>(table: string, read: (row: Row) => Item): { place: number; item: Item }[] {
    return this.#tables.rows(table).map((row, place) => ({ place, item: read(row) }));
  }
}

function isWithin({ namespace }: Fact | EpisodePart, scope: Pick<SearchScope, 'namespace'>): boolean {
  return scope.namespace === undefined || namespace === scope.namespace;
}

function isSaidIn({ conversation }: EpisodePart, scope: Pick<SearchScope, 'conversation'>): boolean {
  return scope.conversation === undefined || conversation === scope.conversation;
}

function isNear(part: EpisodePart, hit: EpisodePart): boolean {
  if (part.conversation === undefined || part.turn === undefined || hit.turn === undefined) return false;
  const together = part.namespace === hit.namespace && part.conversation === hit.conversation;
  return together && Math.abs(part.turn - hit.turn) <= NEIGHBOUR_REACH;
}

function match<Item extends { readonly text: string }>(
  placed: readonly { readonly place: number; readonly item: Item }[],
  { own, related }: SearchTerms,
  limit: number,
): { place: number; item: Item; score: number }[] {
  const index = new TextIndex();
  for (const [i, { item }] of placed.entries()) {
    const { terms, speaker } = readText(item.text);
    index.add(String(i), { text: `${terms} ${speaker}` });
  }
  return index.search([...own, ...related].join(' '), limit).flatMap(({ id, score }) => {
    const found = placed[Number(id)];
    return found ? [{ ...found, score }] : [];
  });
}
