import { describe, expect, it } from 'vitest';
import { framesKit } from './frames-kit.conformance.ts';

const FILES = { 'a.txt': 'alpha', 'src/b.txt': 'beta' };

describe('agents', () => {
  it('writers cannot overwrite a frame: the attempt fails and the frame stays unchanged', async () => {
    const { frames, put } = framesKit(FILES);
    const id = await put('a.txt', 'first', { agent: 'writer' });
    const overwriting = { node: 'a.txt', type: 'note', content: 'second', agent: 'writer', id, by: 'me' };
    await expect(frames.putFrame(overwriting)).rejects.toMatchObject({ code: 'context.frame_immutable' });
    const { frames: seen, frameCount } = await frames.getNode('a.txt', {}, 'reader');
    expect(frameCount).toBe(1);
    expect(seen).toMatchObject([{ id, content: 'first' }]);
  });

  it('a wrong expected id is rejected, and the right one is accepted', async () => {
    const { frames, put } = framesKit(FILES);
    const id = await put('a.txt', 'first');
    const request = { node: 'a.txt', type: 'note', content: 'first', agent: 'user', by: 'me' };
    await expect(frames.putFrame({ ...request, id: 'f'.repeat(64) })).rejects.toMatchObject({
      code: 'context.invalid',
      data: { field: 'id' },
    });
    expect(await frames.putFrame({ ...request, id })).toMatchObject({ frame: id, outcome: 'known' });
  });

  it('readers never trigger a write: every write operation rejects them and nothing is recorded', async () => {
    const { frames, events, put } = framesKit(FILES);
    await put('a.txt', 'said');
    const before = await events.head();
    const as = { agent: 'reader', by: 'me' };
    const refused = { code: 'context.not_allowed', data: { agent: 'reader', role: 'reader' } };
    await expect(frames.putFrame({ node: 'a.txt', type: 'note', content: 'x', ...as })).rejects.toMatchObject(
      refused,
    );
    await expect(
      frames.synthesize({ node: '.', type: 'note', recursive: false, ...as }),
    ).rejects.toMatchObject(refused);
    await expect(
      frames.regenerate({ node: '.', recursive: true, dryRun: false, ...as }),
    ).rejects.toMatchObject(refused);
    await expect(frames.invalidate({ node: 'a.txt', recursive: false, ...as })).rejects.toMatchObject(
      refused,
    );
    await expect(
      frames.prepareGeneration({ node: 'a.txt', type: 'note', prompt: 'why', agent: 'reader' }),
    ).rejects.toMatchObject(refused);
    await frames.getNode('a.txt', {}, 'reader');
    await frames.compose('a.txt', {}, 'reader');
    await frames.regenerate({ node: '.', recursive: true, dryRun: true, ...as });
    expect(await events.head()).toEqual(before);
  });

  it('writers append but do not synthesize; synthesis agents do both', async () => {
    const { frames, put } = framesKit(FILES);
    await put('a.txt', 'said', { agent: 'writer' });
    const request = { node: '.', type: 'note', recursive: false, by: 'me' };
    await expect(frames.synthesize({ ...request, agent: 'writer' })).rejects.toMatchObject({
      code: 'context.not_allowed',
      data: { capability: 'synthesize' },
    });
    expect(await frames.synthesize({ ...request, agent: 'synthesizer' })).toMatchObject({
      outcome: 'appended',
    });
    expect(await put('a.txt', 'also said', { agent: 'synthesizer' })).toHaveLength(64);
  });

  it('attribution is part of the id: equal texts of two agents are two frames', async () => {
    const { frames, put } = framesKit(FILES);
    const one = await put('a.txt', 'the same', { agent: 'writer' });
    const other = await put('a.txt', 'the same', { agent: 'user' });
    expect(one).not.toBe(other);
    expect((await frames.listFrames('a.txt')).map(({ id, agent }) => [id, agent])).toEqual([
      [other, 'user'],
      [one, 'writer'],
    ]);
  });

  it('identity is verified on every write: an unknown agent is rejected', async () => {
    const { frames, events } = framesKit(FILES);
    const as = { agent: 'stranger', by: 'me' };
    await expect(frames.putFrame({ node: 'a.txt', type: 'note', content: 'x', ...as })).rejects.toMatchObject(
      { code: 'agent.unknown' },
    );
    await expect(
      frames.synthesize({ node: '.', type: 'note', recursive: false, ...as }),
    ).rejects.toMatchObject({ code: 'agent.unknown' });
    expect((await events.head()).seq).toBe(0);
  });

  it('agents that write concurrently corrupt nothing: every frame exists, one head, no fault', async () => {
    const { frames } = framesKit(FILES);
    const writes = Array.from({ length: 40 }, (_, i) =>
      frames.putFrame({
        node: 'a.txt',
        type: 'note',
        content: `words ${i % 20}`,
        agent: i % 2 === 0 ? 'writer' : 'synthesizer',
        by: 'me',
      }),
    );
    const ids = new Set((await Promise.all(writes)).map(({ frame }) => frame));
    expect(ids.size).toBe(20);
    expect((await frames.listFrames('a.txt')).map(({ id }) => id).sort()).toEqual([...ids].sort());
    expect(ids).toContain((await frames.getHead('a.txt', 'note')).head?.id);
    expect(await frames.validate()).toEqual([]);
  });
});
