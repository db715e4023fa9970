import type { Row } from '../../ledger/index.ts';
import type {
  EpisodePart,
  FactPart,
  FoundEpisode,
  FoundFact,
  SearchScope,
  SearchTerms,
  TextMatch,
  TextSearch,
} from '../../memory/index.ts';
import { showEpisode, showFact, toEpisodePart, toEpisodes, toFactPart, toFacts } from '../../memory/index.ts';
import { NEIGHBOUR_REACH } from '../../retrieval/index.ts';
import { type Database, prepared, type Statement } from './driver.ts';
import { dayWord, INDEXED, type Indexed, indexTexts, namespaceWord } from './memory-index.ts';
import { MemoryPassages, type StoredPassage } from './memory-passages.ts';
import { translateSqliteError } from './sqlite-error.ts';

/** A word in more texts than this is too common to search for on its own, and would be slow. */
const MAX_TEXTS_PER_WORD = 2_000;
/** The share of extra results found by related words and by time. */
const MORE_SHARE = 0.4;
/** How many candidates are read when too few of the best are valid: multiples of the limit, then unlimited. */
const CANDIDATE_FACTORS = [1, 8] as const;
const NO_LIMIT = -1;
/** A shorter part is a whole fact or episode. */
const MIN_PART_LENGTH = 200;
/** The page cache in KiB, because one query reads pages all over the file. */
const PAGE_CACHE_KIB = 16_384;
/** The score of results found only by their vectors. */
const VECTOR_ONLY_SCORE = Number.EPSILON;

interface Source {
  readonly table: Indexed['table'];
  readonly scope: SearchScope;
  /** The index words that every hit must have. */
  readonly within: string;
  readonly holds: (passage: StoredPassage) => boolean;
}

/** Finds facts and episodes by their full-text index. */
export class SqliteTextSearch implements TextSearch {
  readonly #database: Database;
  readonly #file: string;
  readonly #passages: MemoryPassages;

  constructor(database: Database, file: string) {
    this.#database = database;
    this.#file = file;
    this.#passages = new MemoryPassages(database);
    database.exec(`PRAGMA cache_size=-${PAGE_CACHE_KIB}`);
  }

  texts(): number {
    const sql = `SELECT coalesce((SELECT max(rowid) FROM facts), 0) + coalesce((SELECT max(rowid) FROM episodes), 0) AS texts`;
    return (this.#prepared(sql).get() as { texts: number }).texts;
  }

  sample(limit: number, namespace?: string): readonly string[] {
    return INDEXED.flatMap(({ table }) =>
      namespace === undefined ? this.#spreadTerms(table, limit) : this.#firstTerms(table, limit, namespace),
    );
  }

  /** The terms of rows at even distances. The distance changes only when the table doubles, so the sample rarely changes. */
  #spreadTerms(table: Indexed['table'], limit: number): readonly string[] {
    const newest = this.#prepared(`SELECT max(place) AS place FROM ${table}_terms`).get() as {
      place: number | null;
    };
    const step = Math.max(1, 2 ** Math.ceil(Math.log2((newest.place ?? 0) / limit)));
    const places = Array.from({ length: limit }, (_, i) => 1 + i * step);
    const sql = `SELECT json_group_array(terms) AS terms FROM json_each(?) AS one CROSS JOIN ${table}_terms AS own ON own.place = one.value WHERE terms <> ''`;
    return JSON.parse((this.#prepared(sql).get(JSON.stringify(places)) as { terms: string }).terms);
  }

  #firstTerms(table: Indexed['table'], limit: number, namespace: string): readonly string[] {
    const sql = `SELECT json_group_array(terms) AS terms FROM (SELECT own.terms FROM ${table}_words CROSS JOIN ${table}_terms AS own ON own.place = ${table}_words.rowid
      WHERE ${table}_words MATCH ? LIMIT ?)`;
    const expression = `scope : "${namespaceWord(namespace)}"`;
    return JSON.parse((this.#prepared(sql).get(expression, limit) as { terms: string }).terms);
  }

  facts(terms: SearchTerms, scope: SearchScope): Promise<readonly TextMatch[]> {
    const { namespace, now } = scope;
    const holds = (one: StoredPassage): boolean =>
      one.supersededBy === null &&
      (one.expiresAt === null || one.expiresAt > now) &&
      (namespace === undefined || one.namespace === namespace);
    return this.#upToDate(() => {
      const found = new Found();
      this.#find({ table: 'facts', scope, within: scopeExpression(scope, false), holds }, terms, found);
      return found.matches();
    });
  }

