import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import * as z from 'zod';
import { FileArtifactStore } from '../src/adapters/files/index.ts';
import { ProcessRecord } from '../src/adapters/processes/index.ts';
import { SqlRunStore, SqlScheduleStore } from '../src/adapters/sql/index.ts';
import { openDatabase, SqliteEventStore, SqliteTables } from '../src/adapters/sqlite/index.ts';
import type { TreeWatcher } from '../src/adapters/watcher/index.ts';
import type { TreeChange } from '../src/adapters/watcher/polling-watcher.ts';
import type { FiredItem } from '../src/api/index.ts';
import { chatProjection } from '../src/chat/index.ts';
import {
  Engine,
  LocalExecutionBackend,
  type RunState,
  runProjection,
  statusOf,
} from '../src/engine/index.ts';
import { compileGraph, graphKind, toStateGraph } from '../src/graph/index.ts';
import { OkaError, sortableIds } from '../src/kernel/index.ts';
import { Schedules } from '../src/runtime/schedules/schedules.ts';
import { scheduleProjection } from '../src/schedule/index.ts';
import { defineTool } from '../src/tools/define-tool.ts';
import { builtInTools } from '../src/tools/index.ts';
import { APPROVE_ALL } from './support/approve-all.ts';
import { ManualClock, settle } from './support/manual-clock.ts';
import { seededRandom } from './support/seeded-random.ts';
import { tempFolder } from './support/temp-folder.ts';

const MINUTE = 60_000;
const DAY = 86_400_000;
const MORNING = Date.parse('2026-01-05T08:00:00Z');

const start = { node_id: 'start', type: 'start', next: 'a' };
const end = { node_id: 'end', type: 'end' };
const GRAPHS: Readonly<Record<string, readonly object[]>> = {
  report: [
    start,
    { node_id: 'a', type: 'transform', expression: '{"firing": $origin, "got": $}', next: 'end' },
    { ...end, input: { firing: '{{run.origin_id}}', named: '{{vars.firing_id}}', got: '{{input}}' } },
  ],
  ask: [start, { node_id: 'a', type: 'approval', question: 'Go on?', next: 'end' }, end],
  nap: [start, { node_id: 'a', type: 'wait', seconds: 20, next: 'end' }, end],
  gate: [start, { node_id: 'a', type: 'tool', tool: 'test.gate', args: {}, next: 'end' }, end],
};

/** What several processes of a workspace share. */
class World {
  readonly folder = tempFolder();
  readonly clock = new ManualClock(MORNING);
  readonly alive = new Set<string>();
  /** What the tool `test.gate` does. */
  gate: () => unknown = () => 'passed';
  readonly watcher = new FakeWatcher();

  /** Lets things happen until it is so; a test that waits for what never comes runs out of its time. */
  async until(question: () => Promise<boolean> | boolean): Promise<void> {
    while (!(await question())) {
      // A timer that was set for a time that has passed meanwhile.
      this.clock.advance(0);
      await settle(1);
    }
  }
}

/** Tells the changes that a test makes up. */
class FakeWatcher implements TreeWatcher {
  readonly changed: TreeChange[] = [];
  roots: readonly string[] = [];
  looks = 0;
  notice: () => void = () => undefined;
  closed = false;

  async locate(path: string): Promise<string> {
    return path;
  }

  async changes(roots: readonly string[]): Promise<TreeChange | undefined> {
    this.roots = roots;
    this.looks += 1;
    return this.changed.shift();
  }

  onNotice(callback: () => void): void {
    this.notice = callback;
  }

  async close(): Promise<void> {
    this.closed = true;
  }
}

let processes = 0;

