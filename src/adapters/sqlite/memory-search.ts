import type { Row } from '../../ledger/index.ts';
import type { EpisodePart, Fact, SearchScope, TextMatch, TextSearch } from '../../memory/index.ts';
import { toEpisodePart, toFact } from '../../memory/index.ts';
import { tokenise } from '../../retrieval/index.ts';
import type { Database } from './driver.ts';
import { dayWord, ensureMemoryIndex, namespaceWord } from './memory-index.ts';
import { translateSqliteError } from './sqlite-error.ts';

/** A word in more texts than this says too little to be looked for on its own, and would take long. */
const COMMON = 2_000;
/** The best hits bring the turns around them. */
const WITH_NEIGHBOURS = 25;
const NEIGHBOURS = 2;
/** No limit, as SQLite says it. */
const EVERYTHING = -1;
/** What a text gains that also holds every common word of the query. */
const COMMON_SHARE = 0.5;

type Value = string | number;

interface Source {
  readonly table: 'facts' | 'episodes';
  readonly index: string;
  /** What else must hold of a row, and the values for it. */
  readonly where: string;
  readonly values: readonly Value[];
}

/** Finds facts and episodes by the words in the index beside their tables. */
export class SqliteTextSearch implements TextSearch {
  readonly #database: Database;
  readonly #file: string;

  constructor(database: Database, file: string) {
    this.#database = database;
    this.#file = file;
  }