  episodes(terms: SearchTerms, scope: SearchScope): Promise<readonly TextMatch[]> {
    const { namespace, conversation, day } = scope;
    const holds = (one: StoredPassage): boolean =>
      (conversation === undefined || one.conversation === conversation) &&
      (day === undefined || (one.at >= day.from && one.at < day.to)) &&
      (namespace === undefined || one.namespace === namespace);
    return this.#upToDate(() => {
      const source: Source = { table: 'episodes', scope, within: scopeExpression(scope, true), holds };
      const found = new Found();
      this.#find(source, terms, found);
      this.#addTimely(source, found);
      this.#addNeighbours(source, found);
      return found.matches();
    });
  }

  async newestAt(scope: Pick<SearchScope, 'namespace' | 'conversation'>): Promise<number | undefined> {
    const { namespace = null, conversation = null } = scope;
    // The plus signs force the index on time, newest first.
    const sql = `SELECT at FROM episodes WHERE (?1 IS NULL OR +namespace = ?1) AND (?2 IS NULL OR +conversation = ?2)
      ORDER BY at DESC LIMIT 1`;
    return (this.#prepared(sql).get(namespace, conversation) as { at: number } | undefined)?.at;
  }

  textsAt(kind: Indexed['table'], places: readonly number[]): ReadonlyMap<number, string> {
    const sql = `SELECT json_group_array(json_array(own.rowid, own.text)) AS rows FROM json_each(?) AS one CROSS JOIN ${kind} AS own ON own.rowid = one.value`;
    const { rows } = this.#prepared(sql).get(JSON.stringify(places)) as { rows: string };
    return new Map(JSON.parse(rows) as [number, string][]);
  }

  async factsAt(places: readonly number[], maxLength: number): Promise<ReadonlyMap<number, FoundFact>> {
    const found = this.#rowsAt('facts', places);
    const parts = found.map(toFactPart);
    const whole = this.#wholeTexts('facts', longParts(parts), maxLength);
    return new Map(
      parts.map((part, i) => [
        found[i]?.['place'] as number,
        showFact(part, whole.get(part.id) ?? part.text, maxLength),
      ]),
    );
  }

  async episodesAt(places: readonly number[], maxLength: number): Promise<ReadonlyMap<number, FoundEpisode>> {
    const found = this.#rowsAt('episodes', places);
    const parts = found.map(toEpisodePart);
    const whole = this.#wholeTexts('episodes', longParts(parts), maxLength);
    return new Map(
      parts.map((part, i) => [
        found[i]?.['place'] as number,
        showEpisode(part, whole.get(part.id) ?? part.text, maxLength),
      ]),
    );
  }

  #rowsAt(table: Indexed['table'], places: readonly number[]): readonly Row[] {
    if (places.length === 0) return [];
    const sql = `SELECT own.rowid AS place, own.* FROM json_each(?) AS one CROSS JOIN ${table} AS own ON own.rowid = one.value`;
    return this.#prepared(sql).all(JSON.stringify(places)) as Row[];
  }

  /** The relevant texts: more than `maxLength` characters of a longer one. */
  #wholeTexts(
    table: Indexed['table'],
    parts: readonly Part[],
    maxLength: number,
  ): ReadonlyMap<string, string> {
    if (parts.length === 0) return new Map();
    const sql = `SELECT own.* FROM json_each(?) AS one CROSS JOIN ${table} AS own ON own.id = one.value AND own.start <= ?
      ORDER BY own.id, own.part`;
    const rows = this.#prepared(sql).all(JSON.stringify([...new Set(parts.map(({ id }) => id))]), maxLength);
    const join = table === 'facts' ? toFacts : toEpisodes;
    return new Map(join(rows as Row[]).map(({ id, text }) => [id, text]));
  }

  #find(source: Source, { own, related }: SearchTerms, found: Found): void {
    const { scope, within } = source;
    if (own.length === 0) return;
    const rare = own.filter((term) => !this.#isCommon(source, term));
    if (rare.length > 0) this.#addBest(source, within + textExpression(rare, 'OR'), scope.limit, found);
    const others = related.filter((term) => !this.#isCommon(source, term));
    const moreLimit = Math.ceil(MORE_SHARE * scope.limit);
    if (others.length > 0) this.#addBest(source, within + textExpression(others, 'OR'), moreLimit, found);
    if (found.size === 0 && rare.length < own.length) this.#addNewest(source, own, found);
    this.#addPlaces(source, scope.near ?? [], VECTOR_ONLY_SCORE, found);
  }

  #isCommon(source: Source, term: string): boolean {
    const sql = `SELECT count(*) AS found FROM (SELECT 1 FROM ${source.table}_words WHERE ${source.table}_words MATCH ? LIMIT ${MAX_TEXTS_PER_WORD + 1})`;
    const { found } = this.#prepared(sql).get(source.within + textExpression([term], 'OR')) as {
      found: number;
    };
    return found > MAX_TEXTS_PER_WORD;
  }

  /** Ranks within the index; reads more candidates only if some of the best are no longer valid. */
  #addBest(source: Source, expression: string, limit: number, found: Found): void {
    const { table, holds } = source;
    const sql = `SELECT json_group_array(place) AS places, json_group_array(score) AS scores FROM (
        SELECT rowid AS place, -bm25(${table}_words, 1.0, 0.2, 0.0) AS score FROM ${table}_words WHERE ${table}_words MATCH ?
        ORDER BY score DESC, place DESC LIMIT ?)`;
    for (const among of [...CANDIDATE_FACTORS.map((times) => times * limit), NO_LIMIT]) {
      const answer = this.#prepared(sql).get(expression, among) as { places: string; scores: string };
      const [places, scores] = [JSON.parse(answer.places) as number[], JSON.parse(answer.scores) as number[]];
      const scoreAt = new Map(places.map((place, i) => [place, scores[i] as number]));
      const passages = this.#passages.at(table, places).filter(holds);
      if (passages.length < limit && places.length === among) continue;
      for (const passage of passages.slice(0, limit))
        found.add(passage, Math.max(scoreAt.get(passage.place) ?? 0, Number.EPSILON));
      return;
    }
  }

  /** If every word is common, adds the newest texts with all of them, or any, because ranking cannot separate them. */
  #addNewest(source: Source, words: readonly string[], found: Found): void {
    const { table, scope, within, holds } = source;
    const sql = `SELECT json_group_array(place) AS places FROM (SELECT rowid AS place FROM ${table}_words WHERE ${table}_words MATCH ?
      ORDER BY rowid DESC LIMIT ?)`;
    for (const operator of ['AND', 'OR'] as const) {
      const expression = within + textExpression(words, operator);
      for (const among of [...CANDIDATE_FACTORS.map((times) => times * scope.limit), NO_LIMIT]) {
        const places = this.#placesOf(sql, [expression, among]);
        const passages = this.#passages.at(table, places).filter(holds);
        if (passages.length < scope.limit && places.length === among) continue;
        for (const passage of passages.slice(0, scope.limit)) found.add(passage, 1);
        break;
      }
      if (found.size > 0) return;
    }
  }

  #addPlaces({ table, holds }: Source, places: readonly number[], score: number, found: Found): void {
    for (const passage of this.#passages.at(table, places)) if (holds(passage)) found.add(passage, score);
  }

  /** The newest episodes from the times that the query names. */
  #addTimely(source: Source, found: Found): void {
    const { spans = [], namespace, limit, day } = source.scope;
    const sql = `SELECT json_group_array(place) AS places FROM (SELECT rowid AS place FROM episodes
      WHERE at BETWEEN ?1 AND ?2 AND (?3 IS NULL OR namespace = ?3) ORDER BY at DESC LIMIT ?4)`;
    for (const { from, to } of spans) {
      const [first, last] = [Math.max(from, day?.from ?? from), Math.min(to, day?.to ?? to)];
      const places = this.#placesOf(sql, [first, last, namespace ?? null, Math.ceil(MORE_SHARE * limit)]);
      this.#addPlaces(source, places, 0, found);
    }
  }

  /** The turns around the best hits that are not hits themselves. */
  #addNeighbours(source: Source, found: Found): void {
    const stretches = stretchesAround(found.passages().slice(0, source.scope.around));
    if (stretches.length === 0) return;
    const sql = `SELECT json_group_array(episodes.rowid) AS places FROM json_each(?) AS near CROSS JOIN episodes
        ON namespace = near.value ->> 0 AND conversation = near.value ->> 1 AND turn BETWEEN near.value ->> 2 AND near.value ->> 3`;
    const places = this.#placesOf(sql, [JSON.stringify(stretches)]);
    const isWanted = (one: StoredPassage): boolean => one.part === 0 && source.holds(one);
    this.#addPlaces({ ...source, holds: isWanted }, places, 0, found);
  }

  #placesOf(sql: string, values: readonly (string | number | null)[]): readonly number[] {
    return JSON.parse((this.#prepared(sql).get(...values) as { places: string }).places) as number[];
  }

  #prepared(sql: string): Statement {
    return prepared(this.#database, sql);
  }

  async #upToDate<T>(read: () => T): Promise<T> {
    try {
      await indexTexts(this.#database);
      this.#passages.refresh();
      return read();
    } catch (error) {
      throw translateSqliteError(error, this.#file);
    }
  }
}

type Part = EpisodePart | FactPart;

/** Parts that may belong to a longer text. */
function longParts<Item extends Part>(parts: readonly Item[]): readonly Item[] {
  return parts.filter(({ part, text }) => part > 0 || text.length >= MIN_PART_LENGTH);
}

/** The results, each once, with its first score. */
class Found {
  readonly #matches = new Map<number, TextMatch & { readonly found: StoredPassage }>();

  get size(): number {
    return this.#matches.size;
  }

  add(passage: StoredPassage, score: number): void {
    const { place } = passage;
    if (!this.#matches.has(place)) this.#matches.set(place, { place, score, found: passage });
  }

  matches(): readonly TextMatch[] {
    return [...this.#matches.values()];
  }

  passages(): readonly StoredPassage[] {
    return Array.from(this.#matches.values(), ({ found }) => found);
  }
}

type Stretch = readonly [namespace: string, conversation: string, from: number, to: number];

/** The conversation ranges around these hits; adjacent ranges are merged. */
function stretchesAround(found: readonly StoredPassage[]): readonly Stretch[] {
  const talks = new Map<string, { readonly of: readonly [string, string]; readonly turns: number[] }>();
  for (const { namespace, conversation, turn } of found) {
    if (conversation === null || turn === null) continue;
    const talk = talks.get(`${namespace}\n${conversation}`) ?? { of: [namespace, conversation], turns: [] };
    talks.set(`${namespace}\n${conversation}`, talk);
    talk.turns.push(turn);
  }
  return [...talks.values()].flatMap(({ of: [namespace, conversation], turns }) => {
    const stretches: [string, string, number, number][] = [];
    for (const turn of turns.sort((one, other) => one - other)) {
      const last = stretches.at(-1);
      if (last && turn - NEIGHBOUR_REACH <= last[3] + 1) last[3] = turn + NEIGHBOUR_REACH;
      else stretches.push([namespace, conversation, turn - NEIGHBOUR_REACH, turn + NEIGHBOUR_REACH]);
    }
    return stretches;
  });
}

/** Words are quoted, so that none acts as an operator. */
function textExpression(words: readonly string[], operator: 'AND' | 'OR'): string {
  return `{text speaker} : (${words.map((word) => `"${word.replaceAll('"', '""')}"`).join(` ${operator} `)})`;
}

function scopeExpression({ namespace, day }: SearchScope, hasDays: boolean): string {
  const words = [
    ...(namespace === undefined ? [] : [`"${namespaceWord(namespace)}"`]),
    ...(hasDays && day !== undefined ? [`"${dayWord(day.from)}"`] : []),
  ];
  return words.length === 0 ? '' : `scope : (${words.join(' AND ')}) AND `;
}
