// What a command that the cluster refuses leaves behind: nothing. What it has recorded: accepted, also if its message was lost.
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, it, onTestFinished } from 'vitest';
import { HTTP_ROUTES, type OperationName } from '../../src/api/index.ts';
import { methodOf } from '../../src/api/remote-oka.ts';
import { isOkaError } from '../../src/kernel/index.ts';
import { Oka } from '../../src/runtime/index.ts';
import { tempFolder } from '../support/temp-folder.ts';
import { FakeRestate, type Reply } from './fake-restate.ts';

const ASKING = {
  id: 'asking',
  name: 'asking',
  version: 1,
  start: 'start',
  execution_defaults: { guarantee_mode: 'flex' },
  nodes: [
    { node_id: 'start', type: 'start', next: 'q' },
    { node_id: 'q', type: 'approval', question: 'Go on?', next: 'end' },
    { node_id: 'end', type: 'end' },
  ],
};

interface World {
  readonly oka: Oka;
  readonly warnings: string[];
  readonly restate: FakeRestate;
  /** A run that waits for an answer. */
  readonly waiting: string;
  readonly schedule: string;
  head(): Promise<number>;
  runs(): Promise<readonly string[]>;
}

/** A workspace with a run, a schedule and a graph, whose runs are from now on executed by a cluster. */
async function openWorld(): Promise<World> {
  const [workspace, home] = [tempFolder(), tempFolder()];
  const before = new Oka({ workspace, home });
  await before.init({ trust: true });
  mkdirSync(join(workspace, '.oka', 'graphs'), { recursive: true });
  writeFileSync(join(workspace, '.oka', 'graphs', 'asking.json'), JSON.stringify(ASKING));
  const { run } = await before.graphs.run(graphRequest({}) as never);
  const { id: schedule } = await before.graphs.schedules.add({
    graph: 'asking',
    cron: '0 0 1 1 *',
    zone: 'UTC',
    input: {},
    by: 'ann',
  } as never);
  await before.close();
  const restate = await FakeRestate.start();
  const execution = { backend: 'restate', ingress: restate.url };
  writeFileSync(join(home, 'config.json'), JSON.stringify({ execution }));
  const warnings: string[] = [];
  const oka = new Oka({ workspace, home, onWarning: ({ message }) => warnings.push(message) });
  onTestFinished(() => oka.close());
  const head = async (): Promise<number> => {
    let seq = -1;
    for await (const event of oka.ledger.tail({ last: 1, follow: false })) seq = event.seq;
    return seq;
  };
  const runs = async (): Promise<readonly string[]> =>
    (await oka.runs.list({ limit: 1_000 })).map(({ id }) => id);
  return { oka, warnings, restate, waiting: run.id, schedule, head, runs };
}

function graphRequest(input: object, key?: string): object {
  const request = { graph: 'asking', input, vars: {}, simulate: false, budgets: {}, patienceMs: 0 };
  return key === undefined ? request : { ...request, key };
}

/** The arguments of every operation that has a run driven. */
const INPUTS: Partial<Record<OperationName, (world: World) => readonly unknown[]>> = {
  do: () => [{ goal: 'list the files', model: 'none', simulate: false, budgets: {}, patienceMs: 0 }],
  'graphs.run': () => [graphRequest({})],
  'graphs.replay': ({ waiting }) => [waiting, { patienceMs: 0 }],
  'graphs.schedules.trigger': ({ schedule }) => [schedule, 'ann', 0],
  'tools.call': () => [{ tool: 'files.list', input: {}, patienceMs: 0 }],
  'runs.resume': ({ waiting }) => [
    { run: waiting, by: 'ann', repin: false, addBudgets: { steps: 5 }, patienceMs: 0 },
  ],
  'runs.signal': ({ waiting }) => [waiting, 'news', {}, 'ann'],
  'runs.fork': ({ waiting }) => [waiting, 1, {}, 0],
  'approvals.approve': ({ waiting }) => [{ id: waiting, by: 'ann', answer: 'yes' }, 0],
  'approvals.deny': ({ waiting }) => [waiting, 'ann', 'no'],
};

