import { describe, expect, it } from 'vitest';
import { bodyErased, LedgerEvent, MemoryTables, SYSTEM_STREAM, streamArchived } from '../ledger/index.ts';
import { memoryKit } from './memory-kit.conformance.ts';
import { memoryProjection } from './memory-projection.ts';

const DAY_MS = 86_400_000;
type Kit = ReturnType<typeof memoryKit>;

const typesOf = async ({ eventsOf }: Kit, namespace = 'default'): Promise<string[]> =>
  (await eventsOf(namespace)).map(({ type }) => type);

const live = async ({ memory }: Kit): Promise<string[]> =>
  (await memory.facts({ limit: 100 })).map(({ text }) => text).sort();

describe('adding facts', () => {
  it('is one event with the text in its body, so that it can be erased', async () => {
    const kit = memoryKit();
    await kit.memory.addFact({ text: '  Ada drinks tea  ', source: 'chat' }, 'me');
    const [event, ...more] = await kit.eventsOf('default');
    expect(more).toEqual([]);
    expect(event).toMatchObject({
      type: 'fact.added',
      actor: 'me',
      body: { text: 'Ada drinks tea', source: 'chat' },
    });
    expect(event?.dataText).not.toMatch(/tea|chat/);
    expect(await kit.memory.facts({ limit: 5 })).toMatchObject([{ importance: 3, confidence: 1 }]);
  });

  it('treats an equal text as the same fact and records its new weight', async () => {
    const kit = memoryKit();
    const first = await kit.memory.addFact({ text: 'Ada drinks tea', importance: 2 }, 'me');
    const again = await kit.memory.addFact({ text: 'Ada  drinks\ntea' }, 'me');
    expect(again).toEqual({ id: first.id, outcome: 'known', superseded: [] });
    const stronger = await kit.memory.addFact(
      { text: 'Ada drinks tea', importance: 5, confidence: 0.5 },
      'me',
    );
    expect(stronger).toEqual({ id: first.id, outcome: 'affirmed', superseded: [] });
    expect(await kit.memory.fact(first.id)).toMatchObject({ importance: 5, confidence: 0.5 });
    expect(await typesOf(kit)).toEqual(['fact.added', 'fact.affirmed']);
    const elsewhere = await kit.memory.addFact({ text: 'Ada drinks tea', namespace: 'b' }, 'me');
    expect(elsewhere.outcome).toBe('added');
  });

  it('supersedes the fact with the same key, with a link, and keeps it', async () => {
    const kit = memoryKit();
    const bern = await kit.memory.addFact({ text: 'Bern', key: 'office' }, 'me');
    const basel = await kit.memory.addFact({ text: 'Basel', key: 'office' }, 'me');
    expect(basel).toMatchObject({ outcome: 'added', superseded: [bern.id] });
    expect(await live(kit)).toEqual(['Basel']);
    expect(await kit.memory.fact(bern.id)).toMatchObject({ text: 'Bern', supersededBy: basel.id });
    const back = await kit.memory.addFact({ text: 'Bern', key: 'office' }, 'me');
    expect(back).toMatchObject({ outcome: 'added', superseded: [basel.id] });
    expect(await live(kit)).toEqual(['Bern']);
  });

  it('supersedes the named fact in any namespace, and only once', async () => {
    const kit = memoryKit();
    const old = await kit.memory.addFact({ text: 'Ada drinks tea', namespace: 'a' }, 'me');
    const next = await kit.memory.addFact({ text: 'Ada drinks coffee', supersedes: old.id }, 'me');
    expect(next.superseded).toEqual([old.id]);
    expect(await typesOf(kit, 'a')).toEqual(['fact.added', 'fact.superseded']);
    const twice = kit.memory.addFact({ text: 'Ada drinks water', supersedes: old.id }, 'me');
    await expect(twice).rejects.toMatchObject({ code: 'memory.superseded', data: { supersededBy: next.id } });
    const unknown = kit.memory.addFact({ text: 'Ada drinks milk', supersedes: 'nobody' }, 'me');
    await expect(unknown).rejects.toMatchObject({ code: 'memory.unknown' });
    expect(await live(kit)).toEqual(['Ada drinks coffee']);
  });

  it('never makes a fact supersede itself', async () => {
    const kit = memoryKit();
    const { id } = await kit.memory.addFact({ text: 'Bern', key: 'office' }, 'me');
    const again = await kit.memory.addFact({ text: 'Bern', key: 'office', supersedes: id }, 'me');
    expect(again).toEqual({ id, outcome: 'known', superseded: [] });
  });

  it('keeps one live fact for a text that gets a key later', async () => {
    const kit = memoryKit();
    const plain = await kit.memory.addFact({ text: 'Bern' }, 'me');
    const named = await kit.memory.addFact({ text: 'Bern', key: 'office' }, 'me');
    expect(named).toMatchObject({ outcome: 'added', superseded: [plain.id] });
    expect(await live(kit)).toEqual(['Bern']);
  });

  it('sees changes of earlier facts in the same batch', async () => {
    const kit = memoryKit();
    const batch = [
      { text: 'Bern', key: 'office' },
      { text: 'Bern', key: 'office', importance: 5 },
      { text: 'Basel', key: 'office' },
    ];
    const [first, second, third] = await kit.memory.addFacts(batch, 'me');
    expect([first?.outcome, second?.outcome, third?.outcome]).toEqual(['added', 'affirmed', 'added']);
    expect(third?.superseded).toEqual([first?.id]);
    expect(await live(kit)).toEqual(['Basel']);
  });

  it('adds concurrent facts one after another', async () => {
    const kit = memoryKit();
    const texts = Array.from({ length: 50 }, (_, i) => `fact ${i % 10}`);
    await Promise.all(texts.map((text) => kit.memory.addFact({ text }, 'me')));
    expect(await live(kit)).toHaveLength(10);
    expect(await kit.eventsOf('default')).toHaveLength(10);
  });

  it.each([
    ['no text', { text: ' \n' }],
    ['too much text', { text: 'x'.repeat(20_001) }],
    ['an importance of 6', { text: 'a', importance: 6 }],
    ['an importance of 2.5', { text: 'a', importance: 2.5 }],
    ['a confidence above 1', { text: 'a', confidence: 1.1 }],
    ['a confidence that is not a number', { text: 'a', confidence: Number.NaN }],
    ['an empty namespace', { text: 'a', namespace: ' ' }],
    ['a namespace with a line break', { text: 'a', namespace: 'a\nb' }],
    ['a time before 1970', { text: 'a', at: -1 }],
  ])('refuses %s and remembers nothing', async (_what, fact) => {
    const kit = memoryKit();
    await expect(async () => kit.memory.addFacts([{ text: 'fine' }, fact], 'me')).rejects.toMatchObject({
      code: 'memory.invalid',
    });
    expect(await live(kit)).toEqual([]);
  });
});

