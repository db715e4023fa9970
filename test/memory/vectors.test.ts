import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import type { Embedder } from '../../src/retrieval/index.ts';
import { tempFolder } from '../support/temp-folder.ts';
import { openTestMemory } from './open-test-memory.ts';

async function open(root = tempFolder(), embedder?: Embedder) {
  const opened = await openTestMemory(root, embedder && { embedder });
  onTestFinished(() => opened.ledger.close());
  return opened;
}

/** Finds texts about the same animal near, whatever words they use. */
function animalEmbedder(name = 'animals'): Embedder & { readonly sent: string[]; broken: boolean } {
  const sent: string[] = [];
  return {
    name,
    dimensions: 3,
    sent,
    broken: false,
    async embed(texts) {
      if (this.broken) throw new Error('nobody answers');
      sent.push(...texts);
      return texts.map((text) =>
        Float32Array.from([/cat|kitten/.test(text) ? 1 : -1, /dog|puppy/.test(text) ? 1 : -1, 1]),
      );
    },
  };
}

const count = (ledger: Awaited<ReturnType<typeof open>>['ledger'], table: string): number =>
  (ledger.database.prepare(`SELECT count(*) AS count FROM ${table}`).get() as { count: number }).count;

describe('memory without an embedder', () => {
  it('finds by words, is not degraded and stores no vectors', async () => {
    const { memory, vectors, ledger } = await open();
    await memory.addFacts(
      [{ text: 'the violin is in the hall' }, { text: 'the tractor is in the barn' }],
      'me',
    );
    const found = await memory.retrieve({ query: 'violin', limit: 5 });
    expect(found.degraded).toBe(false);
    expect(found.hits[0]).toMatchObject({ text: 'the violin is in the hall' });
    expect(await vectors.rebuild()).toEqual({ texts: 2, embedder: 'none' });
    expect(count(ledger, 'facts_vectors')).toBe(0);
  });
});

describe('word vectors that an older release learned', () => {
  const learn = ({ ledger }: Awaited<ReturnType<typeof open>>, embedder: string): void =>
    ledger.database.exec(
      `INSERT OR REPLACE INTO memory_vectors VALUES (1, 'old', '${embedder}', 1, 0, 1, x'00');
       INSERT INTO facts_vectors VALUES (1, 'default', x'00000000000000000000000000000000', NULL)`,
    );

  it.each([
    ['no embedder', undefined],
    ['an embedder', animalEmbedder()],
  ] as const)('are dropped with the first question, with %s', async (_, embedder) => {
    const root = tempFolder();
    const old = await open(root);
    await old.memory.addFact({ text: 'a kitten sleeps' }, 'me');
    await old.memory.retrieve({ query: 'kitten', limit: 1 });
    learn(old, 'learned-words-2');
    const { memory, ledger } = await open(root, embedder);
    const found = await memory.retrieve({ query: 'kitten', limit: 1 });
    expect(found).toMatchObject({ degraded: false, hits: [{ text: 'a kitten sleeps' }] });
    expect(count(ledger, 'memory_vectors')).toBe(embedder ? 1 : 0);
    expect(count(ledger, 'facts_vectors WHERE digest IS NULL')).toBe(0);
  });

  it('leave the vectors that an embedder made', async () => {
    const root = tempFolder();
    const embedder = animalEmbedder();
    const old = await open(root, embedder);
    await old.memory.addFact({ text: 'a kitten sleeps' }, 'me');
    await old.memory.retrieve({ query: 'cat', limit: 1 });
    old.ledger.database.exec(`UPDATE memory_vectors SET model = x'00'`);
    const { memory, ledger } = await open(root, embedder);
    const { hits } = await memory.retrieve({ query: 'cat', limit: 1 });
    expect(hits[0]?.why.vector).toBeGreaterThan(0);
    expect(count(ledger, 'memory_vectors WHERE model IS NULL')).toBe(1);
    expect(embedder.sent.filter((text) => text === 'a kitten sleeps')).toHaveLength(1);
  });
});