const DRIVING = HTTP_ROUTES.filter(({ background }) => background).map(({ operation }) => operation);

describe('a command that the cluster refuses', () => {
  it.each<[Reply, string]>([
    ['forbidden', 'cluster.forbidden'],
    ['lost', 'cluster.unreachable'],
    ['no_worker', 'cluster.no_worker'],
  ])('records nothing, whichever operation it is (%s)', async (reply, code) => {
    const world = await openWorld();
    // Opens what an operation may record once, such as the known instructions.
    await world.oka.graphs.run(graphRequest({}) as never);
    world.restate.reply = () => reply;
    const head = await world.head();
    for (const operation of DRIVING) {
      const input = INPUTS[operation]?.(world);
      expect(input, `${operation} has no input in this test`).toBeDefined();
      const refused = await Promise.resolve(methodOf(world.oka, operation)(...(input ?? []))).then(
        () => 'accepted',
        (error: unknown) => (isOkaError(error) ? error.code : String(error)),
      );
      expect([operation, refused, await world.head()]).toEqual([operation, code, head]);
    }
  });

  it('cannot cancel a run with a wrong token, and can while Restate is away', async () => {
    const { oka, restate, waiting, head } = await openWorld();
    restate.reply = () => 'forbidden';
    const before = await head();
    await expect(oka.runs.cancel(waiting, 'ann', 'enough')).rejects.toMatchObject({
      code: 'cluster.forbidden',
    });
    expect(await head()).toBe(before);
    restate.reply = () => 'lost';
    expect(await oka.runs.cancel(waiting, 'ann', 'enough')).toMatchObject({ run: { id: waiting } });
    expect(await head()).toBeGreaterThan(before);
  });
});

describe('a start with a key', () => {
  it('is accepted when its message is lost, and a retry gets the same run', async () => {
    const { oka, restate, warnings, runs } = await openWorld();
    restate.reply = (target) => (target.includes('oka_run') ? 'lost' : 'ok');
    const before = await runs();
    const first = await oka.graphs.run(graphRequest({ n: 1 }, 'order 7') as never);
    expect(first.run.status).toBe('pending');
    expect(warnings.join('\n')).toContain(`Run ${first.run.id} is accepted`);
    const second = await oka.graphs.run(graphRequest({ n: 1 }, 'order 7') as never);
    expect(second.run.id).toBe(first.run.id);
    expect(await runs()).toHaveLength(before.length + 1);
    await expect(oka.graphs.run(graphRequest({ n: 2 }, 'order 7') as never)).rejects.toMatchObject({
      code: 'engine.key_reused',
    });
  });

  it('creates exactly the runs that were accepted, whatever the cluster answers and however often it is retried', async () => {
    const world = await openWorld();
    const existing = (await world.runs()).length;
    const accepted = new Map<string, string>();
    const reply = fc.constantFrom<Reply>('ok', 'forbidden', 'lost', 'no_worker');
    const start = fc.record({ key: fc.constantFrom('a', 'b', 'c', 'd', 'e'), check: reply, drive: reply });
    await fc.assert(
      fc.asyncProperty(fc.array(start, { minLength: 1, maxLength: 6 }), async (starts) => {
        for (const { key, check, drive } of starts) {
          world.restate.reply = (target) => (target.includes('oka_workers') ? check : drive);
          const id = await world.oka.graphs.run(graphRequest({ key }, key) as never).then(
            ({ run }) => run.id,
            () => undefined,
          );
          expect(id === undefined).toBe(check !== 'ok');
          if (id !== undefined) expect(accepted.get(key) ?? id).toBe(id);
          if (id !== undefined) accepted.set(key, id);
          expect((await world.runs()).length - existing).toBe(accepted.size);
        }
      }),
      { numRuns: 8 },
    );
  });
});
