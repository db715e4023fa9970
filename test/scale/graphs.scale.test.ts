import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { onEachBackend } from './scale-world.ts';

onEachBackend((world) => {
  const read = (path: string): string => readFileSync(join(world().workspace, path), 'utf8');

  it('runs a graph with steps to its end', async () => {
    world().graph('steps', 'a', [
      { node_id: 'a', type: 'tool', tool: 'files.write', args: { path: 'a.txt', content: 'a' }, next: 'b' },
      { node_id: 'b', type: 'tool', tool: 'files.write', args: { path: 'b.txt', content: 'b' }, next: 'end' },
    ]);
    expect(await world().run('steps')).toMatchObject({ status: 'completed' });
    expect(['a.txt', 'b.txt'].map(read)).toEqual(['a', 'b']);
  });

  it('runs a graph for each item, several at once, and joins their outputs', async () => {
    world().graph('one', 'write', [
      {
        node_id: 'write',
        type: 'tool',
        tool: 'files.write',
        args: { path: 'items/{{input.n}}.txt', content: '{{input.n}}' },
        next: 'end',
      },
    ]);
    world().graph('each', 'all', [
      {
        node_id: 'all',
        type: 'map',
        items: [1, 2, 3, 4, 5, 6].map((n) => ({ n: String(n) })),
        graph: 'one',
        concurrency: 3,
        next: 'end',
      },
    ]);
    expect(await world().run('each')).toMatchObject({ status: 'completed' });
    for (const n of [1, 2, 3, 4, 5, 6])
      expect(existsSync(join(world().workspace, `items/${n}.txt`))).toBe(true);
  });
});