/** A process on the workspace: a connection, an engine and the schedules. */
function enter(world: World) {
  processes += 1;
  const self = `${processes}@here#1`;
  const { clock, folder, alive, watcher } = world;
  alive.add(self);
  const owners = { self, isAlive: (owner: string) => alive.has(owner) };
  const file = join(folder, 'oka.db');
  const database = openDatabase({ file, now: () => clock.now() });
  onTestFinished(() => database.close());
  const random = seededRandom(processes);
  const projections = [runProjection, scheduleProjection, chatProjection];
  const events = new SqliteEventStore({ database, file, projections, clock, random });
  if (!events.tables.isCurrent()) events.tables.ensure();
  const tables = new SqliteTables(database, file);
  const runs = new SqlRunStore(tables);
  const artifacts = new FileArtifactStore(join(folder, 'objects'), clock);
  const tools = [...builtInTools(), gateTool(world)];
  const engine = new Engine({ tools, kinds: [graphKind], events, runs, artifacts, clock, random, owners });
  const ledger = { tables, events, runs, schedules: new SqlScheduleStore(tables) };
  const troubles: string[] = [];
  const schedules = new Schedules({
    ledger: () => ledger,
    writable: async () => ledger,
    engine: async () => engine,
    backend: async () => new LocalExecutionBackend(engine),
    prepareRun: async (name, { input, vars, origin }) => {
      const graph = await toStateGraph(compiled(name), (used) => engine.storeGraph(used));
      const request = { kind: 'graph', goal: name, graph, subject: name, vars: { ...vars, input } };
      return engine.prepare(origin === undefined ? request : { ...request, origin });
    },
    leavesInterrupted: async () => false,
    trust: APPROVE_ALL,
    graphContent: () => null,
    requireGraph: async (name) => ({ id: compiled(name).definition.id }),
    answer: async (run) => ({
      run: { id: run.id, status: statusOf(run) } as never,
      output: run.output ?? null,
    }),
    watcher: () => watcher,
    record: new ProcessRecord(join(folder, 'run'), 'scheduler'),
    owners,
    clock,
    ids: sortableIds(clock, random),
    onWarning: (what) => troubles.push(what),
  });
  const newest = async (): Promise<RunState> => engine.load((await runs.list({ limit: 1 }))[0]?.id ?? '');
  return { self, engine, schedules, runs, store: ledger.schedules, newest, troubles };
}

function gateTool(world: World) {
  return defineTool({
    name: 'test.gate',
    description: 'does what the test says',
    input: z.json(),
    output: z.json(),
    annotations: { readOnly: true, destructive: false, idempotent: true, cacheable: false, risk: 'none' },
    sideEffect: 'read',
    handler: () => world.gate() as never,
  });
}

function compiled(name: string) {
  const nodes = GRAPHS[name];
  if (nodes === undefined) throw new OkaError('graph.unknown', `there is no graph ${name}.`);
  const tools = [...builtInTools(), gateTool(new Object() as World)];
  const { graph, diagnostics } = compileGraph(
    {
      id: name,
      name,
      version: 1,
      start: 'start',
      execution_defaults: { guarantee_mode: 'bounded', timeout_seconds: 3_600, max_retries: 0 },
      nodes,
    },
    {
      tools: {
        names: () => tools.map((tool) => tool.name),
        find: (wanted) => {
          const tool = tools.find((one) => one.name === wanted);
          const { idempotent = true, readOnly = true } = tool?.annotations ?? {};
          return tool && { name: wanted, idempotent, readOnly, inputSchema: () => tool.input.json() };
        },
      },
    },
  );
  if (graph === undefined) throw new Error(JSON.stringify(diagnostics));
  return graph;
}

const EVERY_MINUTE = { cron: '* * * * *', zone: 'UTC', by: 'me' } as const;

