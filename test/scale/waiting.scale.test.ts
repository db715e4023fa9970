import { expect, it } from 'vitest';
import { onEachBackend, until } from './scale-world.ts';

onEachBackend((world) => {
  it('asks a person, and continues with the answer', async () => {
    world().graph('ask', 'q', [
      { node_id: 'q', type: 'approval', question: 'Which one?', options: ['red', 'blue'], next: 'end' },
    ]);
    const asked = await world().run('ask');
    expect(asked).toMatchObject({ status: 'waiting', waitingFor: { what: 'answer' } });
    const { oka } = world();
    const answered = await oka.approvals.approve({ id: asked.id, by: 'ann', answer: 'blue' }, 0);
    expect(answered).toMatchObject({ run: { status: 'completed' } });
  });

  it('runs a tool once a person approves it, and ends when a person denies it', async () => {
    world().graph('delete', 'gone', [
      { node_id: 'gone', type: 'tool', tool: 'files.delete', args: { path: 'old.txt' }, next: 'end' },
    ]);
    const { oka } = world();
    world().put('old.txt', 'old');
    const first = await world().run('delete');
    expect(first).toMatchObject({ status: 'waiting', waitingFor: { what: 'approval' } });
    expect(await oka.approvals.approve({ id: first.id, by: 'ann' }, 0)).toMatchObject({
      run: { status: 'completed' },
    });
    world().put('old.txt', 'old again');
    const second = await world().run('delete');
    expect(await oka.approvals.deny(second.id, 'ann', 'not now')).toMatchObject({
      run: { status: 'failed', failure: { code: 'engine.approval_denied' } },
    });
  });

  it('ends a run when its question is not answered in time, without a command', async () => {
    world().graph('hurry', 'q', [
      { node_id: 'q', type: 'approval', question: 'Quick?', expires_seconds: 1, next: 'end' },
    ]);
    const asked = await world().run('hurry');
    expect(asked).toMatchObject({ status: 'waiting' });
    const { oka } = world();
    // Without a cluster, a command or the daemon ends it.
    const ended = await until(async () => {
      const { run } = world().isCluster
        ? await oka.runs.show(asked.id)
        : await oka.runs.resume({
            run: asked.id,
            by: 'ann',
            repin: false,
            addBudgets: {},
            patienceMs: 0,
          } as never);
      return run.status === 'failed' ? run : undefined;
    });
    expect(ended).toMatchObject({ failure: { code: 'engine.approval_expired' } });
  });

  it('waits for a time and for an event', async () => {
    world().graph('wait', 'pause', [
      { node_id: 'pause', type: 'wait', seconds: 0.3, next: 'event' },
      { node_id: 'event', type: 'wait', event: 'paid', next: 'end' },
    ]);
    const waiting = await world().run('wait');
    expect(waiting).toMatchObject({ status: 'waiting', waitingFor: { what: 'event' } });
    const paid = await world().oka.runs.signal(waiting.id, 'paid', { amount: 5 }, 'shop');
    expect(paid).toMatchObject({ run: { status: 'completed' } });
  });

  it('retries a failed step, and takes its error branch when all attempts have failed', async () => {
    world().graph('branch', 'read', [
      {
        node_id: 'read',
        type: 'tool',
        tool: 'files.read',
        args: { path: 'missing.txt' },
        max_retries: 1,
        on_error: 'other',
        next: 'end',
      },
      {
        node_id: 'other',
        type: 'tool',
        tool: 'files.write',
        args: { path: 'b.txt', content: 'b' },
        next: 'end',
      },
    ]);
    expect(await world().run('branch')).toMatchObject({ status: 'completed' });
  });

  it('cancels a run that waits, with its children', async () => {
    world().graph('sleep', 'nap', [{ node_id: 'nap', type: 'wait', event: 'never', next: 'end' }]);
    world().graph('sleepers', 'all', [
      { node_id: 'all', type: 'map', items: [{}, {}], graph: 'sleep', next: 'end' },
    ]);
    const run = await world().run('sleepers');
    expect(run.status).toBe('waiting');
    const { oka } = world();
    await oka.runs.cancel(run.id, 'ann', 'enough');
    await until(
      async () => (await oka.runs.list({ status: 'waiting', limit: 10 })).length === 0 || undefined,
    );
    expect(await oka.runs.show(run.id)).toMatchObject({ run: { status: 'cancelled' } });
  });
});
