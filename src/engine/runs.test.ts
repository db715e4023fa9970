import { describe, expect, it } from 'vitest';
import {
  call,
  effectTool,
  finish,
  makeEngine,
  plannerOf,
  readTool,
  scripted,
} from '../../test/support/engine-kit.ts';
import { isOkaError } from '../kernel/index.ts';
import { MemoryEventStore } from '../ledger/index.ts';
import { MemoryRunStore } from './memory-stores.ts';
import { runProjection } from './run-projection.ts';
import { statusOf } from './run-state.ts';
import { StateGraph } from './state-graph.ts';
import type { Decision } from './types.ts';

const look = readTool('look', () => ({ seen: 1 }));
const _act = effectTool('act', () => 'acted');
const run = { kind: 'test', goal: 'a goal' };

describe('a run', () => {
  it('completes without stores and can be explained', async () => {
    const { engine } = makeEngine(
      scripted(call('look'), { kind: 'transition', to: 'more', rationale: 'enough' }, finish({ n: 1 })),
      [look],
    );
    const done = await engine.run(run);
    expect(statusOf(done)).toBe('completed');
    expect(done.output).toEqual({ n: 1 });
    const explained = await engine.explain(done.id);
    expect(explained.timeline.map(({ state }) => state)).toEqual(['work', 'more', 'done']);
    expect(explained.actions.map(({ decision, tool, rationale }) => [decision, tool, rationale])).toEqual([
      ['call_tool', 'look', 'to call look'],
      ['transition', undefined, 'enough'],
      ['finish', undefined, 'nothing is left'],
    ]);
    expect(explained.cost).toMatchObject({ steps: 2, tool_calls: 1 });
  });

  it('records a step without effects as one event in one commit', async () => {
    const { engine } = makeEngine(scripted(call('look', {}, 'more'), finish()), [look]);
    const done = await engine.run(run);
    const events = await engine.events(done.id);
    expect(events.map((event) => event.type)).toEqual(['run.started', 'step.completed', 'run.completed']);
    expect(events.every((event) => event.ends)).toBe(true);
  });

  it('records the intent of an effect before it happens and the outcome after', async () => {
    const seen: string[][] = [];
    const tool = effectTool('act', async () => {
      seen.push((await engine.events('r1')).map((event) => event.type));
      return 'acted';
    });
    const { engine } = makeEngine(scripted(call('act', { a: 1 }), finish()), [tool]);
    await engine.run({ ...run, id: 'r1' });
    expect(seen).toEqual([['run.started', 'tool.intended']]);
    expect((await engine.events('r1')).map((event) => event.type)).toEqual([
      'run.started',
      'tool.intended',
      'tool.completed',
      'run.completed',
    ]);
  });

  it('continues with the recorded output, not with the object of the handler', async () => {
    const kept = { list: [1] };
    const seen: unknown[] = [];
    const tool = readTool('look', () => kept);
    const planner = plannerOf((input) => {
      seen.push(input.evidence[0]?.output);
      if (input.evidence.length > 0) return finish();
      return call('look');
    });
    const { engine } = makeEngine(planner, [tool]);
    const done = await engine.run(run);
    kept.list.push(2);
    expect(done.evidence[0]?.output).toEqual({ list: [1] });
    expect(seen[1]).not.toBe(kept);
  });

  it('fails with the reason of its planner', async () => {
    const { engine } = makeEngine(scripted({ kind: 'fail', reason: 'cannot', rationale: 'no way' }), []);
    const failed = await engine.run(run);
    expect(failed).toMatchObject({
      state: 'failed',
      failure: { code: 'engine.planner_failed', message: 'cannot' },
    });
  });

  it('fails when a planner throws or returns two invalid decisions', async () => {
    const thrown = await makeEngine(
      plannerOf(() => {
        throw new Error('boom');
      }),
      [],
    ).engine.run(run);
    expect(thrown.failure).toMatchObject({ code: 'engine.planner_failed', message: 'boom' });
    const repairs: unknown[] = [];
    const garbage = plannerOf((input) => {
      repairs.push(input.repair?.problem);
      return { kind: 'dance', rationale: 'x' } as unknown as Decision;
    });
    const failed = await makeEngine(garbage, []).engine.run(run);
    expect(failed.failure?.code).toBe('engine.invalid_decision');
    expect(repairs).toEqual([undefined, '"dance" is not a kind of decision']);
  });

  it('shows a planner its refused calls, and fails when it repeats them', async () => {
    const { engine } = makeEngine(
      plannerOf(() => call('nothing')),
      [look],
    );
    const failed = await engine.run(run);
    expect(failed.evidence.map((fact) => fact.failure?.code)).toEqual([
      'engine.unknown_tool',
      'engine.unknown_tool',
    ]);
    expect(failed.failure?.code).toBe('engine.repeated_call');
  });

  it('fails a planner that repeats the same call with the same result', async () => {
    let calls = 0;
    const same = readTool('look', () => {
      calls += 1;
      return 'same';
    });
    const failed = await makeEngine(
      plannerOf(() => call('look')),
      [same],
    ).engine.run(run);
    expect(failed.failure?.code).toBe('engine.repeated_call');
    expect(calls).toBe(2);
  });

  it('refuses to finish or move where the graph has no edge', async () => {
    const nowhere = await makeEngine(
      scripted({ kind: 'transition', to: 'nowhere', rationale: '' }),
      [],
    ).engine.run(run);
    expect(nowhere.failure?.code).toBe('engine.invalid_transition');
    const terminal = await makeEngine(
      scripted({ kind: 'transition', to: 'done', rationale: '' }),
      [],
    ).engine.run(run);
    expect(terminal.failure?.code).toBe('engine.invalid_transition');
    const graph = new StateGraph({
      name: 'g',
      start: 'a',
      states: { a: { to: ['b'] }, b: { to: ['done'] }, done: { terminal: 'completed' } },
    });
    const early = await makeEngine(scripted(finish()), []).engine.run({ ...run, graph });
    expect(early.failure).toMatchObject({
      code: 'engine.invalid_transition',
      message: expect.stringContaining('"a"'),
    });
  });
});

