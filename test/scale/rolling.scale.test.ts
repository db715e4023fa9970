import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { onClusters, type ScaleWorld } from './scale-world.ts';

/** Asks, and then writes a file of this name. */
function asking(world: ScaleWorld, file: string): void {
  world.graph('asking', 'q', [
    { node_id: 'q', type: 'approval', question: 'Go on?', next: 'write' },
    {
      node_id: 'write',
      type: 'tool',
      tool: 'files.write',
      args: { path: file, content: 'x' },
      next: 'end',
    },
  ]);
}

onClusters((world) => {
  it('finishes a run on the graph version it started with, on a worker of a newer deployment', async () => {
    asking(world(), 'first.txt');
    const run = await world().run('asking');
    expect(run.status).toBe('waiting');
    const before = [...world().workers];
    await world().startDeployment();
    asking(world(), 'second.txt');
    for (const worker of before) await world().stopWorker(worker);
    const { oka } = world();
    const answered = await oka.approvals.approve({ id: run.id, by: 'ann', answer: 'yes' }, 0);
    expect(answered).toMatchObject({ run: { status: 'completed' } });
    expect(['first.txt', 'second.txt'].map((file) => existsSync(join(world().workspace, file)))).toEqual([
      true,
      false,
    ]);
    const later = await world().run('asking');
    await oka.approvals.approve({ id: later.id, by: 'ann', answer: 'yes' }, 0);
    expect(existsSync(join(world().workspace, 'second.txt'))).toBe(true);
  });

  it('lets a step take longer than the inactivity timeout of Restate', async () => {
    world().graph('long', 'ask', [
      {
        node_id: 'ask',
        type: 'tool',
        tool: 'http.fetch',
        args: { url: `${world().counter}long` },
        next: 'end',
      },
    ]);
    world().onEffect = () => new Promise((resolve) => setTimeout(resolve, 22_000));
    expect(await world().run('long')).toMatchObject({ status: 'completed' });
    expect(world().effects.filter((path) => path === '/long')).toHaveLength(1);
  });
});