describe('expired, superseded and stale facts', () => {
  it('are not found once expired, and can be added again', async () => {
    const kit = memoryKit();
    const fact = { text: 'the road is closed', expiresAt: kit.clock.now() + DAY_MS };
    const first = await kit.memory.addFact(fact, 'me');
    kit.clock.advance(DAY_MS);
    expect(await live(kit)).toEqual([]);
    expect((await kit.memory.retrieve({ query: 'road', limit: 5 })).hits).toEqual([]);
    const second = await kit.memory.addFact({ text: fact.text }, 'me');
    expect(second.outcome).toBe('added');
    expect(second.id).not.toBe(first.id);
  });

  it('are pruned with their texts; superseded ones only on request', async () => {
    const kit = memoryKit();
    const gone = await kit.memory.addFact({ text: 'over', namespace: 'a', expiresAt: kit.clock.now() }, 'me');
    const old = await kit.memory.addFact({ text: 'Bern', key: 'office' }, 'me');
    await kit.memory.addFact({ text: 'Basel', key: 'office' }, 'me');
    expect(await kit.memory.pruneFacts({ dryRun: true }, 'me')).toEqual([gone.id]);
    expect(await kit.memory.pruneFacts({}, 'me')).toEqual([gone.id]);
    expect(await kit.memory.pruneFacts({ superseded: true }, 'me')).toEqual([old.id]);
    expect(await kit.memory.pruneFacts({ superseded: true }, 'me')).toEqual([]);
    expect(await typesOf(kit, 'a')).toEqual(['fact.added', 'fact.pruned']);
    expect(await kit.memory.facts({ limit: 9, all: true })).toMatchObject([{ text: 'Basel' }]);
  });

  it('are marked stale when the node they rest on changes', async () => {
    const kit = memoryKit();
    const restsOn = { path: 'docs/office.md', version: 'v1' };
    const { id } = await kit.memory.addFact({ text: 'the office is in Bern', restsOn }, 'me');
    expect(await kit.memory.fact(id)).not.toHaveProperty('stale');
    kit.versions.set('docs/office.md', 'v1');
    expect(await kit.memory.fact(id)).not.toHaveProperty('stale');
    kit.versions.set('docs/office.md', 'v2');
    expect(await kit.memory.fact(id)).toMatchObject({ stale: true });
    expect((await kit.memory.findFacts({ query: 'office', limit: 5 })).hits).toMatchObject([
      { id, stale: true },
    ]);
  });
});

