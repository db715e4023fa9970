import { describe, expect, it } from 'vitest';
import {
  call,
  effectTool,
  finish,
  makeEngine,
  openApproval,
  plannerOf,
  readTool,
  scripted,
  WORK_GRAPH,
} from '../../test/support/engine-kit.ts';
import { settle } from '../../test/support/manual-clock.ts';
import { MemoryEventStore } from '../ledger/index.ts';
import { Engine } from './engine.ts';
import { MemoryRunStore } from './memory-stores.ts';
import type { Planner } from './planner.ts';
import { runProjection } from './run-projection.ts';
import { statusOf } from './run-state.ts';
import { StateGraph } from './state-graph.ts';
import type { Decision } from './types.ts';

const look = readTool('look', () => ({ seen: 1 }));
const act = effectTool('act', () => 'acted');
const run = { kind: 'test', goal: 'a goal' };

describe('steering', () => {
  it('pauses a run at its next step and resumes it', async () => {
    let release: (() => void) | undefined;
    const gate = readTool(
      'gate',
      () =>
        new Promise((resolve) => {
          release = () => resolve('open');
        }),
    );
    const { engine } = makeEngine(scripted(call('gate'), finish()), [gate]);
    const going = engine.run({ ...run, id: 'r1' });
    await settle();
    await engine.pause('r1', 'ann');
    release?.();
    expect(statusOf(await going)).toBe('paused');
    expect(statusOf(await engine.resume('r1'))).toBe('completed');
  });

  it('cancels a run in the middle of a call', async () => {
    let aborted = false;
    const gate = readTool(
      'gate',
      (_, context) =>
        new Promise((_, reject) => {
          context.signal.addEventListener('abort', () => {
            aborted = true;
            reject(new Error('stopped'));
          });
        }),
    );
    const { engine, clock } = makeEngine(scripted(call('gate'), finish()), [gate]);
    const going = engine.run({ ...run, id: 'r1' });
    await settle();
    await engine.cancel('r1', 'ann', 'enough');
    clock.advance(300);
    const ended = await going;
    expect(aborted).toBe(true);
    expect(statusOf(ended)).toBe('cancelled');
  });

  it('releases runs when the engine closes, and another engine resumes them', async () => {
    const clock = undefined;
    let release: (() => void) | undefined;
    const gate = readTool(
      'gate',
      () =>
        new Promise((resolve) => {
          release = () => resolve('open');
        }),
    );
    const { engine } = makeEngine(scripted(call('gate'), call('look'), finish()), [gate, look], {
      ...(clock ?? {}),
    });
    const going = engine.run({ ...run, id: 'r1' });
    await settle();
    const closing = engine.close();
    release?.();
    await closing;
    expect(statusOf(await going)).toBe('pending');
    const other = makeEngine(scripted(call('gate'), call('look'), finish()), [gate, look], {
      events: engine.parts.events,
      runs: engine.parts.runs,
    }).engine;
    const again = other.resume('r1');
    await settle();
    release?.();
    expect(statusOf(await again)).toBe('completed');
  });

  it('continues a failed run from its last good point, in a new run that links back', async () => {
    let broken = true;
    const fragile = effectTool('fragile', () => {
      if (broken) throw new Error('broken');
      return 'fine';
    });
    const planner = plannerOf((input) => {
      const last = input.evidence.at(-1);
      if (last?.failure) return { kind: 'fail', reason: last.failure.message, rationale: 'it failed' };
      return last === undefined ? call('look') : last.tool === 'look' ? call('fragile') : finish(last.output);
    });
    const { engine } = makeEngine(planner, [look, fragile]);
    const failed = await engine.run(run);
    expect(statusOf(failed)).toBe('failed');
    broken = false;
    const again = await engine.resume(failed.id);
    expect(again.id).not.toBe(failed.id);
    expect(again).toMatchObject({ output: 'fine', lineage: { resumedFrom: failed.id, origin: failed.id } });
    expect(again.used.steps).toBeGreaterThan(failed.used.steps ?? 0);
    expect(statusOf(await engine.load(failed.id))).toBe('failed');
  });

  it('forks from any step with changed variables', async () => {
    const planner = plannerOf((input) =>
      input.evidence.length < 2 ? call('look', { n: input.evidence.length }) : finish(input.vars),
    );
    const { engine } = makeEngine(planner, [look]);
    const first = await engine.run({ ...run, vars: { a: 1, b: 1 } });
    const fork = await engine.fork(first.id, 2, { b: 2 });
    const done = await engine.resume(fork);
    expect(done.output).toEqual({ a: 1, b: 2 });
    expect(done.evidence).toHaveLength(2);
    await expect(engine.fork(first.id, 99, {})).rejects.toMatchObject({ code: 'engine.invalid_decision' });
  });

  it('names the owner of a run in another process', async () => {
    const events = new MemoryEventStore({
      clock: makeEngine(scripted(), []).clock,
      random: { next: () => 0.5, hex: () => '00' },
      projections: [runProjection],
    });
    const runs = new MemoryRunStore(events.tables);
    let release: (() => void) | undefined;
    const gate = readTool(
      'gate',
      () =>
        new Promise((resolve) => {
          release = () => resolve(1);
        }),
    );
    const owners = (self: string) => ({ self, isAlive: () => true });
    const one = makeEngine(scripted(call('gate'), finish()), [gate], {
      events,
      runs,
      owners: owners('one'),
    }).engine;
    const two = makeEngine(scripted(call('gate'), finish()), [gate], {
      events,
      runs,
      owners: owners('two'),
    }).engine;
    const going = one.run({ ...run, id: 'r1' });
    await settle();
    await expect(two.resume('r1')).rejects.toMatchObject({
      code: 'engine.run_owned',
      data: { owner: 'one' },
    });
    release?.();
    expect(statusOf(await going)).toBe('completed');
  });

  it('lets another engine take over a run, and the former owner ends without an error', async () => {
    const { clock } = makeEngine(scripted(), []);
    const random = { next: () => 0.5, hex: () => '00' };
    const events = new MemoryEventStore({ clock, random, projections: [runProjection] });
    const runs = new MemoryRunStore(events.tables);
    const releases: (() => void)[] = [];
    const gate = readTool(
      'gate',
      () => new Promise((resolve) => releases.push(() => resolve(releases.length))),
    );
    const engineOf = (self: string) =>
      makeEngine(scripted(call('gate'), finish()), [gate], {
        events,
        runs,
        owners: { self, isAlive: () => true },
      }).engine;
    const going = engineOf('one').run({ ...run, id: 'r1' });
    await settle();
    const taken = engineOf('two').drive('r1', { takesOver: true });
    await settle();
    for (const release of releases) release();
    expect((await taken).ended?.status).toBe('completed');
    expect((await going).owner).not.toBe('one');
    expect((await events.read('run/r1')).filter(({ type }) => type === 'run.completed')).toHaveLength(1);
  });
});

