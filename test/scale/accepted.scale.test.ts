// Starts with wrong tokens and while Restate or PostgreSQL is away, each repeated with its key: what acts is what was accepted.
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { isOkaError } from '../../src/kernel/index.ts';
import { onClusters, type ScaleWorld, until } from './scale-world.ts';

const STARTS = 5;
const REFUSALS = ['cluster.forbidden', 'cluster.unreachable', 'cluster.no_worker'];

type Fate = 'accepted' | 'refused' | 'unknown';

async function start(world: ScaleWorld, key: string): Promise<Fate> {
  try {
    await world.run('effect', { key }, key);
    return 'accepted';
  } catch (error) {
    if (isOkaError(error, 'engine.start_unknown')) return 'unknown';
    if (isOkaError(error) && REFUSALS.includes(error.code)) return 'refused';
    throw error;
  }
}

/** Approves a request, or says as a person who looks at the counter what became of one whose outcome Oka does not know. */
async function answer(
  world: ScaleWorld,
  approval: { readonly id: string; readonly kind: string },
): Promise<void> {
  const path = new URL(/http:[^"\\\s]+/.exec(JSON.stringify(approval))?.[0] ?? '').pathname;
  const told = world.effects.includes(path) ? 'done' : 'retry';
  const said = approval.kind === 'unknown_effect' ? { answer: told } : {};
  await world.oka.approvals.approve({ id: approval.id, by: 'ann', ...said } as never, 0);
}

onClusters((world) => {
  it('acts exactly once for each accepted start, and never for a refused one', async () => {
    world().graph('effect', 'ask', [
      {
        node_id: 'ask',
        type: 'tool',
        tool: 'http.fetch',
        args: { method: 'PUT', url: `${world().counter}{{input.key}}` },
        next: 'end',
      },
    ]);
    const token = process.env['OKA_PROJECT_TOKEN'];
    const [node] = world().restate?.nodes ?? [];
    const fates = new Map<string, Fate>();
    const startAll = async (name: string): Promise<void> => {
      const keys = Array.from({ length: STARTS }, (_, i) => `${name}-${i}`);
      await Promise.all(keys.map(async (key) => fates.set(key, await start(world(), key))));
    };
    /** Repeats every second start of a phase, as somebody does who did not like its answer. */
    const repeat = async (name: string): Promise<void> => {
      for (const [key] of [...fates].filter(([one], i) => one.startsWith(name) && i % 2 === 0))
        fates.set(key, await start(world(), key));
    };

    await startAll('fine');
    await repeat('fine');

    process.env['OKA_PROJECT_TOKEN'] = 'not the token of the project';
    await startAll('token');
    process.env['OKA_PROJECT_TOKEN'] = token;
    expect([...fates].filter(([key]) => key.startsWith('token')).map(([, fate]) => fate)).toEqual(
      Array(STARTS).fill('refused'),
    );

    await node?.kill();
    await startAll('restate');
    await node?.start();
    await until(async () => ((await world().oka.workers()).workers.length > 0 ? true : undefined));

    // Restate ends while starts are under way.
    const before = (await world().oka.runs.list({ limit: 1_000 })).length;
    const during = startAll('during');
    await until(async () =>
      (await world().oka.runs.list({ limit: 1_000 })).length > before ? true : undefined,
    );
    await node?.kill();
    await during;
    await node?.start();

    // Commands wait for a ledger that is away.
    await world().postgres?.stop();
    const waiting = startAll('postgres');
    await sleep(1_000);
    await world().postgres?.start();
    await waiting;

    await until(async () => ((await world().oka.workers()).workers.length > 0 ? true : undefined));
    for (const name of ['token', 'restate', 'during', 'postgres']) await repeat(name);

    const accepted = [...fates].filter(([, fate]) => fate === 'accepted').map(([key]) => `/${key}`);
    await until(async () => {
      const asked = await world().oka.approvals.list({ status: 'pending' });
      await Promise.all(asked.map((approval) => answer(world(), approval)));
      const open = await Promise.all(
        (['pending', 'running', 'waiting'] as const).map((status) =>
          world().oka.runs.list({ status, limit: 1 }),
        ),
      );
      return open.flat().length === 0 ? true : undefined;
    });
    expect([...world().effects].sort()).toEqual(accepted.sort());
    expect([...fates.values()].filter((fate) => fate === 'unknown')).toEqual([]);
    expect(fates.size).toBe(5 * STARTS);
  });
});