  async facts(words: readonly string[], scope: SearchScope): Promise<readonly TextMatch<Fact>[]> {
    return this.#translated(() => {
      const [namespace, values] = only(scope);
      const where = `(facts.expires_at IS NULL OR facts.expires_at > ?)${namespace}`;
      const source: Source = { table: 'facts', index: 'facts_words', where, values: [scope.now, ...values] };
      return this.#find(source, words, scope).map(({ row, score }) => ({ item: toFact(row), score }));
    });
  }

  async episodes(words: readonly string[], scope: SearchScope): Promise<readonly TextMatch<EpisodePart>[]> {
    return this.#translated(() => {
      const [namespace, values] = only(scope);
      const { from = 0, to = Number.MAX_SAFE_INTEGER } = scope.day ?? {};
      const where = `episodes.at >= ? AND episodes.at < ?${namespace}`;
      const source: Source = {
        table: 'episodes',
        index: 'episodes_words',
        where,
        values: [from, to, ...values],
      };
      const found = this.#find(source, words, scope).map(({ row, score }) => ({
        item: toEpisodePart(row),
        score,
      }));
      return [...found, ...this.#neighbours(found, { from, to })];
    });
  }

  #find(source: Source, words: readonly string[], scope: SearchScope): { row: Row; score: number }[] {
    if (words.length === 0) return [];
    // Another process may have folded the tables anew since.
    ensureMemoryIndex(this.#database);
    const within = scopeExpression(scope, source.table === 'episodes');
    const common = words.filter((word) => this.#isCommon(source, within + textExpression([word], 'OR')));
    const rare = words.filter((word) => !common.includes(word));
    const matched =
      rare.length === 0 ? [] : this.#best(source, within + textExpression(rare, 'OR'), scope.limit);
    if (matched.length > 0) return weighCommon(matched, common);
    if (common.length === 0) return [];
    const all = this.#newest(source, within + textExpression(common, 'AND'), scope.limit);
    return all.length > 0 ? all : this.#newest(source, within + textExpression(common, 'OR'), scope.limit);
  }

  #isCommon({ index }: Source, expression: string): boolean {
    const sql = `SELECT count(*) AS found FROM (SELECT 1 FROM ${index} WHERE ${index} MATCH ? LIMIT ${COMMON + 1})`;
    return (this.#database.prepare(sql).get(expression) as { found: number }).found > COMMON;
  }

  /** Ranks within the index alone; only where many of the best do not hold any more are all of them looked at. */
  #best(source: Source, expression: string, limit: number) {
    const few = this.#ranked(source, expression, { limit, among: 2 * limit });
    return few.length >= limit ? few : this.#ranked(source, expression, { limit, among: EVERYTHING });
  }

  #ranked(
    { table, index, where, values }: Source,
    expression: string,
    { limit, among }: { readonly limit: number; readonly among: number },
  ) {
    const sql = `SELECT ${table}.*, best.score AS score FROM (
        SELECT rowid AS place, -bm25(${index}, 1.0, 0.0) AS score FROM ${index} WHERE ${index} MATCH ?
        ORDER BY score DESC, place DESC LIMIT ?) AS best
      JOIN ${table} ON ${table}.rowid = best.place WHERE ${where} ORDER BY best.score DESC, best.place DESC LIMIT ?`;
    const rows = this.#database.prepare(sql).all(expression, among, ...values, limit) as Row[];
    return rows.map((row) => ({ row, score: Math.max(row['score'] as number, Number.EPSILON) }));
  }

  /** Where every word is common, the newest texts that hold them; nothing tells them apart. */
  #newest({ table, index, where, values }: Source, expression: string, limit: number) {
    const sql = `SELECT ${table}.* FROM ${index} JOIN ${table} ON ${table}.rowid = ${index}.rowid
      WHERE ${index} MATCH ? AND ${where} ORDER BY ${index}.rowid DESC LIMIT ?`;
    return (this.#database.prepare(sql).all(expression, ...values, limit) as Row[]).map((row) => ({
      row,
      score: 1,
    }));
  }

  /** The turns before and after the best hits, as far as they are not hits themselves. */
  #neighbours(
    found: readonly TextMatch<EpisodePart>[],
    day: { readonly from: number; readonly to: number },
  ): TextMatch<EpisodePart>[] {
    const near = this.#database.prepare(
      `SELECT * FROM episodes WHERE namespace = ? AND conversation = ? AND turn BETWEEN ? AND ? AND part = 0
       AND at >= ? AND at < ? ORDER BY turn`,
    );
    const known = new Set(found.map(({ item }) => item.id));
    const turns: TextMatch<EpisodePart>[] = [];
    for (const { item } of found.slice(0, WITH_NEIGHBOURS)) {
      const { namespace, conversation, turn } = item;
      if (conversation === undefined || turn === undefined) continue;
      const rows = near.all(namespace, conversation, turn - NEIGHBOURS, turn + NEIGHBOURS, day.from, day.to);
      for (const part of (rows as Row[]).map(toEpisodePart)) {
        if (known.has(part.id)) continue;
        known.add(part.id);
        turns.push({ item: part, score: 0 });
      }
    }
    return turns;
  }

  #translated<T>(read: () => T): T {
    try {
      return read();
    } catch (error) {
      throw translateSqliteError(error, this.#file);
    }
  }
}

/** Words are quoted, so that none of them can act as an operator. */
function textExpression(words: readonly string[], operator: 'AND' | 'OR'): string {
  return `text : (${words.map((word) => `"${word.replaceAll('"', '""')}"`).join(` ${operator} `)})`;
}

function scopeExpression({ namespace, day }: SearchScope, hasDays: boolean): string {
  const words = [
    ...(namespace === undefined ? [] : [`"${namespaceWord(namespace)}"`]),
    ...(hasDays && day !== undefined ? [`"${dayWord(day.from)}"`] : []),
  ];
  return words.length === 0 ? '' : `scope : (${words.join(' AND ')}) AND `;
}

function only({ namespace }: SearchScope): [sql: string, values: readonly string[]] {
  return namespace === undefined ? ['', []] : [' AND namespace = ?', [namespace]];
}

function weighCommon(matched: readonly { row: Row; score: number }[], common: readonly string[]) {
  const wanted = common.flatMap((word) => tokenise(word));
  if (wanted.length === 0) return [...matched];
  return matched.map(({ row, score }) => {
    const held = new Set(tokenise(row['text'] as string));
    const share = wanted.filter((word) => held.has(word)).length / wanted.length;
    return { row, score: score * (1 + COMMON_SHARE * share) };
  });
}
