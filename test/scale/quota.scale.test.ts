import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { onClusters } from './scale-world.ts';

onClusters((world) => {
  it('drives at most as many runs at once as the project may have', async () => {
    mkdirSync(join(world().workspace, '.oka'), { recursive: true });
    writeFileSync(
      join(world().workspace, '.oka', 'config.json'),
      JSON.stringify({ execution: { runs_at_once: 2 } }),
    );
    await world().replaceWorkers();
    world().graph('slow', 'ask', [
      {
        node_id: 'ask',
        type: 'tool',
        tool: 'http.fetch',
        args: { url: `${world().counter}slow` },
        next: 'end',
      },
    ]);
    let active = 0;
    let most = 0;
    world().onEffect = async () => {
      active += 1;
      most = Math.max(most, active);
      await new Promise((resolve) => setImmediate(resolve));
      await new Promise((resolve) => setTimeout(resolve, 50));
      active -= 1;
    };
    const runs = await Promise.all(Array.from({ length: 6 }, () => world().run('slow')));
    expect(runs.map(({ status }) => status)).toEqual(Array(6).fill('completed'));
    expect(most).toBeLessThanOrEqual(2);
  });
});