describe('pins', () => {
  it('bind a run to its graph, and stop it when tools or planner have changed', async () => {
    const ask: Decision = { kind: 'ask_human', question: 'ok?', rationale: '' };
    const first = makeEngine(scripted(ask, call('look'), finish()), [look]);
    const parked = await first.engine.run(run);
    const question = await openApproval(first.engine);
    await first.engine.decide(question.id, { kind: 'answer', answer: 'y' }, 'ann');
    const shared = {
      events: first.engine.parts.events,
      runs: first.engine.parts.runs,
      artifacts: first.engine.parts.artifacts,
    };
    const changed = makeEngine(
      scripted(ask, call('look'), finish()),
      [{ ...look, version: '2' }],
      shared,
    ).engine;
    const refusal = changed.resume(parked.id);
    await expect(refusal).rejects.toMatchObject({
      code: 'engine.pins_changed',
      message: expect.stringContaining('tool look'),
    });
    expect(statusOf(await changed.resume(parked.id, { repin: true }))).toBe('completed');
    const wider = makeEngine(scripted(ask), [look, act], shared).engine;
    expect(await wider.pinDifferences(parked.id)).toEqual(['tool look: its schema or annotations changed']);
  });

  it('bind the graph even when the kind has a new one', async () => {
    const ask: Decision = { kind: 'ask_human', question: 'ok?', rationale: '' };
    const first = makeEngine(scripted(ask, { kind: 'transition', to: 'more', rationale: '' }, finish()), []);
    const parked = await first.engine.run(run);
    const question = await openApproval(first.engine);
    await first.engine.decide(question.id, { kind: 'answer', answer: 'y' }, 'ann');
    const { events, runs, artifacts } = first.engine.parts;
    const other = new StateGraph({
      name: 'other',
      start: 'work',
      states: { work: { to: ['done'] }, done: { terminal: 'completed' } },
    });
    const engine = new Engine({
      tools: [],
      kinds: [
        { name: 'test', planner: first.engine.parts.kinds.get('test')?.planner as Planner, graph: other },
      ],
      events,
      runs,
      artifacts,
      clock: first.clock,
    });
    const done = await engine.resume(parked.id);
    expect(done.pins.graph).toBe(WORK_GRAPH.hash);
    expect(statusOf(done)).toBe('completed');
  });
});
