import { describe, expect, it } from 'vitest';
import { bodyErased, SYSTEM_STREAM } from '../../ledger/index.ts';
import { framesKit } from './frames-kit.conformance.ts';

const FILES = { 'a.txt': 'alpha', 'src/b.txt': 'beta', 'src/c.txt': 'gamma' };

describe('get_node', () => {
  it('returns the same frames for the same request, in any order of writing', async () => {
    const said = ['one', 'two', 'three', 'four'];
    const answers = [];
    for (const order of [said, [...said].reverse()]) {
      const kit = framesKit(FILES);
      for (const content of order)
        await kit.frames.putFrame({ node: 'a.txt', type: 'note', content, agent: 'user', by: 'me' });
      const view = { maxFrames: 3, order: 'type' };
      const answer = await kit.frames.getNode('a.txt', view, 'user');
      expect(await kit.frames.getNode('a.txt', view, 'user')).toEqual(answer);
      // Which one is the head depends on the order of writing.
      const frames = answer.frames.map(({ head: _head, state: _state, ...frame }) => frame);
      answers.push({ ...answer, frames });
    }
    expect(answers[0]).toEqual(answers[1]);
    expect(answers[0]).toMatchObject({ frameCount: 4, frames: [{}, {}, {}] });
  });

  it('selects by type, agent and time, in the order that the view names', async () => {
    const { frames, put, clock } = framesKit(FILES);
    await put('a.txt', 'old', { type: 'zeta', agent: 'writer' });
    await put('a.txt', 'middle', { type: 'alpha' });
    const at = clock.now();
    await put('a.txt', 'new', { type: 'zeta' });
    const contents = async (view: object) =>
      (await frames.getNode('a.txt', view, 'reader')).frames.map(
        (frame) => 'content' in frame && frame.content,
      );
    expect(await contents({})).toEqual(['new', 'middle', 'old']);
    expect(await contents({ order: 'type' })).toEqual(['middle', 'new', 'old']);
    expect(await contents({ order: 'agent' })).toEqual(['new', 'middle', 'old']);
    expect(await contents({ types: ['zeta'] })).toEqual(['new', 'old']);
    expect(await contents({ agents: ['writer'] })).toEqual(['old']);
    expect(await contents({ since: at })).toEqual(['new', 'middle']);
    expect(await contents({ until: at })).toEqual(['middle', 'old']);
    expect(await contents({ maxFrames: 0 })).toEqual([]);
  });

  it('returns the same error for the same invalid request and suggests the intended node', async () => {
    const { frames } = framesKit(FILES);
    const wrong = async (name: string, view = {}) => {
      const messages = [];
      for (let i = 0; i < 2; i++)
        messages.push(
          await frames.getNode(name, view, 'user').catch((error: Error) => JSON.stringify(error)),
        );
      expect(messages[0]).toBe(messages[1]);
      return JSON.parse(String(messages[0])) as { code: string; message: string };
    };
    expect(await wrong('src/d.txt')).toMatchObject({ code: 'context.node_unknown' });
    expect((await wrong('scr/b.txt')).message).toContain('Did you mean "src/b.txt"?');
    const hints = {
      'src/d.txt': 'Ignored paths',
      '../outside': 'relative to the workspace',
      '/etc/passwd': 'relative to the workspace',
      'src/.git/config': '.git is never part of the tree',
      'a.txt/below': 'a.txt is a file',
    };
    for (const [name, hint] of Object.entries(hints))
      expect(await wrong(name)).toMatchObject({
        code: 'context.node_unknown',
        message: expect.stringContaining(hint),
      });
    expect(await wrong('a.txt', { order: 'recentcy' })).toMatchObject({
      code: 'context.invalid',
      message: expect.stringContaining('recency'),
    });
    expect(await wrong('a.txt', { maxFrames: -1 })).toMatchObject({ code: 'context.invalid' });
    expect(await wrong('a.txt', { since: 2, until: 1 })).toMatchObject({ code: 'context.invalid' });
  });

  it('finds a name with a backslash as the tree writes it and as the file system does', async () => {
    const { frames } = framesKit({ 'b\\\\c': 'x' });
    for (const name of ['b\\\\c', 'b\\c'])
      expect(await frames.getNode(name, {}, 'user')).toMatchObject({ node: { path: 'b\\\\c' } });
  });

  it('finds a node by a prefix of its id and rejects an ambiguous prefix', async () => {
    const many = Object.fromEntries(Array.from({ length: 400 }, (_, i) => [`f${i}`, `${i}`]));
    const { frames, tree } = framesKit(many);
    const node = (await tree.node('f7')) as { id: string };
    expect(await frames.getNode(node.id, {}, 'user')).toMatchObject({ node: { path: 'f7' } });
    const nodes = await Promise.all(Object.keys(many).map(async (path) => (await tree.node(path))?.id ?? ''));
    const shared = nodes.map((id) => id.slice(0, 4)).find((start, i, all) => all.indexOf(start) !== i);
    await expect(frames.getNode(String(shared), {}, 'user')).rejects.toMatchObject({
      code: 'context.node_ambiguous',
    });
  });

  it('reports that the workspace was never scanned instead of unknown nodes', async () => {
    const tree = {
      root: async () => undefined,
      node: async () => undefined,
      byId: async () => [],
      children: async () => [],
      unchecked: async () => ({}),
      compare: async () => undefined,
    };
    const { frames } = framesKit({}, { tree });
    await expect(frames.getNode('a.txt', {}, 'user')).rejects.toMatchObject({ code: 'context.not_scanned' });
  });
});