describe('a schedule', () => {
  it('fires when it is due, and its run knows the firing and the input', async () => {
    const world = new World();
    const { schedules, newest } = enter(world);
    const added = await schedules.add({
      graph: 'report',
      cron: '30 8 * * *',
      zone: 'UTC',
      input: { n: 1 },
      by: 'me',
    });
    expect(added).toMatchObject({ id: 'report-1', graph: 'report', enabled: true, misfire: 'one' });
    expect(added.next[0]).toBe(MORNING + 30 * MINUTE);
    expect(await schedules.tick({ drive: true })).toEqual({ fired: [], failures: [] });
    world.clock.advance(30 * MINUTE);
    const { fired, failures } = await schedules.tick({ drive: true });
    const firing = 'report-1@2026-01-05T08:30:00.000Z';
    expect({ fired, failures }).toMatchObject({ fired: [{ schedule: 'report-1', firing }], failures: [] });
    const run = await newest();
    expect(run.output).toEqual({ firing, named: firing, got: { n: 1 } });
    expect(await schedules.list()).toMatchObject([{ lastRun: run.id, lastFiredAt: world.clock.now() }]);
  });

  it('fires once, however many ticks run in however many processes', async () => {
    const world = new World();
    const [one, other] = [enter(world), enter(world)];
    await one.schedules.add({ graph: 'report', ...EVERY_MINUTE });
    world.clock.advance(MINUTE);
    const answers = await Promise.all(
      [one, other, one].map(({ schedules }) => schedules.tick({ drive: true })),
    );
    expect(answers.flatMap(({ fired }) => fired)).toHaveLength(1);
    expect((await one.schedules.tick({ drive: true })).fired).toEqual([]);
    expect(await one.runs.list({})).toMatchObject([{ status: 'completed' }]);
  });

  it('catches up on the latest missed firing, and records how many it skipped', async () => {
    const world = new World();
    const { schedules, store } = enter(world);
    await schedules.add({ graph: 'report', cron: '0 9 * * *', zone: 'UTC', by: 'me' });
    world.clock.advance(5 * DAY);
    expect((await schedules.tick({ drive: true })).fired).toHaveLength(1);
    expect(await store.firings('report-1', 9)).toMatchObject([
      { status: 'fired', why: 'late', plannedAt: MORNING + 4 * DAY + 60 * MINUTE },
      { status: 'skipped', why: 'misfire', count: 4 },
    ]);
  });

  it('lists its planned times with their results, runs and reasons', async () => {
    const world = new World();
    const { schedules, newest } = enter(world);
    await schedules.add({ graph: 'report', cron: '0 9 * * *', zone: 'UTC', by: 'me' });
    world.clock.advance(5 * DAY);
    await schedules.tick({ drive: true });
    const { id: run } = await newest();
    const last = MORNING + 4 * DAY + 60 * MINUTE;
    expect(await schedules.firings('report-1', 9)).toEqual([
      expect.objectContaining({ status: 'fired', why: 'late', plannedAt: last, until: last, count: 1, run }),
      expect.objectContaining({ status: 'skipped', why: 'misfire', count: 4 }),
    ]);
    expect(await schedules.firings('report-1', 1)).toHaveLength(1);
    await expect(schedules.firings('report-2', 9)).rejects.toMatchObject({ code: 'schedule.unknown' });
  });

  it('is previewed in its zone before it is added, with a note whether there is more', async () => {
    const { schedules } = enter(new World());
    const daily = { cron: '0 7 * * *', zone: 'Europe/Berlin' };
    expect(await schedules.preview({ ...daily, limit: 2 })).toEqual({
      next: ['2026-01-06T06:00:00Z', '2026-01-07T06:00:00Z'].map(Date.parse),
      more: true,
    });
    const until = MORNING + 2 * DAY;
    expect(await schedules.preview({ ...daily, until, limit: 9 })).toMatchObject({ more: false });
    expect((await schedules.preview({ cron: '0 0 1 1 *', until, limit: 3_000 })).next).toEqual([]);
    await expect(schedules.preview({ cron: '0 9 31 2 *', limit: 1 })).rejects.toMatchObject({
      code: 'schedule.never_fires',
    });
    await expect(schedules.preview({ ...daily, zone: 'Mars', limit: 1 })).rejects.toMatchObject({
      code: 'schedule.unknown_zone',
    });
  });

  it('does not fire until its run has ended, also while that waits for a person', async () => {
    const world = new World();
    const { schedules, store, engine, newest } = enter(world);
    await schedules.add({ graph: 'ask', ...EVERY_MINUTE });
    world.clock.advance(MINUTE);
    await schedules.tick({ drive: true });
    const asking = await newest();
    expect(asking.waiting?.for).toBe('answer');
    world.clock.advance(MINUTE);
    expect((await schedules.tick({ drive: true })).fired).toEqual([]);
    expect(await store.firings('ask-1', 1)).toMatchObject([{ status: 'skipped', why: 'overlap' }]);
    await engine.decide((asking.waiting as { id: string }).id, { kind: 'answer', answer: 'yes' }, 'ann');
    world.clock.advance(MINUTE);
    await schedules.tick({ drive: true });
    expect((await engine.load(asking.id)).output).toMatchObject({ answer: 'yes' });
  });

  it('fires manually even if it is disabled, and returns the run', async () => {
    const world = new World();
    const { schedules } = enter(world);
    await schedules.add({ graph: 'report', ...EVERY_MINUTE });
    expect(await schedules.disable('report-1', 'me')).toMatchObject({ enabled: false, next: [] });
    world.clock.advance(10 * MINUTE);
    expect((await schedules.tick({ drive: true })).fired).toEqual([]);
    const { run, output } = await schedules.trigger('report-1', 'me', 0);
    expect(run.status).toBe('completed');
    expect(output).toMatchObject({ firing: expect.stringMatching(/^report-1!/) });
    expect(await schedules.enable('report-1', 'me')).toMatchObject({ enabled: true });
    await schedules.delete('report-1', 'me');
    expect(await schedules.list()).toEqual([]);
    await expect(schedules.enable('report-1', 'me')).rejects.toMatchObject({ code: 'schedule.unknown' });
  });

  it('is refused for a missing graph, and with no trigger or two', async () => {
    const { schedules } = enter(new World());
    const refused = (request: object) => schedules.add({ graph: 'report', by: 'me', ...request });
    await expect(refused({ graph: 'gone', cron: '@daily' })).rejects.toMatchObject({ code: 'graph.unknown' });
    await expect(refused({})).rejects.toMatchObject({ code: 'schedule.invalid' });
    await expect(refused({ cron: '@daily', onChange: 'docs' })).rejects.toMatchObject({
      code: 'schedule.invalid',
    });
    await expect(refused({ cron: '61 * * * *' })).rejects.toMatchObject({ code: 'schedule.invalid_cron' });
    expect(await schedules.list()).toEqual([]);
  });
});

