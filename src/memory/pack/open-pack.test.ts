import { describe, expect, it } from 'vitest';
import { OkaError } from '../../kernel/index.ts';
import { buildPack, packCap, readFrom } from './build-pack.ts';
import { openPack, PACK, packIn, packManifest, packToJson } from './open-pack.ts';
import { renderPack } from './render-pack.ts';
import type { PackSource } from './types.ts';

const TEXTS = new Map([
  ['tea', 'Ada prefers tea'],
  ['bern', 'the office is in Bern'],
]);

const facts: PackSource = {
  name: 'facts',
  candidates: async () => [...TEXTS].map(([id, text]) => ({ kind: 'fact', id, text, score: 1 })),
  read: async ({ kind, id }) => (kind === 'fact' ? TEXTS.get(id) : undefined),
};
const rules: PackSource = {
  name: 'rules',
  candidates: async () => [
    { kind: 'constraint', id: 'AGENTS.md', text: 'be brief', score: 2, pinned: true, copied: true },
  ],
};
const REQUEST = { goal: 'make tea', vars: {} };

async function record(sources: readonly PackSource[] = [facts, rules]) {
  const pack = await buildPack(sources, REQUEST, 1_000);
  const output = packToJson(pack);
  const recorded = packIn([{ source: 'recall', tool: PACK, output }]);
  if (recorded === undefined) throw new Error('the record cannot be read');
  return { pack, output, recorded };
}

describe('a recorded pack', () => {
  it('names facts by their ids and holds none of their text', async () => {
    const { output } = await record();
    expect(JSON.stringify(output)).not.toContain('Ada');
    expect(JSON.stringify(output)).toContain('be brief');
  });

  it('opens to the pack that was built', async () => {
    const { pack, recorded } = await record();
    const opened = await openPack(recorded, readFrom([facts, rules]));
    expect(opened).toMatchObject(renderPack(pack));
    expect(opened.manifest).toEqual(packManifest(pack));
  });

  it('leaves out erased items, lists them as gone, and has another digest', async () => {
    const { pack, recorded } = await record();
    const opened = await openPack(recorded, async ({ id }) => (id === 'tea' ? undefined : TEXTS.get(id)));
    expect(opened.known).not.toContain('Ada');
    expect(opened.manifest['dropped']).toMatchObject([{ kind: 'fact', id: 'tea', why: 'gone' }]);
    expect(opened.manifest['digest']).not.toBe(packManifest(pack)['digest']);
  });

  it('uses no more than its share of a small context window', async () => {
    const { recorded } = await record();
    const opened = await openPack(recorded, readFrom([facts]), 320);
    expect(opened.tokens).toBeLessThanOrEqual(80);
    expect(opened.manifest['cap']).toBe(80);
    expect(opened.rules).toContain('be brief');
  });

  it('reports how much of a copied text was cut', async () => {
    const long: PackSource = {
      name: 'rules',
      candidates: async () => [
        {
          kind: 'constraint',
          id: 'AGENTS.md',
          text: 'rule '.repeat(5_000),
          score: 2,
          pinned: true,
          copied: true,
        },
      ],
    };
    const { pack, recorded } = await record([long]);
    const { manifest } = await openPack(recorded, async () => undefined);
    expect(pack.items[0]?.cut).toBeGreaterThan(1_000);
    expect(manifest['items']).toMatchObject([{ cut: pack.items[0]?.cut }]);
  });

  it('is the newest of several, and undefined if none is readable', () => {
    const evidence = [1, 2].map((cap) => ({
      source: 'recall',
      tool: PACK,
      output: { items: [], dropped: [], tokens: 0, cap },
    }));
    expect(packIn(evidence)?.cap).toBe(2);
    expect(packIn([{ source: 'recall', tool: PACK, output: 'nonsense' }])).toBeUndefined();
    expect(packIn([])).toBeUndefined();
  });
});

describe('building a pack', () => {
  it('continues without a failing source and names it', async () => {
    const broken: PackSource = {
      name: 'credentials',
      candidates: async () => {
        throw new OkaError('vault.locked', 'the vault is locked; unlock it first.');
      },
    };
    const { faults, items } = await buildPack([broken, rules], REQUEST, 1_000);
    expect(faults).toEqual([{ source: 'credentials', what: 'the vault is locked; unlock it first.' }]);
    expect(items).toHaveLength(1);
  });

  it('uses the cap of the run, and the default for an invalid one', () => {
    expect([packCap(500), packCap(0), packCap(-1), packCap('many'), packCap(undefined)]).toEqual([
      500, 0, 4_000, 4_000, 4_000,
    ]);
  });
});