describe('put_frame', () => {
  it('moves the head with the frame, in one event', async () => {
    const { frames, events, put, memory } = framesKit(FILES);
    await put('a.txt', 'first');
    const second = await put('a.txt', 'second');
    expect((await events.head()).seq).toBe(2);
    expect((await frames.getHead('a.txt', 'note')).head?.id).toBe(second);
    expect(memory.tables.rows('context_heads')).toHaveLength(1);
  });

  it('returns the existing frame when the same frame is put again, and makes it the head', async () => {
    const { frames, put, events } = framesKit(FILES);
    const first = await put('a.txt', 'first');
    await put('a.txt', 'second');
    const again = await frames.putFrame({
      node: 'a.txt',
      type: 'note',
      content: 'first',
      agent: 'user',
      by: 'me',
    });
    expect(again).toMatchObject({ frame: first, outcome: 'moved' });
    const { seq } = await events.head();
    expect(await put('a.txt', 'first')).toBe(first);
    expect((await events.head()).seq).toBe(seq);
    expect(await frames.listFrames('a.txt')).toHaveLength(2);
  });

  it('and get_node never synthesize: a directory has no frame until one is requested', async () => {
    const { frames, put, events } = framesKit(FILES);
    await put('src/b.txt', 'about b');
    await frames.getNode('src', {}, 'user');
    await frames.compose('src/b.txt', {}, 'user');
    await frames.listFrames('src');
    expect(await frames.getHead('src')).toEqual({ stale: false });
    expect((await events.head()).seq).toBe(1);
  });

  it('keeps the head of an older version as stale, and the frames of a deleted path', async () => {
    const { frames, put, tree } = framesKit(FILES);
    const id = await put('src/b.txt', 'about b');
    expect(await frames.getHead('src/b.txt', 'note')).toMatchObject({ head: { id }, stale: false });
    tree.write('src/b.txt', 'changed');
    expect(await frames.getHead('src/b.txt', 'note')).toMatchObject({ head: { id }, stale: true });
    expect(await frames.counts()).toMatchObject({ frames: 1, frameBytes: 7, heads: { fresh: 0, stale: 1 } });
    tree.remove('src/b.txt');
    expect(await frames.getHead('src/b.txt', 'note')).toMatchObject({ head: { id }, stale: true });
    expect(await frames.getNode('src/b.txt', {}, 'user')).toMatchObject({
      node: { path: 'src/b.txt', kind: 'gone' },
      frames: [{ id, content: 'about b', stale: true }],
    });
  });

  it('rejects invalid types and invalid text', async () => {
    const { frames } = framesKit(FILES);
    const request = { node: 'a.txt', type: 'note', content: 'x', agent: 'user', by: 'me' };
    for (const type of ['', '*', 'two words', '-x', 'x'.repeat(65)])
      await expect(frames.putFrame({ ...request, type })).rejects.toMatchObject({ data: { field: 'type' } });
    await expect(frames.putFrame({ ...request, content: '\ud800' })).rejects.toMatchObject({
      data: { field: 'content' },
    });
  });

  it('redacts secrets before computing the id, so that the id matches the stored content', async () => {
    const redact = <Value>(value: Value): Value =>
      JSON.parse(JSON.stringify(value).replaceAll('hunter2', '[secret]')) as Value;
    const { frames, put } = framesKit(FILES, { redact });
    await put('a.txt', 'the password is hunter2');
    expect(await frames.validate()).toEqual([]);
    const { frames: seen } = await frames.getNode('a.txt', {}, 'user');
    expect(seen).toMatchObject([{ content: 'the password is [secret]' }]);
  });
});