describe('a tick', () => {
  it('drives fired runs that were left behind, in any process', async () => {
    const world = new World();
    const dead = enter(world);
    await dead.schedules.add({ graph: 'report', ...EVERY_MINUTE, overlap: 'allow', misfire: 'all' });
    world.clock.advance(3 * MINUTE);
    expect((await dead.schedules.tick({ drive: false })).fired).toHaveLength(3);
    expect((await dead.runs.list({})).map(({ status }) => status)).toEqual(['pending', 'pending', 'pending']);
    const next = enter(world);
    expect(await next.schedules.tick({ drive: true })).toEqual({ fired: [], failures: [] });
    const ended = await next.runs.list({});
    expect(ended.map(({ status }) => status)).toEqual(['completed', 'completed', 'completed']);
  });

  it('leaves a run to the process that drives it, until that process is dead', async () => {
    const world = new World();
    const [one, other] = [enter(world), enter(world)];
    await one.schedules.add({ graph: 'gate', ...EVERY_MINUTE });
    world.clock.advance(MINUTE);
    let arrived = 0;
    world.gate = () => {
      arrived += 1;
      return arrived === 1 ? new Promise(() => undefined) : 'passed';
    };
    void one.schedules.tick({ drive: true });
    await world.until(() => arrived === 1);
    expect(await other.schedules.tick({ drive: true })).toEqual({ fired: [], failures: [] });
    expect(arrived).toBe(1);
    world.alive.delete(one.self);
    await other.schedules.tick({ drive: true });
    expect(await other.runs.list({})).toMatchObject([{ status: 'completed' }]);
  });

  it('resumes no paused run and retries no failed one', async () => {
    const world = new World();
    const { schedules, engine, runs } = enter(world);
    await schedules.add({ graph: 'report', ...EVERY_MINUTE });
    world.clock.advance(MINUTE);
    const { fired } = await schedules.tick({ drive: false });
    await engine.pause(fired[0]?.run ?? '', 'ann');
    await schedules.tick({ drive: true });
    expect(await runs.list({})).toMatchObject([{ status: 'paused' }]);

    await schedules.add({ graph: 'gate', ...EVERY_MINUTE });
    world.gate = () => {
      throw new OkaError('test.broken', 'it is broken.');
    };
    await schedules.trigger('gate-1', 'me', 0);
    await schedules.tick({ drive: true });
    expect(await runs.list({ status: 'failed' })).toHaveLength(1);
    expect(await runs.list({})).toHaveLength(2);
  });
});

