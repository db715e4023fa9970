import { describe, expect, it } from 'vitest';
import type { ManualClock } from '../../test/support/manual-clock.ts';
import type { EventDraft, EventStore } from '../ledger/index.ts';
import type { Memory } from './memory.ts';
import type { MemoryRecords, TextMatch, TextSearch } from './ports.ts';
import { searchTerms } from './search-terms.ts';

const DAY_MS = 86_400_000;

interface Made {
  readonly records: MemoryRecords;
  readonly search: TextSearch;
  readonly memory: Memory;
  readonly clock: ManualClock;
  readonly events: EventStore;
}

/** Texts that people, programs and attackers type. */
const ODD_QUERIES = [
  '',
  '   ',
  '"',
  "'; DROP TABLE facts; --",
  'text : tea',
  'scope:x NOT tea',
  'NEAR(tea milk, 2)',
  'tea*',
  '^tea + milk',
  '(tea',
  'AND OR NOT',
  '-tea',
  '{tea}',
  '\u0000tea',
  '\ud800',
  '🍵🫖',
  'שלום עולם',
  '\u202etea',
  'ﷺ',
  '茶',
  'tea '.repeat(5_000),
  'x'.repeat(100_000),
];

/** The texts of what was found, as it was found. */
async function textsOf(
  search: TextSearch,
  kind: 'facts' | 'episodes',
  found: readonly TextMatch[],
): Promise<string[]> {
  const texts = search.textsAt(
    kind,
    found.map(({ place }) => place),
  );
  return found.map(({ place }) => texts.get(place) ?? '');
}