describe('a frame whose content was erased', () => {
  it('keeps its position and its head, is not read, and is not a fault', async () => {
    const { frames, put, events } = framesKit(FILES);
    const id = await put('a.txt', 'private');
    const erased = bodyErased([{ stream: 'context', index: 0 }], 'asked for');
    await events.commit({
      actor: 'me',
      sync: 'full',
      appends: [{ stream: SYSTEM_STREAM, events: [erased] }],
    });
    const { frames: seen } = await frames.getNode('a.txt', {}, 'user');
    expect(seen).toMatchObject([{ id, erased: true, unreadable: expect.any(String) }]);
    expect((await frames.getHead('a.txt')).head?.id).toBe(id);
    expect(await frames.validate()).toEqual([]);
    expect(await put('a.txt', 'private')).toBe(id);
    expect((await frames.getNode('a.txt', {}, 'user')).frames).toMatchObject([{ content: 'private' }]);
  });
});

describe('validate', () => {
  const large = 'x'.repeat(20_000);

  it('names a swapped, a damaged and a missing blob', async () => {
    const { frames, put, blobs } = framesKit(FILES);
    const ids = [];
    for (const path of Object.keys(FILES)) ids.push(await put(path, `${path} ${large}`));
    expect(blobs.kept.size).toBe(3);
    expect(await frames.validate()).toEqual([]);
    const [first, second, third] = [...blobs.kept.keys()] as [string, string, string];
    const swapped = blobs.kept.get(second) as Uint8Array;
    blobs.kept.set(second, blobs.kept.get(first) as Uint8Array);
    blobs.kept.set(first, swapped);
    blobs.kept.delete(third);
    const faults = await frames.validate();
    expect(faults).toHaveLength(3);
    expect(faults.map(({ where }) => where.split(' ')[1]).sort()).toEqual([...ids].sort());
  });

  it('is not needed to read the other frames of a node; putting a lost frame again restores it', async () => {
    const { frames, put, blobs } = framesKit(FILES);
    const lost = await put('a.txt', large);
    const sound = await put('a.txt', 'short');
    blobs.kept.clear();
    const view = { order: 'recency' };
    expect((await frames.getNode('a.txt', view, 'user')).frames).toMatchObject([
      { id: sound, content: 'short' },
      { id: lost, unreadable: expect.stringContaining('missing') },
    ]);
    expect(await put('a.txt', large)).toBe(lost);
    expect((await frames.getNode('a.txt', view, 'user')).frames).toContainEqual(
      expect.objectContaining({ id: lost, content: large }),
    );
    expect(await frames.validate()).toEqual([]);
  });

  it('names a frame whose text or basis was changed, a head without its frame, and a basis without its frames', async () => {
    const { frames, put, synthesize, memory } = framesKit(FILES);
    const a = await put('a.txt', 'about a');
    const b = await put('src/b.txt', 'about b');
    const { frame } = await synthesize('src');
    const rows = memory.tables.rows('context_frames');
    Object.assign(rows.find(({ id }) => id === a) as object, { content: 'about A' });
    Object.assign(rows.find(({ id }) => id === frame) as object, { basis: '{"kind":"node","node":"x"}' });
    const heads = memory.tables.rows('context_heads');
    Object.assign(heads.find(({ path }) => path === 'src/b.txt') as object, { frame: 'f'.repeat(64) });
    const faults = await frames.validate();
    expect(faults.map(({ where }) => where).sort()).toEqual(
      [`frame ${a} (a.txt, note)`, `frame ${frame} (src, note)`, 'head src/b.txt, note'].sort(),
    );
    Object.assign(heads.find(({ path }) => path === 'src/b.txt') as object, { frame: b });
    expect(await frames.validate()).toHaveLength(2);
  });
});
