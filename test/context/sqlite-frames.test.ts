import { describe, expect, it, onTestFinished } from 'vitest';
import { SqlFrameRecords } from '../../src/adapters/sql/index.ts';
import { frameRecordsConformance } from '../../src/context/frames/frame-records.conformance.ts';
import { framesKit, MadeUpTree } from '../../src/context/frames/frames-kit.conformance.ts';
import { ManualClock } from '../support/manual-clock.ts';
import { openTestLedger } from '../support/open-test-ledger.ts';
import { tempFolder } from '../support/temp-folder.ts';
import { verifyLedger } from '../support/verify-ledger.ts';

/** One process's frames of a workspace. */
async function open(root = tempFolder(), seed = 1) {
  const clock = new ManualClock();
  const ledger = openTestLedger(root, { clock, seed });
  onTestFinished(() => ledger.close());
  await ledger.startWriting();
  const records = new SqlFrameRecords(ledger.tables);
  return { root, clock, ledger, records, events: ledger.events };
}

frameRecordsConformance('SQLite', () => open());

const FILES = { 'src/a.txt': 'alpha', 'src/b.txt': 'beta' };

describe('frames on a real ledger', () => {
  it('are refolded to the same tables, also after erasure and after appending the same frame twice', async () => {
    const { ledger, events, records, clock } = await open();
    const kit = framesKit(FILES, { events, records, clock });
    await kit.put('src/a.txt', 'secret words');
    const said = { node: 'src/b.txt', type: 'note', content: 'b', agent: 'user' };
    const twice = await kit.frames.draftPut(said, kit.blobs);
    const append = { stream: 'context', events: twice.events };
    for (let i = 0; i < 2; i++) await events.commit({ actor: 'me', sync: 'full', appends: [append] });
    await kit.synthesize('src');
    await kit.frames.invalidate({ node: 'src', recursive: false, agent: 'user', by: 'me' });
    const gone = [0, 1].map((index) => ({ stream: 'context', index }));
    ledger.archive.erase(gone, 'me', 'asked for');
    await ledger.mirror.settle();
    expect(ledger.archive.verify().faults).toEqual([]);
    expect(await kit.contentOf('src/b.txt')).toBe('b');
    ledger.archive.rebuildTables();
    expect(ledger.archive.verify().faults).toEqual([]);
    expect(await verifyLedger(ledger)).toMatchObject({ ok: true, mirrorEqual: true });
    expect((await kit.frames.getNode('src/a.txt', {}, 'user')).frames).toMatchObject([{ erased: true }]);
  });

  it('lose nothing and leave no dangling head when two connections regenerate and write at once', async () => {
    const root = tempFolder();
    const tree = new MadeUpTree({ ...FILES, 'src/deep/c.txt': 'gamma', 'src/deep/d.txt': 'delta' });
    const kits = [];
    for (const seed of [1, 2]) {
      const { events, records, clock } = await open(root, seed);
      kits.push(framesKit({}, { events, records, clock, tree }));
    }
    const [one, two] = kits as [ReturnType<typeof framesKit>, ReturnType<typeof framesKit>];
    await one.put('src/a.txt', 'start');
    await one.synthesize('.', { recursive: true });
    tree.write('src/deep/c.txt', 'changed');
    const put = (kit: typeof one, i: number) =>
      kit.frames.putFrame({
        node: 'src/deep/c.txt',
        type: 'note',
        content: `words ${i}`,
        agent: 'writer',
        by: 'me',
      });
    const writes = Array.from({ length: 6 }, (_, i) => [put(one, i), put(two, i + 3)]).flat();
    await Promise.all([...writes, one.regenerate('.'), two.regenerate('.')]);
    await Promise.all([one.regenerate('.'), two.regenerate('.')]);
    expect(await two.frames.validate()).toEqual([]);
    expect(await one.frames.listFrames('src/deep/c.txt')).toHaveLength(9);
    const head = await two.contentOf('src/deep/c.txt');
    expect(await two.contentOf('.')).toContain(head);
    expect((await one.frames.counts()).heads).toMatchObject({ stale: 0, rests_on_stale: 0 });
  });

  it('after one change in a large tree are regenerated only for the ancestors of the change', async () => {
    const { events, records, clock } = await open();
    const files = Object.fromEntries(
      Array.from({ length: 3_000 }, (_, i) => [`d${i % 10}/e${Math.floor(i / 10) % 30}/f${i}.txt`, `${i}`]),
    );
    const { frames, tree, synthesize, regenerate, put } = framesKit(files, { events, records, clock });
    await put('d3/e1/f13.txt', 'about it');
    expect((await synthesize('.', { recursive: true })).appended).toBe(311);
    tree.write('d3/e1/f13.txt', 'changed');
    const { seq } = await events.head();
    expect((await regenerate('.', { dryRun: true })).cost).toEqual({ frames: 3, modelCalls: 0 });
    const { regenerated, unchanged } = await regenerate('.');
    expect(regenerated.map(({ path }) => path)).toEqual(['d3/e1', 'd3', '']);
    expect(unchanged).toBe(308);
    expect((await events.head()).seq).toBe(seq + 3);
    expect(await frames.counts()).toMatchObject({ frames: 315, heads: { stale: 1, rests_on_stale: 3 } });
  });
});
