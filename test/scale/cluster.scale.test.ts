import { expect, it } from 'vitest';
import { missingRestate } from '../support/restate.ts';
import { onEachBackend } from './scale-world.ts';

onEachBackend(
  (world) => {
    it('keeps working when one of three Restate nodes is killed', async () => {
      world().graph('steps', 'a', [
        {
          node_id: 'a',
          type: 'tool',
          tool: 'files.write',
          args: { path: 'a.txt', content: 'a' },
          next: 'end',
        },
      ]);
      expect(await world().run('steps')).toMatchObject({ status: 'completed' });
      // Commands call the first node.
      await world().restate?.nodes[2]?.kill();
      const runs = await Promise.all(Array.from({ length: 10 }, () => world().run('steps')));
      expect(runs.map(({ status }) => status)).toEqual(Array(10).fill('completed'));
    });
  },
  [{ name: 'SQLite and three Restate nodes', missing: missingRestate, restateNodes: 3 }],
);
