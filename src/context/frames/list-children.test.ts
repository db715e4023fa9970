import { describe, expect, it } from 'vitest';
import { framesKit } from './frames-kit.conformance.ts';

const FILES = { 'a.txt': 'alpha', 'src/b.txt': 'beta', 'src/deep/c.txt': 'gamma', 'z.txt': 'omega' };
const ALL = { limit: 10 };

describe('children', () => {
  it('are listed by name with the state of their heads', async () => {
    const { frames, put, tree } = framesKit(FILES);
    const frame = await put('a.txt', 'about a');
    await put('z.txt', 'about z');
    tree.write('z.txt', 'changed');
    const { path, heads, children } = await frames.children('.', ALL);
    expect({ path, heads }).toEqual({ path: '', heads: [] });
    expect(children).toMatchObject([
      { path: 'a.txt', name: 'a.txt', kind: 'file', heads: [{ type: 'note', frame, state: 'fresh' }] },
      { path: 'src', name: 'src', kind: 'directory', heads: [] },
      { path: 'z.txt', heads: [{ type: 'note', state: 'stale' }] },
    ]);
  });

  it('count what is not fresh below them, not their own heads', async () => {
    const { frames, put, tree } = framesKit(FILES);
    await put('src', 'about src');
    await put('src/deep/c.txt', 'about c');
    await put('src/b.txt', 'about b');
    tree.write('src/deep/c.txt', 'changed');
    const [src] = (await frames.children('', ALL)).children.filter(({ name }) => name === 'src');
    expect(src).toMatchObject({ staleBelow: 1, heads: [{ state: 'stale' }] });
    const inSrc = await frames.children('src', ALL);
    expect(inSrc.heads).toMatchObject([{ state: 'stale' }]);
    expect(inSrc.children).toMatchObject([
      { name: 'b.txt', staleBelow: 0, heads: [{ state: 'fresh' }] },
      { name: 'deep', staleBelow: 1, heads: [] },
    ]);
  });

  it('continue after a child, also after one that is gone', async () => {
    const { frames, tree } = framesKit(FILES);
    const after = { at: 0, id: 'a.txt' };
    const names = async () =>
      (await frames.children('', { limit: 1, after })).children.map(({ name }) => name);
    expect(await names()).toEqual(['src']);
    tree.write('0.txt', 'new');
    expect(await names()).toEqual(['src']);
  });

  it('do not exist below a file, whose own heads are known, also when it is gone', async () => {
    const { frames, put, tree } = framesKit(FILES);
    await put('a.txt', 'about a');
    expect(await frames.children('a.txt', ALL)).toMatchObject({ children: [], heads: [{ state: 'fresh' }] });
    tree.remove('a.txt');
    expect(await frames.children('a.txt', ALL)).toMatchObject({ children: [], heads: [{ state: 'gone' }] });
    await expect(frames.children('b.txt', ALL)).rejects.toMatchObject({ code: 'context.node_unknown' });
  });
});