describe('the folded tables', () => {
  const rowsOf = (tables: MemoryTables) => ({
    facts: tables.rows('facts'),
    episodes: tables.rows('episodes'),
  });

  async function rebuilt(kit: Kit, erased: ReadonlySet<string> = new Set()) {
    const tables = new MemoryTables([memoryProjection]);
    for (const event of await kit.events.readAfter(0, 10_000)) {
      const gone = erased.has(`${event.stream} ${event.index}`);
      tables.apply(gone ? new LedgerEvent({ ...event, bodyText: null, salt: null }) : event);
    }
    return rowsOf(tables);
  }

  async function aLife(kit: Kit): Promise<string> {
    await kit.memory.addFact({ text: 'Bern', key: 'office' }, 'me');
    await kit.memory.addFact({ text: 'Basel', key: 'office', importance: 4 }, 'me');
    const { id } = await kit.memory.addFact({ text: 'secret', source: 'diary' }, 'me');
    await kit.memory.recordEpisodes([{ text: 'hello '.repeat(1_000), conversation: 'c' }], 'me');
    return id;
  }

  it('are the same after a rebuild, also after a deletion', async () => {
    const kit = memoryKit();
    const id = await aLife(kit);
    expect(await rebuilt(kit)).toEqual(rowsOf(kit.events.tables));
    await kit.memory.deleteFact(id, 'me');
    expect(await rebuilt(kit, new Set(['memory/default 3']))).toEqual(rowsOf(kit.events.tables));
    expect(JSON.stringify(rowsOf(kit.events.tables))).not.toMatch(/secret|diary/);
  });

  it('lose erased and archived content', async () => {
    const kit = memoryKit();
    await aLife(kit);
    const [first] = await kit.eventsOf('default');
    const erased = { stream: SYSTEM_STREAM, events: [bodyErased(first ? [first] : [], 'asked for')] };
    await kit.events.commit({ actor: 'me', sync: 'full', appends: [erased] });
    expect((await kit.memory.facts({ limit: 9, all: true })).map(({ text }) => text)).not.toContain('Bern');
    const { index: lastIndex, chain } = await kit.events.end('memory/default');
    const archived = streamArchived({ stream: 'memory/default', lastIndex, chain, reason: 'old' });
    await kit.events.commit({
      actor: 'me',
      sync: 'full',
      appends: [{ stream: SYSTEM_STREAM, events: [archived] }],
    });
    expect(rowsOf(kit.events.tables)).toEqual({ facts: [], episodes: [] });
  });
});
