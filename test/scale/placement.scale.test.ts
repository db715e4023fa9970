import { expect, it } from 'vitest';
import { onClusters } from './scale-world.ts';

const CHILDREN = 40;

onClusters((world) => {
  it('drives the parallel branches of a run on several workers', async () => {
    world().graph('branch', 'ask', [
      {
        node_id: 'ask',
        type: 'tool',
        tool: 'http.fetch',
        args: { url: `${world().counter}branch` },
        next: 'end',
      },
    ]);
    const items = Array.from({ length: CHILDREN }, () => ({}));
    world().graph('wide', 'all', [
      { node_id: 'all', type: 'map', items, graph: 'branch', concurrency: CHILDREN, next: 'end' },
    ]);
    // Requests are answered once there are more at the same time than one connection carries.
    let answer = (): void => undefined;
    const enough = new Promise<void>((resolve) => {
      answer = resolve;
    });
    world().onEffect = () => {
      if (world().effects.length > CHILDREN / 2) answer();
      return enough;
    };
    expect(await world().run('wide')).toMatchObject({ status: 'completed' });
    expect(world().effects).toHaveLength(CHILDREN);
    expect(new Set(await world().driversOf()).size).toBe(2);
  });
});
