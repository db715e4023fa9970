import { describe, expect, it } from 'vitest';
import type { ManualClock } from '../../../test/support/manual-clock.ts';
import type { EventStore } from '../../ledger/index.ts';
import { framesKit, MadeUpTree } from './frames-kit.conformance.ts';
import type { FrameRecords } from './ports.ts';

/** What a store of frames is made of. */
export interface FrameStores {
  readonly events: EventStore;
  readonly records: FrameRecords;
  readonly clock: ManualClock;
}

const TREE = { a: '1', 'a-b/x': '2', a0: '3', 'src/one': '5', 'src/two': '6', 'src/deep/three': '7' };

/** What every store of frames has to do alike. */
export function frameRecordsConformance(name: string, open: () => Promise<FrameStores> | FrameStores): void {
  const filled = async () => {
    const { events, records, clock } = await open();
    const kit = framesKit({}, { events, records, clock, tree: new MadeUpTree(TREE) });
    const ids: Record<string, string> = {};
    for (const path of Object.keys(TREE)) ids[path] = await kit.put(path, `about ${path}`);
    ids['risk'] = await kit.put('src/one', 'risky', { type: 'risk', agent: 'writer' });
    ids['again'] = await kit.put('src/one', 'more about one');
    return { ...kit, records, ids };
  };

  describe(`frames in ${name}`, () => {
    it('are found by id, path, parent and basis, ordered by path, type and id', async () => {
      const { records, ids } = await filled();
      expect(await records.frame(ids['a'] ?? '')).toMatchObject({
        path: 'a',
        type: 'note',
        agent: 'user',
        recipe: 'none',
        content: 'about a',
        basis: { kind: 'node' },
        erased: false,
      });
      expect(await records.frame('nothing')).toBeUndefined();
      const own = await records.framesOf('src/one');
      expect(own.map(({ type }) => type)).toEqual(['note', 'note', 'risk']);
      expect(own.map(({ id }) => id)).toEqual([...[ids['src/one'], ids['again']].sort(), ids['risk']]);
      expect(own[0]).not.toHaveProperty('content');
      expect((await records.framesBelow('src')).map(({ path }) => path)).toEqual([
        'src/one',
        'src/one',
        'src/one',
        'src/two',
      ]);
      expect((await records.framesBelow('')).map(({ path }) => path)).toEqual(['a', 'a0']);
      const { basisHash = '' } = own[0] ?? {};
      expect((await records.framesWithBasis(basisHash)).map(({ path }) => path)).toEqual([
        'src/one',
        'src/one',
        'src/one',
      ]);
    });

    it('are read in pages, and listed since a time', async () => {
      const { records, ids, clock } = await filled();
      const all = Object.values(ids).sort();
      const first = await records.framesAfter('', 3);
      expect(first.map(({ id }) => id)).toEqual(all.slice(0, 3));
      expect((await records.framesAfter(all[2] ?? '', 100)).map(({ id }) => id)).toEqual(all.slice(3));
      expect((await records.framesSince(clock.now() - 1, 10)).map(({ id }) => id)).toEqual([
        ids['risk'],
        ids['again'],
      ]);
    });

    it('have heads, which are found by path, below a folder and within one', async () => {
      const { records, ids } = await filled();
      expect(await records.head('src/one', 'note')).toMatchObject({ frame: ids['again'], usable: true });
      expect(await records.head('src/one', 'none')).toBeUndefined();
      expect((await records.heads('src/one')).map(({ type }) => type)).toEqual(['note', 'risk']);
      expect((await records.headsBelow('src', 'note')).map(({ path }) => path)).toEqual([
        'src/one',
        'src/two',
      ]);
      expect(await records.headsBelow('src')).toHaveLength(3);
      expect((await records.headsWithin('src')).map(({ path }) => path)).toEqual([
        'src/deep/three',
        'src/one',
        'src/one',
        'src/two',
      ]);
      expect((await records.headsWithin('a')).map(({ path }) => path)).toEqual(['a']);
      expect(await records.headsWithin('')).toHaveLength(7);
      const [last, before] = await records.newestHeads(2);
      expect([last?.frame, before?.frame]).toEqual([ids['again'], ids['risk']]);
    });

    it('report which heads can be regenerated, and when a head below them moved', async () => {
      const { records, synthesize, put } = await filled();
      await synthesize('src');
      const [before] = await records.recipeHeadsWithin('');
      expect(before).toMatchObject({ path: 'src', recipe: 'synthesis' });
      expect(before?.newestBelow).toBeLessThan(before?.index ?? -1);
      await put('src/two', 'again');
      const [after] = await records.recipeHeadsWithin('src');
      expect(after?.newestBelow).toBeGreaterThan(after?.index ?? 0);
      expect(await records.recipeHeadsWithin('a')).toEqual([]);
    });

    it('are counted by type, agent and recipe', async () => {
      const { records } = await filled();
      expect(await records.tally()).toEqual([
        { type: 'note', agent: 'user', recipe: 'none', frames: 7, bytes: 86 },
        { type: 'risk', agent: 'writer', recipe: 'none', frames: 1, bytes: 5 },
      ]);
    });
  });
}
