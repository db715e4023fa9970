import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { SqliteTextSearch } from '../../src/adapters/sqlite/index.ts';
import type { TextMatch } from '../../src/memory/index.ts';
import { memoryRecordsConformance } from '../../src/memory/memory-records.conformance.ts';
import { searchTerms } from '../../src/memory/search-terms.ts';
import { tempFolder } from '../support/temp-folder.ts';
import { verifyLedger } from '../support/verify-ledger.ts';
import { openTestMemory } from './open-test-memory.ts';

/** One process's memory of a workspace. */
async function open(root = tempFolder(), seed = 1) {
  const opened = await openTestMemory(root, { seed });
  onTestFinished(() => opened.ledger.close());
  const search = new SqliteTextSearch(opened.ledger.database, opened.folder.database);
  const texts = (kind: 'facts' | 'episodes', found: readonly TextMatch[]) => {
    const places = found.map(({ place }) => place);
    const at = search.textsAt(kind, places);
    return places.map((place) => at.get(place));
  };
  return { ...opened, search, texts, events: opened.ledger.events };
}

memoryRecordsConformance('SQLite', () => open());

/** Every byte of the workspace's own files. */
function bytesOf(root: string): string {
  const files = ['oka.db', 'oka.db-wal', 'run_ledger.jsonl'];
  return files.map((name) => readFileSync(join(root, '.oka', name), 'latin1')).join('\n');
}

describe('a deleted fact', () => {
  it('leaves no byte of its text in table, index and mirror, and the chain still verifies', async () => {
    const { memory, ledger, root, search, clock } = await open();
    const { id } = await memory.addFact(
      { text: 'the passphrase zanzibarquux', source: 'wombatletter' },
      'me',
    );
    await memory.addFact({ text: 'something else' }, 'me');
    expect(await search.facts(searchTerms('zanzibarquux'), { now: clock.now(), limit: 5 })).toHaveLength(1);
    expect(bytesOf(root)).toContain('zanzibarquux');
    await memory.deleteFact(id, 'me');
    expect(bytesOf(root)).not.toMatch(/zanzibar|wombat/);
    expect(await verifyLedger(ledger)).toMatchObject({
      ok: true,
      faults: [],
      mirrorEqual: true,
    });
    await expect(memory.fact(id)).rejects.toMatchObject({ code: 'memory.unknown' });
  });

  it('is not restored when the tables are refolded', async () => {
    const { memory, ledger, search, clock, texts } = await open();
    const { id } = await memory.addFact({ text: 'secret garden' }, 'me');
    await memory.addFact({ text: 'open garden' }, 'me');
    await memory.deleteFact(id, 'me');
    ledger.archive.rebuildTables();
    const found = await search.facts(searchTerms('garden'), { now: clock.now(), limit: 5 });
    expect(texts('facts', found)).toEqual(['open garden']);
    expect(ledger.archive.verify().faults).toEqual([]);
  });
});

describe('the word index', () => {
  it('is rebuilt after the tables are refolded, and then follows them', async () => {
    const { memory, ledger, search, clock } = await open();
    await memory.addFact({ text: 'first garden' }, 'me');
    await memory.recordEpisodes([{ text: 'we saw the garden' }], 'me');
    const count = async () => {
      const scope = { now: clock.now(), limit: 9 };
      return [
        (await search.facts(searchTerms('garden'), scope)).length,
        (await search.episodes(searchTerms('garden'), scope)).length,
      ];
    };
    expect(await count()).toEqual([1, 1]);
    ledger.archive.rebuildTables();
    await memory.addFact({ text: 'second garden' }, 'me');
    expect(await count()).toEqual([2, 1]);
    await memory.addFact({ text: 'third garden' }, 'me');
    expect(await count()).toEqual([3, 1]);
  });

  it('drops a superseded fact, and keeps the one that replaces it', async () => {
    const { memory, search, clock, texts } = await open();
    const scope = { now: clock.now(), limit: 9 };
    await search.facts(searchTerms('office'), scope);
    await memory.addFact({ text: 'the office is in Bern', key: 'office' }, 'me');
    await memory.addFact({ text: 'the office is in Basel', key: 'office' }, 'me');
    expect(texts('facts', await search.facts(searchTerms('office'), scope))).toEqual([
      'the office is in Basel',
    ]);
    expect(await search.facts(searchTerms('bern'), scope)).toEqual([]);
  });
});

describe('a search among many facts that no longer hold', () => {
  it('still finds the ones that do', async () => {
    const { memory, search, clock, texts } = await open();
    const over = Array.from({ length: 30 }, (_, i) => ({ text: `garden ${i}`, expiresAt: clock.now() + 1 }));
    await memory.addFacts([...over, { text: 'a long sentence in which the garden stands at last' }], 'me');
    clock.advance(1);
    const found = await search.facts(searchTerms('garden'), { now: clock.now(), limit: 5 });
    expect(texts('facts', found)).toEqual(['a long sentence in which the garden stands at last']);
  });
});

describe('two processes on one workspace', () => {
  it('make one fact of the same text', async () => {
    const root = tempFolder();
    const [one, two] = [await open(root, 1), await open(root, 2)];
    const texts = Array.from({ length: 10 }, (_, i) => `fact ${i}`);
    const add = ({ memory }: typeof one) => Promise.all(texts.map((text) => memory.addFact({ text }, 'me')));
    const [left, right] = await Promise.all([add(one), add(two)]);
    expect(left.map(({ id }) => id)).toEqual(right.map(({ id }) => id));
    expect(await one.records.counts(one.clock.now())).toMatchObject({ facts: { live: 10 } });
  });
});
