import { mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { isOkaError } from '../../src/kernel/index.ts';
import type { Commit, EventStore } from '../../src/ledger/index.ts';
import type { Oka } from '../../src/runtime/index.ts';
import { defineGraph } from '../support/graph-kit.ts';
import { ShiftedClock } from '../support/shifted-clock.ts';
import { eventsOf, factsOf, maintain } from './maintained-workspace.ts';
import { DAY_MS, pursue, RetainedWorkspace, runsOf } from './retained-workspace.ts';

/** Writes a file under a key that does not change from run to run. */
const WRITE_ONCE = defineGraph(
  [
    { node_id: 'start', type: 'start', next: 'write' },
    {
      node_id: 'write',
      type: 'tool',
      tool: 'files.write',
      args: { path: 'out.txt', content: 'written once' },
      idempotency_key: 'always-the-same',
      next: 'end',
    },
    { node_id: 'end', type: 'end' },
  ],
  { id: 'once' },
);

async function opened(retention: object) {
  const place = new RetainedWorkspace();
  const clock = new ShiftedClock();
  const oka = place.open({ clock });
  await oka.init({ trust: true });
  place.retain(retention);
  return { place, clock, oka };
}

async function expectSound(oka: Oka): Promise<void> {
  expect((await oka.ledger.verify({ full: true })).faults).toEqual([]);
}

function runGraph(oka: Oka, graph: string) {
  return oka.graphs.run({ graph, input: null, vars: {}, simulate: false, budgets: {}, patienceMs: 0 });
}

function artifactsIn(place: RetainedWorkspace): readonly string[] {
  return readdirSync(place.path('objects'), { recursive: true, withFileTypes: true })
    .filter((file) => file.isFile())
    .map(({ name }) => name);
}

describe('retention of runs', () => {
  it('archives finished runs that ended long enough ago, and says what went', async () => {
    const { place, clock, oka } = await opened({ runs: '90d' });
    const old = await pursue(oka, 'write "an old secret" to out.txt');
    const waiting = await pursue(oka, 'wait for the event "go"');
    clock.advance(60 * DAY_MS);
    const young = await pursue(oka);
    clock.advance(40 * DAY_MS);
    const before = await eventsOf(oka);
    const would = await oka.maintenance.maintain({ dryRun: true });
    expect(would.report?.retention).toMatchObject({ archivedRuns: 1, erasedEpisodes: 0 });
    expect(would.report?.retention.freedBytes).toBeGreaterThan(0);
    expect(await eventsOf(oka)).toBe(before);

    const done = await maintain(oka);
    expect(done).toMatchObject({ outcome: 'done', report: { retention: would.report?.retention ?? {} } });
    expect(await runsOf(oka)).toEqual([waiting, young].sort());
    expect(readFileSync(place.path('run_ledger.jsonl'), 'utf8')).not.toContain('an old secret');
    expect(JSON.stringify(place.files())).not.toContain(old);
    await expectSound(oka);
    expect(await maintain(oka)).toEqual({ outcome: 'nothing_changed' });
    const day = new Date(clock.now()).toISOString().slice(0, 10);
    for (const asked of [oka.runs.explain(old), oka.runs.show(old)])
      await expect(asked).rejects.toSatisfy(
        (error) =>
          isOkaError(error, 'engine.run_archived') &&
          error.message.includes(day) &&
          error.message.includes('retention'),
      );
    expect(await oka.runs.signal(waiting, 'go', null, 'me')).toMatchObject({ run: { status: 'completed' } });
    await expectSound(oka);
  });

  it('leaves tables that a rebuild from the mirror makes again, and deletes artifacts that nothing names', async () => {
    const { place, clock, oka } = await opened({ runs: '7d', episodes: '7d' });
    await pursue(oka, 'write "an old text" to out.txt');
    await oka.memory.recordEpisodes([{ text: 'said long ago', conversation: 'talk' }], 'me');
    const stored = artifactsIn(place);
    clock.advance(8 * DAY_MS);
    await pursue(oka);
    const { retention } = (await maintain(oka)).report ?? {};
    const left = new Set(artifactsIn(place));
    expect(retention?.deletedArtifacts).toBeGreaterThan(0);
    expect(stored.filter((name) => !left.has(name)).length).toBe(retention?.deletedArtifacts);
    await oka.close();
    const tables = place.tables();
    const again = place.open({ clock });
    await again.ledger.rebuild('mirror');
    await expectSound(again);
    await again.close();
    expect(place.tables()).toEqual(tables);
  });

  it('does not touch the mirror when nothing is due', async () => {
    const { place, clock, oka } = await opened({ runs: '90d', episodes: '90d' });
    await pursue(oka);
    await maintain(oka);
    const file = statSync(place.path('run_ledger.jsonl')).ino;
    clock.advance(DAY_MS);
    await pursue(oka);
    expect((await maintain(oka)).report?.retention).toEqual({
      archivedRuns: 0,
      erasedEpisodes: 0,
      deletedArtifacts: 0,
      freedBytes: 0,
    });
    expect(statSync(place.path('run_ledger.jsonl')).ino).toBe(file);
  });

  it('archives runs of a schedule by the shorter period, and still does their keyed effects once', async () => {
    const { place, clock, oka } = await opened({ runs: '90d', scheduled_runs: '14d' });
    mkdirSync(place.path('graphs'), { recursive: true });
    writeFileSync(place.path('graphs/once.json'), JSON.stringify(WRITE_ONCE));
    const byHand = await pursue(oka);
    const schedule = await oka.graphs.schedules.add({ graph: 'once', cron: '0 0 1 1 *', by: 'me' });
    const { run } = await oka.graphs.schedules.trigger(schedule.id, 'me', 0);
    expect(run.status).toBe('completed');
    clock.advance(15 * DAY_MS);
    expect((await maintain(oka)).report?.retention.archivedRuns).toBe(1);
    expect(await runsOf(oka)).toEqual([byHand]);
    writeFileSync(join(place.workspace, 'out.txt'), 'changed by hand');
    expect((await runGraph(oka, 'once')).run.failure?.message).toContain('idempotency key');
    expect(readFileSync(join(place.workspace, 'out.txt'), 'utf8')).toBe('changed by hand');
    expect((await oka.graphs.schedules.list())[0]?.id).toBe(schedule.id);
    await expectSound(oka);
  });

  it('keeps runs that a fact names, and failed runs together with what continues them', async () => {
    const { clock, oka } = await opened({ runs: '30d' });
    const told = await pursue(oka, 'read main.js. Remember that the release is on Friday.');
    const failed = await pursue(oka, 'read no-such-file.txt');
    const forked = await pursue(oka);
    await maintain(oka);
    expect(await factsOf(oka)).toEqual(['the release is on Friday']);
    clock.advance(20 * DAY_MS);
    const resume = { run: failed, by: 'me', repin: false, addBudgets: {}, patienceMs: 0 };
    const { run: continuation } = await oka.runs.resume(resume);
    const { run: fork } = await oka.runs.fork(forked, 1, {}, 0);
    expect(continuation).toMatchObject({ resumedFrom: failed });
    clock.advance(20 * DAY_MS);
    await maintain(oka);
    const kept = [told, failed, continuation.id, forked, fork.id].sort();
    expect(await runsOf(oka)).toEqual(kept);
    clock.advance(20 * DAY_MS);
    await maintain(oka);
    expect(await runsOf(oka)).toEqual([told]);
    const [fact] = await oka.memory.listFacts({ limit: 1 });
    await oka.memory.deleteFact(fact?.id as string, 'me');
    await maintain(oka);
    expect(await runsOf(oka)).toEqual([]);
    await expectSound(oka);
  });

  it('keeps the newest runs if so configured', async () => {
    const { clock, oka } = await opened({ runs: '1d', keep_last: 2 });
    const runs: string[] = [];
    for (let i = 0; i < 4; i++) {
      runs.push(await pursue(oka));
      clock.advance(DAY_MS);
    }
    clock.advance(DAY_MS);
    await maintain(oka);
    expect(await runsOf(oka)).toEqual(runs.slice(2).sort());
  });

  it('removes runs of maintenance as well, without running for their sake alone', async () => {
    const { clock, oka } = await opened({ runs: '30d' });
    await pursue(oka);
    const first = (await maintain(oka)).run?.id as string;
    clock.advance(31 * DAY_MS);
    const second = (await maintain(oka)).run?.id as string;
    const runs = async () => (await oka.runs.list({ limit: 9 })).map(({ id }) => id);
    expect(await runs()).toEqual([second]);
    await expect(oka.runs.show(first)).rejects.toThrow('retention');
    clock.advance(31 * DAY_MS);
    expect(await maintain(oka)).toEqual({ outcome: 'nothing_changed' });
    expect(await runs()).toEqual([second]);
  });

  it('keeps everything that policy keeps it from, and says so', async () => {
    const { place, clock, oka } = await opened({ runs: '1d' });
    const run = await pursue(oka);
    clock.advance(2 * DAY_MS);
    const rules = '| match | decision | why |\n|---|---|---|\n| maintenance.retain | deny | audit |\n';
    writeFileSync(place.path('POLICY.md'), `# Policy\n\n${rules}`);
    const refused = await maintain(oka);
    expect(refused.run?.failure?.message).toContain('maintenance.retain');
    expect(await runsOf(oka)).toEqual([run]);
  });

  it('is done by one of two calls at once, and oka ledger gc refuses meanwhile', async () => {
    const { place, clock, oka } = await opened({ runs: '1d' });
    await pursue(oka);
    await oka.close();
    clock.advance(2 * DAY_MS);
    const refusals: unknown[] = [];
    /** Collects garbage in the middle of maintenance: when its run has just begun. */
    const wrapEvents = (store: EventStore): EventStore =>
      Object.assign(Object.create(store) as EventStore, {
        commit: async (commit: Commit) => {
          if (commit.appends[0]?.events[0]?.type === 'run.started')
            await again.ledger
              .gc({ dryRun: false, archiveOlderThanMs: 0, by: 'me' })
              .catch((error: unknown) => refusals.push(error));
          return store.commit(commit);
        },
        ...bound(store, ['read', 'readAfter', 'end', 'head', 'sync', 'waitForCapacity', 'subscribe']),
      });
    const again = place.open({ clock, wrapEvents });
    const answers = await Promise.all([maintain(again), maintain(again)]);
    expect(answers.map(({ outcome }) => outcome).sort()).toEqual(['busy', 'done']);
    expect(refusals).toMatchObject([{ code: 'ledger.busy' }]);
    expect(await runsOf(again)).toEqual([]);
    await expectSound(again);
  });
});

/** Methods of a store that keep their own `this`. */
function bound<Name extends keyof EventStore>(store: EventStore, names: readonly Name[]): object {
  return Object.fromEntries(
    names.map((name) => [name, (store[name] as (...args: unknown[]) => unknown).bind(store)]),
  );
}

describe('retention of episodes', () => {
  it('erases what was recorded long enough ago, and leaves the facts that came of it', async () => {
    const { place, clock, oka } = await opened({ episodes: '365d' });
    const turn = { conversation: 'c', source: 'person:ada' };
    await oka.memory.recordEpisodes([{ text: 'I prefer short answers.', ...turn }], 'ada');
    await maintain(oka);
    clock.advance(300 * DAY_MS);
    const long = 1_000 * DAY_MS;
    await oka.memory.recordEpisodes([{ text: 'brought in', at: clock.now() - long, ...turn }], 'ada');
    clock.advance(100 * DAY_MS);
    expect((await oka.maintenance.maintain({ dryRun: true })).report?.retention.erasedEpisodes).toBe(1);
    expect((await maintain(oka)).report?.retention).toMatchObject({ archivedRuns: 0, erasedEpisodes: 1 });
    expect((await oka.memory.stats()).episodes).toBe(1);
    expect(await factsOf(oka)).toEqual(['I prefer short answers']);
    const mirror = readFileSync(place.path('run_ledger.jsonl'), 'utf8');
    expect(mirror).not.toContain('I prefer short answers.');
    expect(mirror).toContain('brought in');
    const { hits } = await oka.memory.retrieve({ query: 'short answers', limit: 5 });
    expect(hits.map(({ text }) => text)).toEqual(['I prefer short answers']);
    await expectSound(oka);
    await maintain(oka);
    expect(await factsOf(oka)).toEqual(['I prefer short answers']);
    clock.advance(300 * DAY_MS);
    await maintain(oka);
    expect((await oka.memory.stats()).episodes).toBe(0);
  });

  it('erases nothing where nothing is configured', async () => {
    const { clock, oka } = await opened({});
    await oka.memory.recordEpisodes([{ text: 'a turn' }], 'me');
    const run = await pursue(oka);
    await maintain(oka);
    clock.advance(1_000 * DAY_MS);
    expect(await maintain(oka)).toEqual({ outcome: 'nothing_changed' });
    expect(await runsOf(oka)).toEqual([run]);
  });
});
