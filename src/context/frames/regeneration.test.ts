import { describe, expect, it } from 'vitest';
import { depthOf } from '../paths.ts';
import { ContextFrames } from './context-frames.ts';
import { framesKit } from './frames-kit.conformance.ts';
import { SynthesisPolicies } from './synthesis-policies.ts';

const FILES = { 'x/a/1.txt': 'one', 'x/a/2.txt': 'two', 'x/b/3.txt': 'three', 'y/4.txt': 'four' };

async function synthesized() {
  const kit = framesKit(FILES);
  for (const path of Object.keys(FILES)) await kit.put(path, `about ${path}`);
  await kit.synthesize('.', { recursive: true, policy: 'summarization' });
  return kit;
}

describe('regeneration', () => {
  it('regenerates only the frames of the ancestors after a file change', async () => {
    const { regenerate, tree, frames } = await synthesized();
    tree.write('x/a/1.txt', 'changed');
    const foreseen = await regenerate('.', { dryRun: true });
    const { regenerated, unchanged, cost } = await regenerate('.');
    expect(regenerated.map(({ path }) => path)).toEqual(['x/a', 'x', '']);
    expect(foreseen.regenerated.map(({ path }) => path)).toEqual(['x/a', 'x', '']);
    expect(unchanged).toBe(2);
    expect(cost).toEqual({ frames: 3, modelCalls: 0 });
    expect((await frames.counts()).heads).toMatchObject({ fresh: 5, stale: 1, rests_on_stale: 3 });
  });

  it('does not touch unchanged nodes: the same frames, and nothing in the ledger', async () => {
    const { regenerate, events, frames, tree } = await synthesized();
    const { seq } = await events.head();
    expect(await regenerate('.')).toMatchObject({ regenerated: [], unchanged: 5, cost: { frames: 0 } });
    expect((await events.head()).seq).toBe(seq);
    const y = (await frames.getHead('y', 'note')).head;
    tree.write('x/a/1.txt', 'changed');
    await regenerate('.');
    expect((await frames.getHead('y', 'note')).head).toEqual(y);
  });

  it('gives new ids, and equal ids for equal changes', async () => {
    const ids = [];
    for (let i = 0; i < 2; i++) {
      const kit = await synthesized();
      kit.tree.write('x/a/1.txt', 'changed');
      ids.push((await kit.regenerate('.')).regenerated);
    }
    for (const { from, to } of ids[0] ?? []) expect(to).not.toBe(from);
    expect(ids[0]).toEqual(ids[1]);
  });

  it('stays in its scope: no parent and no sibling is regenerated', async () => {
    const { regenerate, tree, frames } = await synthesized();
    tree.write('x/a/1.txt', 'changed');
    tree.write('y/4.txt', 'changed');
    expect((await regenerate('x/a')).regenerated.map(({ path }) => path)).toEqual(['x/a']);
    expect(await frames.getHead('x', 'note')).toMatchObject({ stale: true });
    tree.write('x/b/3.txt', 'changed');
    expect((await regenerate('x', { recursive: false })).regenerated.map(({ path }) => path)).toEqual(['x']);
    expect(await frames.getHead('x/b', 'note')).toMatchObject({ stale: true });
    expect(await frames.getHead('y', 'note')).toMatchObject({ stale: true });
    expect(await frames.getHead('.', 'note')).toMatchObject({ stale: true });
  });

  it('keeps the old frames, which can still be read', async () => {
    const { regenerate, put, frames } = await synthesized();
    const before = (await frames.getHead('x/a', 'note')).head?.id;
    await put('x/a/1.txt', 'something new about one');
    await regenerate('.');
    const { frames: seen, frameCount } = await frames.getNode('x/a', {}, 'reader');
    expect(frameCount).toBe(2);
    expect(seen.find(({ id }) => id === before)).toMatchObject({
      content: expect.stringContaining('about x/a/1.txt'),
    });
  });

  it('can be run again with no further effect', async () => {
    const { regenerate, tree, events, frames } = await synthesized();
    tree.write('x/b/3.txt', 'changed');
    await regenerate('.');
    const { seq } = await events.head();
    expect((await regenerate('.')).regenerated).toEqual([]);
    expect((await events.head()).seq).toBe(seq);
    expect(await frames.validate()).toEqual([]);
  });

  it('two concurrent regenerations have the result of one: each frame once, no fault', async () => {
    const alone = await synthesized();
    const both = await synthesized();
    for (const { tree } of [alone, both]) tree.write('x/a/1.txt', 'changed');
    await alone.regenerate('.');
    await Promise.all([both.regenerate('.'), both.regenerate('.')]);
    for (const path of ['x/a', 'x', '.']) {
      expect((await both.frames.getHead(path)).head?.id).toBe((await alone.frames.getHead(path)).head?.id);
      expect(await both.frames.listFrames(path)).toHaveLength(2);
    }
    expect(await both.frames.validate()).toEqual([]);
  });

  it('repeats the recipe: policy, parameters and agent stay the same', async () => {
    const { frames, put, regenerate, parts } = framesKit(FILES);
    await put('y/4.txt', 'One. Two. Three.');
    const request = { node: 'y', type: 'note', policy: 'summarization', recursive: false, by: 'me' };
    await frames.synthesize({ ...request, parameters: { max_sentences: 1 }, agent: 'synthesizer' });
    await put('y/4.txt', 'Four. Five. Six.');
    const { regenerated } = await regenerate('y');
    const record = await parts.records.frame(regenerated[0]?.to ?? '');
    expect(record).toMatchObject({
      agent: 'synthesizer',
      metadata: { regeneratedBy: 'tester' },
      basis: { policy: { name: 'summarization', parameters: { max_sentences: 1 } } },
      content: '- 4.txt: Four.\n',
    });
  });

  it('regenerates invalidated frames, and never frames written by hand', async () => {
    const { frames, regenerate, tree } = await synthesized();
    await frames.invalidate({ node: 'x/b', recursive: false, agent: 'user', by: 'me' });
    expect(await frames.getHead('x/b')).toMatchObject({ stale: true });
    const { regenerated } = await regenerate('.');
    expect(regenerated.map(({ path }) => path)).toEqual(['x/b']);
    expect(await frames.getHead('x/b')).toMatchObject({ stale: false });
    tree.write('y/4.txt', 'changed');
    expect((await regenerate('y/4.txt')).regenerated).toEqual([]);
    expect(await frames.getHead('y/4.txt')).toMatchObject({ stale: true });
  });

  it('regenerates frames when the version of their policy changes', async () => {
    const policy = (version: string) => ({
      ...new SynthesisPolicies().require('concatenation'),
      name: 'own',
      version,
    });
    const { put, synthesize, frames, parts } = framesKit(FILES, {
      policies: new SynthesisPolicies([policy('1')]),
    });
    await put('x/a/1.txt', 'one');
    await synthesize('x/a', { policy: 'own' });
    const request = { node: '.', recursive: true, dryRun: false, agent: 'user', by: 'me' };
    expect((await frames.regenerate(request)).regenerated).toEqual([]);
    const later = new ContextFrames({ ...parts, policies: new SynthesisPolicies([policy('2')]) });
    expect(await later.counts()).toMatchObject({ heads: { stale: 1 } });
    expect((await later.regenerate(request)).regenerated).toMatchObject([{ path: 'x/a' }]);
    expect(await later.counts()).toMatchObject({ heads: { fresh: 2, stale: 0 } });
  });

  it('finds frames of a basis through the index', async () => {
    const { frames, parts } = await synthesized();
    const { head } = await frames.getHead('x/a', 'note');
    expect(await parts.records.framesWithBasis(head?.basisHash ?? '')).toEqual([
      expect.objectContaining({ id: head?.id }),
    ]);
  });

  it('reports why it skips a head: a deleted path, a damaged child frame', async () => {
    const { regenerate, tree, put, memory } = await synthesized();
    tree.remove('y/4.txt');
    await put('x/b/3.txt', 'new');
    Object.assign(memory.tables.rows('context_frames').find(({ content }) => content === 'new') as object, {
      content: 'spoilt',
    });
    const { skipped, regenerated } = await regenerate('.');
    expect(skipped).toMatchObject([
      { path: 'x/b', why: expect.stringContaining('content') },
      { path: 'y', why: 'the path is gone' },
    ]);
    expect(regenerated.map(({ path }) => depthOf(path))).toEqual([0]);
  });

  it('asks a model again for generated frames, within its limit, and previews the cost', async () => {
    const { frames, tree, events, blobs, clock } = framesKit(FILES);
    const generate = async (node: string, prompt = 'what is it?') => {
      const prepared = await frames.prepareGeneration({ node, type: 'summary', prompt, agent: 'writer' });
      clock.advance(1);
      const answer = {
        content: `answer about ${prepared.node.id}`,
        metadata: { provider: 'made-up', model: 'm' },
      };
      const drafted = await frames.draftGenerated(prepared, answer, blobs);
      await events.commit({
        actor: 'writer',
        sync: 'full',
        appends: [{ stream: 'context', events: drafted.events }],
      });
      return drafted.frame;
    };
    await generate('x/a/1.txt');
    await generate('y/4.txt');
    const request = { node: '.', recursive: true, dryRun: true, agent: 'user', by: 'me' };
    const asked: string[] = [];
    const generator = {
      generate: async ({ path, prompt }: { path: string; prompt: string }) => {
        asked.push(path);
        return { frame: await generate(path, prompt), asked: true };
      },
    };
    expect((await frames.regenerate({ ...request, generator })).cost).toEqual({ frames: 0, modelCalls: 0 });
    tree.write('x/a/1.txt', 'changed');
    tree.write('y/4.txt', 'changed');
    expect((await frames.regenerate({ ...request, generator })).cost).toEqual({ frames: 2, modelCalls: 2 });
    expect(await frames.regenerate({ ...request, dryRun: false })).toMatchObject({
      regenerated: [],
      skipped: [{}, {}],
    });
    const bounded = { ...request, dryRun: false, generator, maxModelCalls: 1 };
    expect(await frames.regenerate(bounded)).toMatchObject({
      regenerated: [{ path: 'x/a/1.txt', recipe: 'generation' }],
      skipped: [{ path: 'y/4.txt' }],
    });
    await frames.regenerate(bounded);
    expect(asked).toEqual(['x/a/1.txt', 'y/4.txt']);
    expect(await frames.counts()).toMatchObject({ heads: { fresh: 2, stale: 0 } });
    expect(await frames.regenerate(bounded)).toMatchObject({ regenerated: [], cost: { modelCalls: 0 } });
  });
});
