import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { CompositionPolicy } from './compose.ts';
import { byAgent, byRecency, byType } from './context-view.ts';
import { framesKit } from './frames-kit.conformance.ts';

const FILES = {
  'src/a.txt': 'alpha',
  'src/b.txt': 'beta',
  'src/deep/c.txt': 'gamma',
  'other/d.txt': 'delta',
};
const SOURCES = ['node', 'parent', 'siblings', 'related'];

async function said() {
  const kit = framesKit(FILES);
  await kit.put('src/a.txt', 'own words about parsing', { type: 'note' });
  await kit.put('src', 'the folder', { type: 'summary', agent: 'writer' });
  await kit.put('src/b.txt', 'the sibling and parsing of tokens', { type: 'note', agent: 'writer' });
  await kit.put('other/d.txt', 'far away', { type: 'risk', agent: 'synthesizer' });
  await kit.put('src/deep/c.txt', 'deep below', { type: 'note' });
  return kit;
}

describe('composition', () => {
  it('never returns more than maxFrames', async () => {
    const kit = await said();
    await fc.assert(
      fc.asyncProperty(
        fc.integer({ min: 0, max: 12 }),
        fc.subarray(SOURCES),
        fc.constantFrom('recency', 'type', 'agent', 'relevance'),
        async (maxFrames, sources, order) => {
          const { frames, candidates } = await kit.frames.compose(
            'src/a.txt',
            { maxFrames, sources, order, related: ['other/d.txt'] },
            'reader',
          );
          expect(frames.length).toBe(Math.min(maxFrames, candidates));
        },
      ),
      { numRuns: 60 },
    );
    await expect(kit.frames.compose('src/a.txt', { maxFrames: 1_001 }, 'user')).rejects.toMatchObject({
      code: 'context.invalid',
    });
  });

  it('has the same order on every run, under any order of insertion', async () => {
    const items = [
      ['src/a.txt', 'words one', 'note'],
      ['src', 'words two', 'summary'],
      ['src/b.txt', 'three words', 'note'],
      ['src/b.txt', 'risky words', 'risk'],
    ] as const;
    await fc.assert(
      fc.asyncProperty(
        fc.shuffledSubarray([...items], { minLength: items.length }),
        fc.constantFrom('recency', 'type', 'agent', 'relevance'),
        async (order, by) => {
          const answers = [];
          for (const insertion of [order, items]) {
            const { frames } = framesKit(FILES);
            for (const [node, content, type] of insertion)
              await frames.putFrame({ node, content, type, agent: 'user', by: 'me' });
            answers.push(
              (await frames.compose('src/a.txt', { order: by }, 'user')).frames.map(({ id }) => id),
            );
          }
          expect(answers[0]).toEqual(answers[1]);
          expect(answers[0]).toHaveLength(items.length);
        },
      ),
      { numRuns: 25 },
    );
  });

  it('has total orders: frames with the same time are ordered by id', () => {
    const frame = {
      path: 'a',
      node: 'n',
      type: 'note',
      agent: 'user',
      basisHash: 'h',
      recipe: 'none',
    } as const;
    const alike = ['3', '1', '2'].map((id) => ({ ...frame, id, bytes: 1, createdAt: 5, erased: false }));
    for (const order of [byRecency, byType(), byAgent()])
      expect([...alike].sort(order).map(({ id }) => id)).toEqual(['1', '2', '3']);
  });

  it('skips missing and damaged frames, reports them, and continues with the next ones', async () => {
    const { frames, memory, put, blobs } = await said();
    const lost = await put('src/a.txt', 'x'.repeat(20_000));
    blobs.kept.clear();
    Object.assign(
      memory.tables.rows('context_frames').find(({ content }) => content === 'the folder') as object,
      {
        content: 'spoilt',
      },
    );
    const { frames: seen, skipped } = await frames.compose(
      'src/a.txt',
      { maxFrames: 2, related: ['nowhere', 'other/d.txt'], sources: SOURCES },
      'user',
    );
    expect(seen).toHaveLength(2);
    expect(skipped).toContainEqual({ what: lost, why: expect.stringContaining('missing') });
    expect(skipped).toContainEqual({ what: 'nowhere', why: expect.stringContaining('No node') });
  });

  it('takes heads only, and earlier frames with history', async () => {
    const { frames, put } = await said();
    const newer = await put('src/a.txt', 'better words about parsing');
    const only = { sources: ['node'] };
    const heads = await frames.compose('src/a.txt', only, 'user');
    expect(heads.frames).toMatchObject([{ id: newer, head: true, state: 'fresh' }]);
    const all = await frames.compose('src/a.txt', { ...only, history: true }, 'user');
    expect(all.frames).toMatchObject([
      { id: newer, head: true },
      { head: false, content: 'own words about parsing' },
    ]);
  });

  it('shares its frames among the sources, so that siblings do not push out the node itself', async () => {
    const files = Object.fromEntries(Array.from({ length: 20 }, (_, i) => [`src/s${i}.txt`, `${i}`]));
    const { frames, put } = framesKit({ 'src/a.txt': 'a', ...files });
    await put('src/a.txt', 'the node');
    await put('src', 'the folder');
    for (const path of Object.keys(files)) await put(path, `about ${path}`);
    const sourcesOf = async (policy: CompositionPolicy) =>
      (await frames.compose('src/a.txt', policy, 'user')).frames.map(({ source }) => source);
    const shared = await sourcesOf({ maxFrames: 6 });
    expect(shared).toEqual(['siblings', 'siblings', 'siblings', 'siblings', 'parent', 'node']);
    expect(await sourcesOf({ maxFrames: 6, quotas: { siblings: 1 } })).toEqual([
      'siblings',
      'parent',
      'node',
    ]);
    await expect(sourcesOf({ sources: ['node'], quotas: { parent: 2 } })).rejects.toMatchObject({
      code: 'context.invalid',
    });
  });

  it('writes nothing: ledger and tables are the same before and after', async () => {
    const { frames, events, memory, blobs } = await said();
    const look = async () =>
      JSON.stringify([
        await events.head(),
        memory.tables.rows('context_frames'),
        memory.tables.rows('context_heads'),
        blobs.kept.size,
      ]);
    const before = await look();
    for (const order of ['recency', 'type', 'agent', 'relevance'])
      await frames.compose('src/a.txt', { order, sources: SOURCES, related: ['other'] }, 'reader');
    expect(await look()).toBe(before);
  });

  it('without frames is empty and no error', async () => {
    const { frames } = framesKit(FILES);
    const empty = { frames: [], candidates: 0, skipped: [] };
    expect(await frames.compose('src/a.txt', {}, 'user')).toEqual(empty);
    expect(await frames.compose('.', { sources: ['parent', 'siblings'] }, 'user')).toEqual(empty);
    expect(await frames.compose('src/a.txt', { sources: [] }, 'user')).toEqual(empty);
  });

  it('differs for another policy and is equal for the same one', async () => {
    const { frames, clock } = await said();
    const paths = async (policy: object) => {
      const once = await frames.compose('src/a.txt', policy, 'user');
      expect(await frames.compose('src/a.txt', policy, 'user')).toEqual(once);
      return once.frames.map(({ path }) => path);
    };
    expect(await paths({})).toEqual(['src/b.txt', 'src', 'src/a.txt']);
    expect(await paths({ order: 'type' })).toEqual(['src/b.txt', 'src/a.txt', 'src']);
    expect(await paths({ order: 'type', typePriority: ['summary'] })).toEqual([
      'src',
      'src/b.txt',
      'src/a.txt',
    ]);
    expect(await paths({ order: 'agent' })).toEqual(['src/a.txt', 'src/b.txt', 'src']);
    expect(await paths({ order: 'agent', agentPriority: ['writer'] })).toEqual([
      'src/b.txt',
      'src',
      'src/a.txt',
    ]);
    expect(await paths({ order: 'relevance', query: 'own parsing' })).toEqual([
      'src/a.txt',
      'src/b.txt',
      'src',
    ]);
    expect(await paths({ sources: ['related'], related: ['other/d.txt'] })).toEqual(['other/d.txt']);
    expect(await paths({ related: ['other/d.txt'] })).toContain('other/d.txt');
    expect(await paths({ types: ['note'], agents: ['user'] })).toEqual(['src/a.txt']);
    expect(await paths({ since: clock.now() - 2 })).toEqual(['src/b.txt']);
  });

  it('reports the source of each frame and accepts registered orderings', async () => {
    const shortest = (a: { bytes: number }, b: { bytes: number }) => a.bytes - b.bytes;
    const { frames, put } = framesKit(FILES, { orderings: { shortest } });
    await put('src/a.txt', 'a long text');
    await put('src/b.txt', 'short');
    await put('src', 'x');
    const { frames: seen } = await frames.compose('src/a.txt', { order: 'shortest' }, 'user');
    expect(seen.map(({ source }) => source)).toEqual(['parent', 'siblings', 'node']);
    await expect(frames.compose('src/a.txt', { order: 'shortes' }, 'user')).rejects.toMatchObject({
      code: 'context.ordering_unknown',
      message: expect.stringContaining('"shortest"'),
    });
    await expect(frames.compose('src/a.txt', { sources: ['sibling'] }, 'user')).rejects.toMatchObject({
      code: 'context.invalid',
    });
  });
});
