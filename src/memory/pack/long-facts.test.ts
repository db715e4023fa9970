import { describe, expect, it } from 'vitest';
import { memoryKit } from '../memory-kit.conformance.ts';
import { buildPack, readFrom } from './build-pack.ts';
import { factSource, type PackMemory, pinnedFactSource } from './memory-sources.ts';
import { openPack, packManifest, packToJson } from './open-pack.ts';

/** The facts of a kit as a source of packs. */
function packMemoryOf({ memory, records }: ReturnType<typeof memoryKit>): PackMemory {
  return {
    facts: async (limit) =>
      (await memory.facts({ limit })).map(({ status, ...fact }) =>
        status === 'candidate' ? { ...fact, candidate: true as const } : fact,
      ),
    fact: (id) => records.fact(id),
    findFacts: async (query, limit) => (await memory.findFacts({ query, limit })).hits,
    findDaily: async () => [],
    episode: async () => undefined,
    endedRun: async () => undefined,
  };
}

const GOAL = 'which code opens the boathouse';
const LONG = `${'The garden has many beds and long rows. '.repeat(250)}The boathouse opens with the code 4711. ${'Then the hedge follows and the lane. '.repeat(250)}`;

describe('a fact of 20,000 characters', () => {
  it('is packed as the passage that matters, and leaves room for the others', async () => {
    const kit = memoryKit();
    await kit.memory.addFact({ text: LONG }, 'me');
    await kit.memory.addFacts(
      Array.from({ length: 30 }, (_, i) => ({ text: `The boathouse door ${i} has a code of its own` })),
      'me',
    );
    const sources = [factSource(packMemoryOf(kit))];
    const pack = await buildPack(sources, { goal: GOAL, vars: {} }, 4_000);
    expect(pack.items).toHaveLength(31);
    expect(pack.dropped).toEqual([]);
    const long = pack.items.find(({ text }) => text.includes('4711'));
    expect(long?.tokens).toBeLessThanOrEqual(1_000);
    const recorded = JSON.parse(JSON.stringify(packToJson(pack)));
    expect(JSON.stringify(recorded)).not.toContain('4711');
    expect((await openPack(recorded, readFrom(sources))).known).toContain('code 4711');
  });

  it('is packed by its passage too if it is pinned', async () => {
    const kit = memoryKit();
    await kit.memory.addFact({ text: LONG, importance: 5 }, 'me');
    const sources = [pinnedFactSource(packMemoryOf(kit))];
    const { items } = await buildPack(sources, { goal: GOAL, vars: {} }, 2_000);
    expect(items[0]?.text).toContain('4711');
    expect(items[0]?.tokens).toBeLessThanOrEqual(500);
  });
});

describe('a pack', () => {
  it('names everything that it leaves out, also facts that were never considered', async () => {
    const kit = memoryKit();
    const texts = Array.from({ length: 60 }, (_, i) => `The boathouse door ${i} has a code of its own`);
    await kit.memory.addFacts(
      texts.map((text) => ({ text })),
      'me',
    );
    const pack = await buildPack([factSource(packMemoryOf(kit))], { goal: GOAL, vars: {} }, 480);
    expect(pack.items.length + pack.dropped.length).toBe(60);
    const { dropped, alsoDropped, droppedCount } = packManifest(pack) as unknown as {
      dropped: { id: string }[];
      alsoDropped: { fact: string[] };
      droppedCount: number;
    };
    const named = new Set([...dropped.map(({ id }) => id), ...alsoDropped.fact]);
    expect(named.size).toBe(droppedCount);
    expect(named).toEqual(new Set(pack.dropped.map(({ id }) => id)));
  });

  it('marks unconfirmed facts, and pins none of them', async () => {
    const kit = memoryKit();
    const text = 'The boathouse code is 4711';
    await kit.memory.addFact({ text, importance: 5, candidate: true }, 'maintenance');
    const memory = packMemoryOf(kit);
    const sources = [pinnedFactSource(memory), factSource(memory)];
    const pack = await buildPack(sources, { goal: GOAL, vars: {} }, 1_000);
    expect(pack.items).toMatchObject([{ kind: 'fact', unconfirmed: true }]);
    const { known, manifest } = await openPack(
      JSON.parse(JSON.stringify(packToJson(pack))),
      readFrom(sources),
    );
    expect(known).toContain(`fact (not confirmed): ${text}`);
    expect(manifest['items']).toMatchObject([{ unconfirmed: true }]);
  });
});