/** What every finder of facts and episodes must do, on top of the event store that folds its tables. */
export function memoryRecordsConformance(name: string, make: () => Made | Promise<Made>): void {
  describe(`${name} as memory records`, () => {
    it('returns a fact as it was added', async () => {
      const { records, memory, clock } = await make();
      const { id } = await memory.addFact(
        {
          text: 'Ada drinks tea',
          namespace: 'people',
          importance: 5,
          confidence: 0.5,
          key: 'drink',
          source: 'chat',
          restsOn: { path: 'a/b.md', version: 'v1' },
          expiresAt: clock.now() + 5,
        },
        'me',
      );
      expect(await records.fact(id)).toEqual({
        id,
        namespace: 'people',
        text: 'Ada drinks tea',
        importance: 5,
        confidence: 0.5,
        key: 'drink',
        source: 'chat',
        restsOn: { path: 'a/b.md', version: 'v1' },
        expiresAt: clock.now() + 5,
        by: 'me',
        at: clock.now(),
        index: 0,
      });
      expect(await records.fact('never there')).toBeUndefined();
    });

    it('lists live facts by importance, and all on request', async () => {
      const { records, memory, clock } = await make();
      await memory.addFact({ text: 'old office', key: 'office' }, 'me');
      await memory.addFact({ text: 'new office', key: 'office', importance: 4 }, 'me');
      await memory.addFact({ text: 'soon over', importance: 5, expiresAt: clock.now() + DAY_MS }, 'me');
      await memory.addFact({ text: 'elsewhere', namespace: 'b' }, 'me');
      const texts = async (filter: object) =>
        (await records.facts({ now: clock.now(), limit: 10, ...filter })).map(({ text }) => text);
      expect(await texts({ namespace: 'default' })).toEqual(['soon over', 'new office']);
      clock.advance(DAY_MS);
      expect(await texts({})).toEqual(['new office', 'elsewhere']);
      expect(await texts({ limit: 1 })).toEqual(['new office']);
      expect((await texts({ all: true })).sort()).toEqual([
        'elsewhere',
        'new office',
        'old office',
        'soon over',
      ]);
      const spent = async (superseded: boolean) =>
        (await records.prunableFacts(clock.now(), { superseded })).map(({ text }) => text);
      expect(await spent(false)).toEqual(['soon over']);
      expect(await spent(true)).toEqual(['old office', 'soon over']);
      expect(await records.counts(clock.now())).toEqual({
        facts: { live: 2, expired: 1, superseded: 1, candidates: 0, quarantined: 0 },
        episodes: 0,
        conversations: 0,
        namespaces: [
          { namespace: 'b', facts: 1, episodes: 0 },
          { namespace: 'default', facts: 1, episodes: 0 },
        ],
      });
    });

    it('keeps the order of conversations regardless of their times', async () => {
      const { records, memory } = await make();
      const said = ['one', 'two', 'three', 'four'].map((text, i) => ({
        text,
        conversation: 'c',
        at: 1_000 - i,
      }));
      await memory.recordEpisodes(said.slice(0, 3), 'me');
      await memory.recordEpisodes([{ text: 'aside', conversation: 'd' }, ...said.slice(3)], 'me');
      const texts = async (limit: number) =>
        (await records.conversation('default', 'c', limit)).map(({ text }) => text);
      expect(await texts(10)).toEqual(['one', 'two', 'three', 'four']);
      expect(await texts(2)).toEqual(['three', 'four']);
      expect(await records.turns('default', 'c')).toBe(4);
      expect(await records.turns('default', 'nobody')).toBe(0);
      expect(await records.conversation('default', 'nobody', 5)).toEqual([]);
      const newest = { namespace: 'default', conversation: 'd', messages: 1 };
      expect(await records.newestConversation()).toEqual(newest);
      expect(await records.counts(0)).toMatchObject({ episodes: 5, conversations: 2 });
    });

    it('returns long facts whole, finds them by any part, and lists and counts them once', async () => {
      const { records, search, memory, clock } = await make();
      const text = `${'grass '.repeat(900)}needle ${'straw '.repeat(900)}thimble`;
      const { id } = await memory.addFact({ text, importance: 2 }, 'me');
      await memory.addFact({ text: 'short' }, 'me');
      expect((await records.fact(id))?.text).toBe(text);
      const found = await search.facts(searchTerms('needle'), { now: clock.now(), limit: 10 });
      const [part = ''] = await textsOf(search, 'facts', found);
      expect(part).toContain('needle');
      expect(part.length).toBeLessThan(text.length / 2);
      const places = found.map(({ place }) => place);
      expect((await search.factsAt(places, text.length - 1)).get(places[0] ?? -1)).toMatchObject({
        ...{ id, text: part, partial: true },
      });
      expect((await search.factsAt(places, text.length)).get(places[0] ?? -1)?.text).toBe(text);
      const list = async (filter: object): Promise<readonly string[]> =>
        (await records.facts({ now: clock.now(), limit: 10, ...filter })).map((one) => one.text);
      expect(await list({})).toEqual(['short', text]);
      expect(await list({ limit: 1 })).toEqual(['short']);
      expect(await list({ text: 'thimble' })).toEqual([text]);
      expect((await records.counts(clock.now())).facts.live).toBe(2);
    });

    it('returns facts that a fact superseded, and the changes of all linked facts', async () => {
      const { records, memory } = await make();
      const old = await memory.addFact({ text: 'The office is in Bern' }, 'ann');
      const next = await memory.addFact({ text: 'The office is in Zurich' }, 'bob');
      await memory.addFact({ text: 'The shed is in Bern' }, 'bob');
      expect((await records.supersededBy(next.id)).map(({ id }) => id)).toEqual([old.id]);
      for (const { id } of [old, next])
        expect(await records.changes(id)).toMatchObject([
          { fact: old.id, change: 'added', by: 'ann' },
          { fact: next.id, change: 'added', by: 'bob' },
          { fact: old.id, change: 'superseded', other: next.id, by: 'bob' },
        ]);
      expect(await records.changes('nobody')).toEqual([]);
    });

    it('returns candidates, newest first', async () => {
      const { records, memory, clock } = await make();
      await memory.addFact({ text: 'known' }, 'me');
      for (const [i, text] of ['one', 'two'].entries())
        await memory.addFact({ text, candidate: true, at: i }, 'maintenance');
      const texts = async (limit: number) =>
        (await records.candidates({ now: clock.now(), limit })).map(({ text }) => text);
      expect(await texts(5)).toEqual(['two', 'one']);
      expect(await texts(1)).toEqual(['two']);
    });

    it('finds a restored fact again', async () => {
      const { search, memory, clock } = await make();
      await memory.addFact({ text: 'The office is in Bern' }, 'me');
      const { id } = await memory.addFact({ text: 'The office is in Zurich' }, 'me');
      const found = async (word: string) =>
        textsOf(search, 'facts', await search.facts(searchTerms(word), { now: clock.now(), limit: 5 }));
      expect(await found('Bern')).toEqual([]);
      await memory.undoFact(id, 'me');
      expect(await found('Bern')).toEqual(['The office is in Bern']);
      expect(await found('Zurich')).toEqual([]);
    });

    it('counts the runs that got a fact, and those that succeeded', async () => {
      const { records, memory, events } = await make();
      const { id } = await memory.addFact({ text: 'Ada drinks tea' }, 'me');
      const items = [
        { kind: 'fact', id, score: 1 },
        { kind: 'fact', id: 'far off', score: 0.1 },
        { kind: 'episode', id: 'e', score: 1 },
      ];
      const pack = { source: 'recall', tool: 'context.pack', output: { items, tokens: 1, cap: 1 } };
      const hits = [{ kind: 'fact', id, score: 0.4 }];
      const append = (run: string, ...drafts: EventDraft[]) =>
        events.commit({ actor: 'me', sync: 'full', appends: [{ stream: `run/${run}`, events: drafts }] });
      const recalled = { type: 'evidence.recalled', data: { count: 1 }, body: [pack] };
      const asked = {
        type: 'step.completed',
        data: { tool: 'memory.recall', outcome: 'ok' },
        body: { output: { hits } },
      };
      await append('a', recalled, asked, { type: 'run.completed', data: {} });
      await append('b', asked, { type: 'run.failed', data: {} });
      await append('c', recalled, { type: 'run.completed', data: {} });
      const uses = async () => (await records.uses([id, 'far off', 'nobody'])) as ReadonlyMap<string, object>;
      expect([...(await uses()).keys()]).toEqual([id]);
      expect((await uses()).get(id)).toMatchObject({ uses: 3, successes: 2 });
      await append('c', { type: 'run.corrected', data: {} });
      expect((await uses()).get(id)).toMatchObject({ uses: 3, successes: 1 });
    });

    it('returns long episodes whole and finds them by any part', async () => {
      const { records, search, memory, clock } = await make();
      const text = `${'grass '.repeat(900)}needle ${'straw '.repeat(900)}thimble`;
      const [{ id } = {}] = await memory.recordEpisodes([{ text }], 'me');
      expect((await records.episode(id ?? ''))?.text).toBe(text);
      const found = await search.episodes(searchTerms('needle'), { now: clock.now(), limit: 10 });
      const [part = ''] = await textsOf(search, 'episodes', found);
      expect(part).toContain('needle');
      expect(part.length).toBeLessThan(text.length / 2);
      const places = found.map(({ place }) => place);
      expect(await search.episodesAt(places, text.length)).toMatchObject(
        new Map([[places[0], { id, text }]]),
      );
      expect((await search.episodesAt(places, text.length - 1)).get(places[0] ?? -1)).toMatchObject({
        text: part,
        partial: true,
      });
      expect((await records.episodesAfter({ namespace: '', index: -1 }, 10)).map((one) => one.text)).toEqual([
        text,
      ]);
    });

    it('pages through episodes by namespace and order, and counts them by day', async () => {
      const { records, memory } = await make();
      const at = Date.parse('2026-01-02T23:59:59.999Z');
      await memory.recordEpisodes(
        [
          { text: 'b1', namespace: 'b', at },
          { text: 'a1', namespace: 'a', at: at + 1 },
        ],
        'me',
      );
      await memory.recordEpisodes([{ text: 'a2', namespace: 'a', at }], 'me');
      const first = await records.episodesAfter({ namespace: '', index: -1 }, 2);
      expect(first.map(({ text }) => text)).toEqual(['a1', 'a2']);
      const rest = await records.episodesAfter(first[1] ?? { namespace: '', index: -1 }, 2);
      expect(rest.map(({ text }) => text)).toEqual(['b1']);
      expect(await records.days(5)).toEqual([
        { day: '2026-01-03', episodes: 1, runs: 0 },
        { day: '2026-01-02', episodes: 2, runs: 0 },
      ]);
      expect(await records.days(1)).toHaveLength(1);
    });
  });

  describe(`${name} as a text search`, () => {
    it('finds live facts by word forms', async () => {
      const { search, memory, clock } = await make();
      await memory.addFact({ text: 'Ada plants roses in Café Zürich' }, 'me');
      await memory.addFact({ text: 'roses were red', expiresAt: clock.now() + 10 }, 'me');
      const old = await memory.addFact({ text: 'roses are blue' }, 'me');
      await memory.addFact({ text: 'violets are blue', supersedes: old.id }, 'me');
      await memory.addFact({ text: 'roses elsewhere', namespace: 'b' }, 'me');
      clock.advance(10);
      const texts = async (query: string, scope: object = {}) => {
        const found = await search.facts(searchTerms(query), { now: clock.now(), limit: 10, ...scope });
        return (await textsOf(search, 'facts', found)).sort();
      };
      expect(await texts('rose')).toEqual(['Ada plants roses in Café Zürich', 'roses elsewhere']);
      expect(await texts('the planting', { namespace: 'default' })).toEqual([
        'Ada plants roses in Café Zürich',
      ]);
      expect(await texts('blue violets')).toEqual(['violets are blue']);
      expect(await texts('rose', { limit: 1 })).toHaveLength(1);
      expect(await texts('red')).toEqual([]);
    });

    it('ranks a rare word above a common one', async () => {
      const { search, memory, clock } = await make();
      const facts = Array.from({ length: 20 }, (_, i) => ({ text: `garden note ${i} about beds` }));
      await memory.addFacts([...facts, { text: 'garden note about hedgehogs' }], 'me');
      const found = await search.facts(searchTerms('garden hedgehogs'), { now: clock.now(), limit: 5 });
      expect((await textsOf(search, 'facts', found))[0]).toBe('garden note about hedgehogs');
      expect(found[0]?.score).toBeGreaterThan(found[1]?.score ?? 0);
    });

    it('finds episodes of a day, with the turns around them', async () => {
      const { search, memory, clock } = await make();
      const day = { from: Date.parse('2026-01-02T00:00:00Z'), to: Date.parse('2026-01-03T00:00:00Z') };
      const said = ['hello', 'did the invoice come?', 'yes, on Friday', 'good', 'bye', 'later'];
      await memory.recordEpisodes(
        said.map((text) => ({ text, conversation: 'c', at: day.from })),
        'me',
      );
      await memory.recordEpisodes([{ text: 'another invoice', at: day.to }], 'me');
      const scope = { now: clock.now(), limit: 10 };
      const found = await search.episodes(searchTerms('invoice'), { ...scope, day });
      const texts = (wanted: (match: TextMatch) => boolean) =>
        textsOf(search, 'episodes', found.filter(wanted));
      expect(await texts(({ score }) => score > 0)).toEqual(['did the invoice come?']);
      expect(await texts(({ score }) => score === 0)).toEqual(['hello', 'yes, on Friday', 'good', 'bye']);
      expect(
        (await search.episodes(searchTerms('invoice'), scope)).filter(({ score }) => score > 0),
      ).toHaveLength(2);
      const inTalk = await search.episodes(searchTerms('invoice'), { ...scope, conversation: 'c' });
      expect(inTalk.filter(({ score }) => score > 0)).toHaveLength(1);
      expect(await search.newestAt({})).toBe(day.to);
      expect(await search.newestAt({ conversation: 'c' })).toBe(day.from);
      expect(await search.newestAt({ namespace: 'elsewhere' })).toBeUndefined();
    });

    it('does not find deleted facts', async () => {
      const { search, memory, clock } = await make();
      const { id } = await memory.addFact({ text: 'the secret garden' }, 'me');
      await memory.deleteFact(id, 'me');
      expect(await search.facts(searchTerms('secret'), { now: clock.now(), limit: 5 })).toEqual([]);
    });

    it('accepts any text as a query', async () => {
      const { search, memory, clock } = await make();
      await memory.addFact({ text: 'tea with milk' }, 'me');
      await memory.recordEpisodes([{ text: 'tea without milk' }], 'me');
      const scope = { now: clock.now(), limit: 5 };
      for (const query of ODD_QUERIES) {
        const facts = await search.facts(searchTerms(query), scope);
        const episodes = await search.episodes(searchTerms(query), scope);
        const expected = query.includes('tea') ? 1 : 0;
        expect([facts.length, episodes.length], query.slice(0, 30)).toEqual([expected, expected]);
      }
    });
  });
}