/** A loop that a test watches and stops at its end. */
function looping({ schedules, engine }: ReturnType<typeof enter>) {
  const stop = new AbortController();
  const fired: FiredItem[] = [];
  const ended = schedules.loop(stop.signal, (item) => fired.push(item));
  onTestFinished(async () => {
    stop.abort();
    await engine.close();
    await ended.catch(() => undefined);
  });
  return { stop, fired, ended };
}

describe('the loop', () => {
  it('fires due schedules and drives their runs until it is stopped', async () => {
    const world = new World();
    const one = enter(world);
    await one.schedules.add({ graph: 'report', ...EVERY_MINUTE });
    const { stop, fired, ended } = looping(one);
    const record = new ProcessRecord(join(world.folder, 'run'), 'scheduler');
    await world.until(() => record.read() !== undefined);
    for (let minute = 1; minute <= 3; minute++) {
      await settle();
      world.clock.advance(MINUTE);
      await world.until(async () => (await one.runs.list({ status: 'completed' })).length === minute);
    }
    expect(fired.map(({ schedule }) => schedule)).toEqual(['report-1', 'report-1', 'report-1']);
    stop.abort();
    await ended;
    expect(record.read()).toBeUndefined();
    expect(one.troubles).toEqual([]);
  });

  it('ends at once when it is stopped before it starts, and releases the lease', async () => {
    const { schedules } = enter(new World());
    await schedules.loop(AbortSignal.abort(), () => {});
    expect(await schedules.process()).toBeUndefined();
  });

  it('runs in one process per workspace; a second one is refused with its name, until the first stops or dies', async () => {
    const world = new World();
    const [one, other, third] = [enter(world), enter(world), enter(world)];
    const first = looping(one);
    const record = new ProcessRecord(join(world.folder, 'run'), 'scheduler');
    await world.until(() => record.read() !== undefined);
    const data = { owner: one.self, pid: Number.parseInt(one.self, 10), startedAt: MORNING };
    const refusal = { code: 'schedule.not_started', data };
    await expect(other.schedules.loop(new AbortController().signal, () => {})).rejects.toMatchObject(refusal);
    expect(await other.schedules.process()).toMatchObject(data);
    first.stop.abort();
    await first.ended;
    expect(await other.schedules.process()).toBeUndefined();
    looping(other);
    await world.until(() => record.read()?.owner === other.self);
    world.alive.delete(other.self);
    looping(third);
    await world.until(() => record.read()?.owner === third.self);
  });

  it('ends when another process has taken its lease', async () => {
    const world = new World();
    const [one, other] = [enter(world), enter(world)];
    const { ended } = looping(one);
    const record = new ProcessRecord(join(world.folder, 'run'), 'scheduler');
    await world.until(() => record.read() !== undefined);
    world.alive.delete(one.self);
    looping(other);
    await world.until(() => record.read()?.owner === other.self);
    const refused = expect(ended).rejects.toMatchObject({ code: 'schedule.not_started' });
    await settle();
    world.clock.advance(MINUTE);
    await refused;
    expect(record.read()?.owner).toBe(other.self);
  });

  it('resumes a run that a crash interrupted, and a run whose timer is due', async () => {
    const world = new World();
    const dead = enter(world);
    await dead.schedules.add({ graph: 'nap', ...EVERY_MINUTE });
    world.clock.advance(MINUTE);
    await dead.schedules.tick({ drive: false });
    world.alive.delete(dead.self);
    world.clock.advance(5_000);
    const one = enter(world);
    looping(one);
    await world.until(async () => (await one.newest()).waiting?.for === 'outcome');
    const sleeper = await one.newest();
    await settle();
    world.clock.advance(20_000);
    await world.until(async () => statusOf(await one.engine.load(sleeper.id)) === 'completed');
  });

  it('fires a queued firing as soon as the run before it has ended', async () => {
    const world = new World();
    const one = enter(world);
    let pass: (() => void) | undefined;
    world.gate = () =>
      pass === undefined
        ? new Promise((resolve) => {
            pass = () => resolve('passed');
          })
        : 'passed';
    await one.schedules.add({ graph: 'gate', ...EVERY_MINUTE, overlap: 'queue' });
    const { fired } = looping(one);
    await settle();
    world.clock.advance(MINUTE);
    await world.until(() => pass !== undefined);
    await settle();
    world.clock.advance(MINUTE);
    await world.until(async () => (await one.store.get('gate-1'))?.queued !== undefined);
    expect(fired).toHaveLength(1);
    pass?.();
    await world.until(() => fired.length === 2);
    expect(world.clock.now()).toBe(MORNING + 2 * MINUTE);
  });

  it('fires once per change, for each schedule that watches the path', async () => {
    const world = new World();
    const one = enter(world);
    for (const onChange of ['', 'docs', 'src'])
      await one.schedules.add({ graph: 'report', onChange, by: 'me' });
    const { fired } = looping(one);
    await world.until(() => world.watcher.roots.length === 3);
    world.watcher.changed.push({ paths: ['docs/a.md'], digest: 'd1' });
    await settle();
    world.clock.advance(2_000);
    await world.until(() => fired.length === 2);
    expect(fired.map(({ firing }) => firing).toSorted()).toEqual(['report-1#d1', 'report-2#d1']);
    await world.until(async () => (await one.runs.list({ status: 'completed' })).length === 2);
  });

  it('checks at once when the watcher reports a change, and closes the watcher at the end', async () => {
    const world = new World();
    const one = enter(world);
    await one.schedules.add({ graph: 'report', onChange: 'docs', by: 'me' });
    const { fired, stop, ended } = looping(one);
    await world.until(() => world.watcher.roots.length === 1);
    const began = world.clock.now();
    world.watcher.changed.push({ paths: ['docs/a.md'], digest: 'd1' });
    world.watcher.notice();
    await world.until(() => fired.length === 1);
    expect(world.clock.now()).toBe(began);
    await world.until(async () => (await one.runs.list({ status: 'completed' })).length === 1);
    expect(world.watcher.closed).toBe(false);
    stop.abort();
    await one.engine.close();
    await ended;
    expect(world.watcher.closed).toBe(true);
  });

  it('sees a schedule that another process adds without waiting for its next tick', async () => {
    const world = new World();
    const [one, other] = [enter(world), enter(world)];
    const { fired } = looping(one);
    await world.until(() => world.watcher.looks === 1);
    await other.schedules.add({ graph: 'report', cron: '*/5 * * * * *', zone: 'UTC', by: 'me' });
    world.clock.advance(2_000);
    await world.until(() => world.watcher.looks === 2);
    world.clock.advance(3_000);
    await world.until(() => fired.length === 1);
    expect(fired).toMatchObject([{ firing: 'report-1@2026-01-05T08:00:05.000Z' }]);
  });
});