describe('a run store without events', () => {
  it('continues a run in a new engine from its snapshot', async () => {
    const runs = new MemoryRunStore(
      new MemoryEventStore({
        clock: makeEngine(scripted(), []).clock,
        random: { next: () => 0, hex: () => '' },
        projections: [runProjection],
      }).tables,
    );
    const planner = plannerOf((input) =>
      input.evidence.length === 0
        ? call('look')
        : input.evidence.length === 1
          ? { kind: 'ask_human', question: '?', rationale: '' }
          : finish(input.evidence.length),
    );
    const parked = await makeEngine(planner, [look], { runs }).engine.run(run);
    expect(statusOf(parked)).toBe('waiting');
    const later = makeEngine(planner, [look], { runs }).engine;
    expect((await later.load(parked.id)).evidence).toHaveLength(1);
    await later.cancel(parked.id, 'ann', 'enough');
    expect(statusOf(await later.load(parked.id))).toBe('cancelled');
  });
});

describe('more concurrent runs than the ledger has capacity for', () => {
  const plan = plannerOf((input) =>
    input.evidence.length < 5 ? call('look', { n: input.evidence.length }) : finish(),
  );

  it('all end, and earlier ones end before later ones start', async () => {
    const { engine } = makeEngine(plan, [look]);
    let open = 0;
    let mostOpen = 0;
    engine.parts.events.subscribe((events) => {
      for (const { type } of events) {
        if (type === 'run.started') open += 1;
        if (type === 'run.completed') open -= 1;
      }
      mostOpen = Math.max(mostOpen, open);
    });
    const done = await Promise.all(Array.from({ length: 1_500 }, () => engine.run(run)));
    expect(new Set(done.map(statusOf))).toEqual(new Set(['completed']));
    expect(mostOpen).toBeLessThan(700);
  });

  it('all start when they wait for something other than the ledger', async () => {
    const runs = 1_200;
    let waiting = 0;
    let meet = (): void => undefined;
    const met = new Promise<void>((resolve) => {
      meet = resolve;
    });
    const gather = readTool('look', async () => {
      waiting += 1;
      if (waiting === runs) meet();
      await met;
      return { seen: 1 };
    });
    const { engine } = makeEngine(scripted(call('look'), finish()), [gather]);
    const done = await Promise.all(Array.from({ length: runs }, () => engine.run(run)));
    expect(new Set(done.map(statusOf))).toEqual(new Set(['completed']));
  });
});

describe('unknown names', () => {
  it('are rejected with a code', async () => {
    const { engine } = makeEngine(scripted(), []);
    for (const attempt of [
      engine.resume('nope'),
      engine.explain('nope'),
      engine.pause('nope', 'ann'),
      engine.undo('nope', 'ann'),
    ]) {
      await expect(attempt).rejects.toSatisfy((error) => isOkaError(error, 'engine.unknown_run'));
    }
    await expect(engine.decide('nope', { kind: 'deny' }, 'ann')).rejects.toMatchObject({
      code: 'engine.unknown_approval',
    });
    await expect(engine.run({ kind: 'nope', goal: '' })).rejects.toMatchObject({
      code: 'engine.unknown_kind',
    });
  });
});
