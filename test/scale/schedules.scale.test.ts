import { expect, it } from 'vitest';
import { onEachBackend, until } from './scale-world.ts';

onEachBackend((world) => {
  it('fires a schedule and drives its run', async () => {
    world().graph('tick', 'note', [
      {
        node_id: 'note',
        type: 'tool',
        tool: 'files.write',
        args: { path: 'tick.txt', content: 't' },
        next: 'end',
      },
    ]);
    const { oka } = world();
    // A busy machine may need seconds to add it.
    const at = new Date(Date.now() + 10_000).toISOString().slice(0, 19);
    const added = await oka.graphs.schedules.add({
      graph: 'tick',
      cron: `@at ${at}`,
      zone: 'UTC',
      by: 'ann',
    });
    const run = await until(async () => {
      if (!world().isCluster) await oka.graphs.schedules.tick({ drive: true });
      const [fired] = await oka.graphs.schedules.firings(added.id, 1);
      const run = fired?.run === undefined ? undefined : (await oka.runs.show(fired.run)).run;
      return run?.status === 'completed' ? run : undefined;
    });
    expect(run.status).toBe('completed');
  });

  it('starts a run of a schedule on request', async () => {
    world().graph('now', 'note', [
      {
        node_id: 'note',
        type: 'tool',
        tool: 'files.write',
        args: { path: 'now.txt', content: 'n' },
        next: 'end',
      },
    ]);
    const { oka } = world();
    const added = await oka.graphs.schedules.add({ graph: 'now', cron: '0 0 1 1 *', zone: 'UTC', by: 'ann' });
    const fired = await oka.graphs.schedules.trigger(added.id, 'ann', 0);
    expect(fired).toMatchObject({ run: { status: 'completed' } });
  });
});
