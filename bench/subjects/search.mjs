// Finding one of many short texts by four of its words. Called with "fill", an empty folder and a number of texts, to make
// a workspace whose facts they are; then with who is to find them, an empty folder, and that workspace. Each answers with
// the ten that fit best; the others know words alone or vectors alone, and give places instead of texts.

import { join } from 'node:path';
import { DatabaseSync } from '@photostructure/sqlite';
import { median } from '../report.mjs';
import { answer } from './workload.mjs';

const BEST = 10;
const WARM_UP = 20;
const QUESTIONS = 100;
const WORDS = 20_000;
const WORDS_OF_A_TEXT = 12;
/** A prime, so that the texts that are asked for lie everywhere. */
const STRIDE = 7_919;
/** As many as the small embedding models give. */
const DIMENSIONS = 384;

/** Each makes an index of the texts and answers with how to ask it: by the four words, or by the place that is meant. */
const finders = {
  async oka(_texts, _folder, workspace) {
    const oka = await openWorkspace(workspace);
    return async (words) => {
      const { hits } = await oka.memory.searchFacts({ query: words.join(' '), limit: BEST });
      return hits.map(({ text }) => text);
    };
  },

  async fts5(texts, folder) {
    const database = new DatabaseSync(join(folder, 'words.db'));
    database.exec('PRAGMA journal_mode=WAL; CREATE VIRTUAL TABLE words USING fts5(text); BEGIN');
    const insert = database.prepare('INSERT INTO words (rowid, text) VALUES (?, ?)');
    for (const [place, text] of texts.entries()) insert.run(place, text);
    database.exec('COMMIT');
    const find = database.prepare(
      `SELECT rowid AS place FROM words WHERE words MATCH ? ORDER BY rank LIMIT ${BEST}`,
    );
    return (words) => find.all(words.map((word) => `"${word}"`).join(' OR ')).map(({ place }) => place);
  },

  async minisearch(texts) {
    const { default: MiniSearch } = await import('minisearch');
    const index = new MiniSearch({ fields: ['text'] });
    index.addAll(texts.map((text, id) => ({ id, text })));
    return (words) =>
      index
        .search(words.join(' '))
        .slice(0, BEST)
        .map(({ id }) => id);
  },

  async orama(texts) {
    const { create, insertMultiple, search } = await import('@orama/orama');
    const index = create({ schema: { text: 'string' } });
    const documents = texts.map((text, place) => ({ id: String(place), text }));
    await insertMultiple(index, documents, 1_000, undefined, undefined, 0);
    return async (words) => {
      const { hits } = await search(index, { term: words.join(' '), properties: ['text'], limit: BEST });
      return hits.map(({ id }) => Number(id));
    };
  },

  async lancedb(texts, folder) {
    // With as many threads as a machine of two cores has, its index of words is never finished.
    process.env.LANCE_CPU_THREADS ??= '4';
    const { connect, Index } = await import('@lancedb/lancedb');
    const database = await connect(folder);
    const table = await database.createTable(
      'facts',
      texts.map((text, place) => ({ place, text })),
    );
    await table.createIndex('text', { config: Index.fts() });
    return async (words) => {
      const query = table.query().fullTextSearch(words.join(' '), { columns: ['text'] });
      const rows = await query.select(['place', '_score']).limit(BEST).toArray();
      return rows.map(({ place }) => Number(place));
    };
  },

  async 'sqlite-vec'(texts, folder) {
    const { getLoadablePath } = await import('sqlite-vec');
    const database = new DatabaseSync(join(folder, 'vectors.db'), { allowExtension: true });
    database.enableLoadExtension(true);
    database.loadExtension(getLoadablePath());
    database.exec(`CREATE VIRTUAL TABLE vectors USING vec0(vector float[${DIMENSIONS}]); BEGIN`);
    const insert = database.prepare('INSERT INTO vectors (rowid, vector) VALUES (?, ?)');
    for (const place of texts.keys()) insert.run(BigInt(place), bytesOf(vectorOf(place)));
    database.exec('COMMIT');
    const find = database.prepare(
      `SELECT rowid AS place FROM vectors WHERE vector MATCH ? ORDER BY distance LIMIT ${BEST}`,
    );
    return (_words, place) => find.all(bytesOf(vectorOf(place))).map((row) => row.place);
  },
};

const bytesOf = (vector) => new Uint8Array(vector.buffer);

/** The same numbers from 0 to 1 for the same seed, as if at random. */
function numbersFrom(seed) {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
}

function vectorOf(place) {
  const next = numbersFrom(place + 1);
  return Float32Array.from({ length: DIMENSIONS }, () => next() - 0.5);
}

/** One of three syllables, so that none begins with another. */
function wordOf(number) {
  const syllable = (at) => 'bdfklmnprstvwz'[at % 14] + 'aeiou'[Math.floor(at / 14) % 5];
  return syllable(number) + syllable(Math.floor(number / 70)) + syllable(Math.floor(number / 4_900));
}

/** A few words stand in most texts and most words in few, as in a language. */
function* linesOf(count) {
  const next = numbersFrom(1);
  for (let i = 0; i < count; i++) {
    const words = Array.from({ length: WORDS_OF_A_TEXT }, () => wordOf(Math.floor(WORDS * next() ** 3)));
    yield JSON.stringify({ kind: 'fact', text: words.join(' ') });
  }
}

async function openWorkspace(workspace) {
  const { Oka } = await import('../../dist/index.js');
  return new Oka({ workspace, home: join(workspace, 'home') });
}

async function fill(workspace, count) {
  const oka = await openWorkspace(workspace);
  await oka.init({ trust: true });
  await oka.memory.importLines(linesOf(count), 'bench');
  await oka.close();
}

function textsOf(workspace) {
  const database = new DatabaseSync(join(workspace, '.oka', 'oka.db'), { readOnly: true });
  const rows = database.prepare('SELECT text FROM facts ORDER BY rowid').all();
  database.close();
  return rows.map(({ text }) => text);
}

async function ask(who, folder, workspace) {
  const texts = textsOf(workspace);
  const find = await finders[who](texts, folder, workspace);
  const times = [];
  let found = 0;
  for (let i = 0; i < WARM_UP + QUESTIONS; i++) {
    const place = (i * STRIDE) % texts.length;
    const words = texts[place].split(' ').filter((_, at) => at % 3 === 0);
    const from = performance.now();
    const best = await find(words, place);
    times.push(performance.now() - from);
    if (best.includes(place) || best.includes(texts[place])) found += 1;
  }
  // Ten others seldom have the same four words.
  if (found < 0.9 * times.length) throw new Error(`${who} found ${found} of ${times.length} texts`);
  answer({ searchMs: median(times.slice(WARM_UP)) });
}

const [workload, folder, given] = process.argv.slice(2);
await (workload === 'fill' ? fill(folder, Number(given)) : ask(workload, folder, given));
process.exit(0);
