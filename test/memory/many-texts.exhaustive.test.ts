import { describe, expect, it, onTestFinished } from 'vitest';
import { SqliteTextSearch } from '../../src/adapters/sqlite/index.ts';
import type { TextMatch } from '../../src/memory/index.ts';
import { searchTerms } from '../../src/memory/search-terms.ts';
import { tempFolder } from '../support/temp-folder.ts';
import { openTestMemory } from './open-test-memory.ts';

async function open() {
  const opened = await openTestMemory(tempFolder());
  onTestFinished(() => opened.ledger.close());
  return opened;
}

describe('among thousands of texts', () => {
  it('words that occur in all of them still find texts', async () => {
    const { memory, ledger, folder, clock } = await open();
    const search = new SqliteTextSearch(ledger.database, folder.database);
    const texts = (found: readonly TextMatch[]) => {
      const at = search.textsAt(
        'episodes',
        found.map(({ place }) => place),
      );
      return found.map(({ place }) => at.get(place));
    };
    const notes = Array.from({ length: 2_100 }, (_, i) => ({ text: `garden bed number ${i}` }));
    await memory.recordEpisodes([...notes, { text: 'the garden has a hedgehog' }], 'me');
    const scope = { now: clock.now(), limit: 10 };
    const beds = await search.episodes(searchTerms('garden bed'), scope);
    expect(texts(beds)[0]).toBe('garden bed number 2099');
    const found = await search.episodes(searchTerms('garden hedgehog'), scope);
    expect(texts(found)).toEqual(['the garden has a hedgehog']);
  });

  it('a question finds one of 12,000 notes', async () => {
    const { memory } = await open();
    const notes = Array.from({ length: 12_000 }, (_, i) => ({
      text: `note ${i} about bed ${i % 97} and row ${i % 89}`,
      conversation: `c${Math.floor(i / 300)}`,
    }));
    await memory.recordEpisodes(notes, 'me');
    const { hits, degraded } = await memory.retrieve({ query: 'note 7777', limit: 3 });
    expect(degraded).toBe(false);
    expect(hits[0]?.text).toContain('note 7777 ');
    expect(hits[0]?.score).toBeCloseTo(
      Object.values(hits[0]?.why ?? {}).reduce((sum, part) => sum + part, 0),
      4,
    );
  });
});
