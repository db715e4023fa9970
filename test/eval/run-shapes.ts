// Every shape of run that a workspace records. Each function records at least one run.
import { expect } from 'vitest';
import type { RunAnswer } from '../../src/api/index.ts';
import type { RecordedWorld } from './recorded-world.ts';

type Shape = (world: RecordedWorld, n: number) => Promise<void>;

const NO_MODEL = { model: 'none' };

async function chatTurn(world: RecordedWorld, n: number): Promise<void> {
  const stop = new AbortController();
  const done = new Promise<void>((resolve) => {
    void world.oka.chat
      .host({ agents: ['talker'], signal: stop.signal, onTurn: () => resolve() })
      .catch(() => resolve());
  });
  await world.oka.chat.send({ conversation: 'room', text: `@talker greet bed ${n}`, by: 'ann' });
  await done;
  stop.abort();
}

export const SHAPES: Readonly<Record<string, Shape>> = {
  'planned by rules': async (world, n) =>
    expectStatus(await world.do(`write a brief of the folder beds to BRIEF${n}.md`, NO_MODEL), 'completed'),
  'not understood': async (world) => expectStatus(await world.do('dance', NO_MODEL), 'failed'),
  'a question and an approval': async (world, n) => {
    world.put(`old${n}.txt`, 'old');
    expectStatus(
      await world.settle(await world.do(`delete the file old${n}.txt`, NO_MODEL), { answer: 'yes' }),
      'completed',
    );
  },
  'a deletion that a person denies': async (world) =>
    expectStatus(
      await world.settle(await world.do('delete the file b.txt', NO_MODEL), { deny: true }),
      'failed',
    ),
  'a model that writes': async (world) =>
    expectStatus(await world.do('write it down', { agent: 'writer' }), 'completed'),
  'a model whose call fails': async (world) =>
    expectStatus(await world.do('read it', { agent: 'failing' }), 'completed'),
  'a model that refuses': async (world) =>
    expectStatus(await world.do('do it', { agent: 'refused' }), 'failed'),
  'a model that asks': async (world) =>
    expectStatus(await world.settle(await world.do('water', { agent: 'asking' })), 'completed'),
  approved: async (world) =>
    expectStatus(await world.settle(await world.do('run it', { agent: 'runner' })), 'completed'),
  'approved with edited arguments': async (world) =>
    expectStatus(
      await world.settle(await world.do('run it', { agent: 'runner' }), { edit: { argv: ['cat', 'b.txt'] } }),
      'completed',
    ),
  'denied, and continued by the model': async (world) =>
    expectStatus(
      await world.settle(await world.do('run it', { agent: 'runner' }), { deny: true }),
      'completed',
    ),
  'denied, and ended': async (world) =>
    expectStatus(
      await world.settle(
        await world.oka.tools.call({ tool: 'process.run', input: { argv: ['cat', 'a.txt'] }, patienceMs: 0 }),
        { deny: true },
      ),
      'failed',
    ),
  expired: async (world) => {
    const { run } = await world.do('run it', { agent: 'runner' });
    world.clock.advance(3_700_000);
    expectStatus(await world.resume(run.id), 'failed');
  },
  'an MCP server': async (world) =>
    expectStatus(await world.settle(await world.do('send it', { agent: 'remote' })), 'completed'),
  'an unknown effect that was done': (world) => unknownEffect(world, 'done'),
  'an unknown effect that failed': (world) => unknownEffect(world, 'fail'),
  'an unknown effect that is retried': (world) => unknownEffect(world, 'retry'),
  'a skill': async (world) =>
    expectStatus(await world.do('use the skill', { agent: 'skilled' }), 'completed'),
  delegation: async (world) =>
    expectStatus(
      await world.settle(await world.do('let a graph do it', { agent: 'delegating' }), { children: true }),
      'completed',
    ),
  'a chat turn': chatTurn,
  'retries of the engine': async (world, n) =>
    expectStatus(
      await world.oka.tools.call({
        tool: 'http.fetch',
        input: { url: `${world.url}/flaky/e${n}/1` },
        patienceMs: 0,
      }),
      'completed',
    ),
  'retries of a node': async (world, n) =>
    expectStatus(await world.settle(await world.graph('retried', { id: `n${n}` })), 'completed'),
  'a branch and a substitute after failures': async (world) =>
    expectStatus(await world.graph('remedied'), 'completed'),
  'a map and a subgraph': async (world) =>
    expectStatus(await world.graph('each', { words: [{ word: 'one' }, { word: 'two' }] }), 'completed'),
  'a map with a failed item': async (world) => expectStatus(await world.graph('collected'), 'completed'),
  'a signal and a timer': async (world) => {
    const { run } = await world.graph('waits');
    await world.oka.runs.signal(run.id, 'rain', { mm: 3 }, 'ann');
    expectStatus(await world.settle(await world.oka.runs.show(run.id)), 'completed');
  },
  'an event that does not come': async (world) => {
    const { run } = await world.graph('waits');
    world.clock.advance(700_000);
    await world.resume(run.id);
    expectStatus(await world.settle(await world.oka.runs.show(run.id)), 'completed');
  },
  'a question of a graph and a model node': async (world, n) =>
    expectStatus(
      await world.settle(await world.graph('asks', { bed: `bed ${n}` }), { answer: 'yes' }),
      'completed',
    ),
  'an agent node': async (world) => expectStatus(await world.graph('works'), 'completed'),
  'an idempotency key that is used twice': async (world, n) => {
    await world.graph('once', { key: `k${n}` });
    expectStatus(await world.graph('once', { key: `k${n}` }), 'completed');
  },
  'a large output': async (world) => expectStatus(await world.graph('large'), 'completed'),
  'tasks planned by rules': async (world) =>
    expectStatus(await world.do('read a.txt, then read b.txt', NO_MODEL), 'completed'),
  'tasks planned by a model': async (world) =>
    expectStatus(
      await world.settle(await world.do('write two notes', { autonomy: 'guided' }), { children: true }),
      'completed',
    ),
  'tasks that are retried': async (world) =>
    expectStatus(
      await world.do('read missing.txt, then read b.txt', { ...NO_MODEL, autonomy: 'autonomous' }),
      'failed',
    ),
  'manual tasks': async (world) =>
    expectStatus(
      await world.settle(await world.do('read a.txt, then read b.txt', { ...NO_MODEL, autonomy: 'manual' }), {
        children: true,
      }),
      'completed',
    ),
  'a budget that is raised': async (world, n) => {
    const parked = await world.do(`write a brief of the folder beds to RAISED${n}.md`, {
      ...NO_MODEL,
      budgets: { steps: 4 },
    });
    expect(parked.run.waitingFor?.what).toBe('budget');
    expectStatus(await world.resume(parked.run.id, { steps: 50 }), 'completed');
  },
  'a model budget that is raised': async (world) => {
    const parked = await world.do('write it down', { agent: 'writer', budgets: { model_calls: 1 } });
    expect(parked.run.waitingFor?.what).toBe('budget');
    expectStatus(await world.resume(parked.run.id, { model_calls: 9 }), 'completed');
  },
  cancelled: async (world) => {
    const { run } = await world.do('run it', { agent: 'runner' });
    expectStatus(await world.oka.runs.cancel(run.id, 'ann', 'not now'), 'cancelled');
  },
  'cancelled while it waits for an event': async (world) => {
    const { run } = await world.graph('waits');
    expectStatus(await world.oka.runs.cancel(run.id, 'ann', 'not now'), 'cancelled');
  },
  'failed, and continued in a new run': async (world, n) => {
    const input = { url: `${world.url}/flaky/f${n}/4` };
    const failed = await world.oka.tools.call({ tool: 'http.fetch', input, patienceMs: 0 });
    expectStatus(failed, 'failed');
    expectStatus(await world.settle(await world.resume(failed.run.id)), 'completed');
  },
  forked: async (world) => {
    const { run } = await world.graph('keep', { word: 'forked' });
    expectStatus(await world.oka.runs.fork(run.id, 2, {}, 0), 'completed');
  },
  'undone and corrected': async (world, n) => {
    const { run } = await world.do(`write a brief of the folder beds to UNDONE${n}.md`, NO_MODEL);
    await world.oka.runs.correct(run.id, 'shorter', 'ann');
    await world.oka.runs.undo(run.id, 'ann', false);
  },
};

/** A call of a server that dies before it answers; a person says what happened. */
async function unknownEffect(world: RecordedWorld, answer: string): Promise<void> {
  world.forgetDeath();
  const asked = await world.oka.tools.call({ tool: 'mcp.notes.lose', input: {}, patienceMs: 0 });
  const [approval] = (await world.oka.approvals.list({ status: 'pending' })).filter(
    ({ run }) => run === asked.run.id,
  );
  await world.oka.approvals.approve({ id: approval?.id ?? '', by: 'ann' }, 0);
  const unknown = await world.oka.runs.show(asked.run.id);
  expect(unknown.run.waitingFor?.what).toBe('answer');
  expectStatus(await world.settle(unknown, { answer }), answer === 'fail' ? 'failed' : 'completed');
}

function expectStatus({ run }: Pick<RunAnswer, 'run'>, status: string): void {
  const { failure, waitingFor } = run;
  expect({ status: run.status, failure, waitingFor }).toEqual({ status, failure, waitingFor: undefined });
}