describe('vectors of an embedder', () => {
  it('find texts that share no word with the question, and are computed once per text', async () => {
    const embedder = animalEmbedder();
    const { memory, vectors } = await open(undefined, embedder);
    await memory.addFacts([{ text: 'a kitten sleeps' }, { text: 'a puppy barks' }], 'me');
    const { hits, degraded } = await memory.retrieve({ query: 'cat', limit: 1 });
    expect(degraded).toBe(false);
    expect(hits).toMatchObject([{ text: 'a kitten sleeps' }]);
    expect(hits[0]?.why.vector).toBeGreaterThan(0);
    await memory.retrieve({ query: 'cat', limit: 1 });
    await vectors.catchUp();
    expect(embedder.sent.filter((text) => text === 'a kitten sleeps')).toHaveLength(1);
  });

  it('are not mixed with those of another embedder until everything is reindexed', async () => {
    const root = tempFolder();
    const first = await open(root, animalEmbedder());
    await first.memory.addFact({ text: 'a kitten sleeps' }, 'me');
    await first.memory.retrieve({ query: 'cat', limit: 1 });
    const second = await open(root, animalEmbedder('other'));
    const found = await second.memory.retrieve({ query: 'kitten', limit: 1 });
    expect(found).toMatchObject({ degraded: true, hits: [{ text: 'a kitten sleeps' }] });
    expect(found.notice).toMatch(/animals#3.*other#3.*oka memory reindex/);
    expect(await second.vectors.rebuild()).toEqual({ texts: 1, embedder: 'other#3' });
    expect((await second.memory.retrieve({ query: 'cat', limit: 1 })).degraded).toBe(false);
  });

  it('are reported as missing when a question would have to wait for too many', async () => {
    const { memory, vectors } = await open(undefined, animalEmbedder());
    const texts = Array.from({ length: 40 }, (_, i) => ({ text: `bed number ${i} of the garden` }));
    await memory.recordEpisodes(texts, 'me');
    const before = await memory.retrieve({ query: 'number 17', limit: 5 });
    expect(before).toMatchObject({ degraded: true, notice: expect.stringContaining('oka memory reindex') });
    expect(before.hits[0]?.text).toBe('bed number 17 of the garden');
    await vectors.rebuild();
    expect(await memory.retrieve({ query: 'number 17', limit: 5 })).toMatchObject({ degraded: false });
  });

  it('fall back to words when the embedder fails', async () => {
    const embedder = animalEmbedder();
    embedder.broken = true;
    const { memory } = await open(undefined, embedder);
    await memory.addFact({ text: 'a kitten sleeps' }, 'me');
    const found = await memory.retrieve({ query: 'kitten', limit: 1 });
    expect(found).toMatchObject({ degraded: true, hits: [{ text: 'a kitten sleeps' }] });
    expect(found.notice).toContain('nobody answers');
  });
});

describe('the quality of an embedder', () => {
  const qualityOf = ({ ledger }: Awaited<ReturnType<typeof open>>) =>
    ledger.database.prepare('SELECT embedder, quality FROM memory_embedders').all();

  it('is measured once and kept, also for vectors of a release that did not measure it', async () => {
    const root = tempFolder();
    const embedder = animalEmbedder();
    const old = await open(root, embedder);
    await old.memory.addFact({ text: 'a kitten sleeps' }, 'me');
    await old.memory.retrieve({ query: 'cat', limit: 1 });
    old.ledger.database.exec('DROP TABLE memory_embedders');
    embedder.sent.length = 0;
    const opened = await open(root, embedder);
    const found = await opened.memory.retrieve({ query: 'cat', limit: 1 });
    expect(found).toMatchObject({ degraded: false, hits: [{ text: 'a kitten sleeps' }] });
    expect(qualityOf(opened)).toMatchObject([{ embedder: 'animals#3', quality: expect.any(Number) }]);
    const measured = embedder.sent.length;
    await opened.memory.retrieve({ query: 'cat', limit: 1 });
    expect(embedder.sent.length).toBe(measured + 1);
    expect(embedder.sent).not.toContain('a kitten sleeps');
  });

  it('decides how much its similarity counts', async () => {
    const { memory, ledger } = await open(undefined, animalEmbedder());
    await memory.addFacts([{ text: 'a kitten sleeps' }, { text: 'a puppy barks' }], 'me');
    const share = async () => (await memory.retrieve({ query: 'cat', limit: 1 })).hits[0]?.why.vector ?? 0;
    const low = await share();
    ledger.database.exec('UPDATE memory_embedders SET quality = 1');
    expect(await share()).toBeGreaterThan(5 * low);
  });
});

describe('the word vectors of the package', () => {
  it('rank a text without a word of the question higher if it means the same', async () => {
    const { memory } = await open();
    await memory.addFacts(
      [{ text: 'the keyboard was bought in Bern' }, { text: 'the horse was bought in Bern' }],
      'me',
    );
    const { hits } = await memory.retrieve({ query: 'Which pony from Bern?', limit: 2 });
    expect(hits.map(({ text }) => text)[0]).toBe('the horse was bought in Bern');
    expect(hits[0]?.why.vector).toBeGreaterThan(hits[1]?.why.vector ?? 1);
  });
});

describe('a deleted fact', () => {
  it('leaves nothing in terms, index and vectors, and the others stay', async () => {
    const { memory, ledger, root } = await open(undefined, animalEmbedder());
    const { id } = await memory.addFact({ text: 'the passphrase is zanzibarquux' }, 'me');
    await memory.addFact({ text: 'the garden is green' }, 'me');
    await memory.retrieve({ query: 'zanzibarquux', limit: 5 });
    for (const table of ['facts_terms', 'facts_vectors', 'memory_embeddings'])
      expect(count(ledger, table)).toBe(2);
    await memory.deleteFact(id, 'me');
    for (const table of ['facts_terms', 'facts_vectors', 'memory_embeddings'])
      expect(count(ledger, table)).toBe(1);
    const { hits } = await memory.retrieve({ query: 'zanzibarquux passphrase', limit: 5 });
    expect(hits.map(({ text }) => text)).not.toContain('the passphrase is zanzibarquux');
    const bytes = ['oka.db', 'oka.db-wal', 'run_ledger.jsonl'].map((name) =>
      readFileSync(join(root, '.oka', name), 'latin1'),
    );
    expect(bytes.join('\n')).not.toContain('zanzibar');
    ledger.database.exec(`INSERT INTO facts_words (facts_words) VALUES ('integrity-check')`);
  });
});

describe('a reused row', () => {
  it('gets the vector of its new text, in the running process', async () => {
    const { memory, ledger } = await open(undefined, animalEmbedder());
    await memory.addFact({ text: 'the garden is green' }, 'me');
    const { id } = await memory.addFact({ text: 'a puppy barks' }, 'me');
    expect((await memory.retrieve({ query: 'dog', limit: 1 })).hits).toMatchObject([
      { text: 'a puppy barks' },
    ]);
    const place = (text: string) =>
      ledger.database.prepare('SELECT rowid AS place FROM facts WHERE text = ?').get(text);
    const before = place('a puppy barks');
    await memory.deleteFact(id, 'me');
    await memory.addFact({ text: 'a kitten sleeps' }, 'me');
    expect(place('a kitten sleeps')).toEqual(before);
    const { hits } = await memory.retrieve({ query: 'cat', limit: 1 });
    expect(hits).toMatchObject([{ text: 'a kitten sleeps' }]);
    const about = (await memory.retrieve({ query: 'dog', limit: 5 })).hits;
    expect(about.find(({ text }) => text === 'a kitten sleeps')?.why.vector ?? 0).toBe(0);
  });

  it('is ranked by the words of its new text', async () => {
    const { memory } = await open();
    await memory.addFact({ text: 'the garden is green' }, 'me');
    const { id } = await memory.addFact({ text: 'the violin is in the hall' }, 'me');
    await memory.retrieve({ query: 'violin', limit: 5 });
    await memory.deleteFact(id, 'me');
    await memory.addFact({ text: 'the tractor is in the barn' }, 'me');
    const { hits } = await memory.retrieve({ query: 'tractor', limit: 1 });
    expect(hits).toMatchObject([{ text: 'the tractor is in the barn' }]);
    expect(hits[0]?.why.keyword).toBeGreaterThan(0);
  });

  it('reflects a raised importance at once', async () => {
    const { memory } = await open();
    await memory.addFacts(
      [
        { text: 'tea at noon', importance: 3 },
        { text: 'tea at dusk', importance: 1 },
      ],
      'me',
    );
    const first = async () => (await memory.retrieve({ query: 'tea', limit: 1 })).hits[0]?.text;
    expect(await first()).toBe('tea at noon');
    await memory.addFact({ text: 'tea at dusk', importance: 5 }, 'me');
    expect(await first()).toBe('tea at dusk');
  });
});

describe('a long turn', () => {
  it('is returned whole, and a huge one as the matching part', async () => {
    const { memory } = await open();
    const long = `${'we talked about the weather. '.repeat(120)}The violin is in the hall.`;
    const huge = `${'we talked about the weather. '.repeat(900)}The tractor is in the barn.`;
    await memory.recordEpisodes([{ text: long }, { text: huge }], 'me');
    const [whole] = (await memory.findDaily({ query: 'violin', limit: 1 })).hits;
    expect(whole?.text).toBe(long);
    expect(whole).not.toHaveProperty('partial');
    const [part] = (await memory.findDaily({ query: 'tractor', limit: 1 })).hits;
    expect(part).toMatchObject({ partial: true, text: expect.stringContaining('tractor') });
    expect(part?.text.length).toBeLessThan(8_000);
  });
});

/** What people, programs and attackers have remembered. */
const ODD_TEXTS = [
  '" OR 1=1 --',
  'NEAR(a b) AND NOT c*',
  '\u0000 within',
  '\u202Eright to left\u202C',
  'שלום עולם',
  'مرحبا بالعالم',
  '🍵🫖 👩‍👩‍👧‍👦',
  'Z͑ͫ̓ͪ̂ͫ̽͏̴̙̤̞͉͚̯̞̠͍A̴̵̜̰͔ͫ͗͢L̠ͨͧͩ͘G̴̻͈͍͔̹̑͗̎̅͛́',
  'ﷺ ½ Ⅷ ﬁ',
  '<script>alert(1)</script>',
  '$7*7 {{7*7}} %s %n',
  '../../etc/passwd',
  'to be or not to be',
  'x'.repeat(5_000),
  'word '.repeat(3_900),
];

describe('any text', () => {
  it('is stored unchanged, found by itself where it has words, and breaks nothing', async () => {
    const { memory } = await open();
    const added = await memory.addFacts(
      ODD_TEXTS.map((text) => ({ text })),
      'me',
    );
    for (const [i, text] of ODD_TEXTS.entries()) {
      const kept = text.replace('\u0000', '\uFFFD').trim();
      expect((await memory.fact(added[i]?.id ?? '')).text).toBe(kept);
      const { hits } = await memory.findFacts({ query: text, limit: 20 });
      const isWord = /[\p{L}\p{N}]/u.test(text) && !text.startsWith('xxx');
      if (isWord) expect(hits.some((hit) => kept.includes(hit.text))).toBe(true);
    }
    for (const query of ['', ' ', '"', '*', 'NOT', '\u0000', '🍵', '-'.repeat(10_000)])
      expect(Array.isArray((await memory.retrieve({ query, limit: 5 })).hits)).toBe(true);
    expect((await memory.retrieve({ query: 'hit by nothing at all', limit: 5 })).degraded).toBe(false);
  });
});
