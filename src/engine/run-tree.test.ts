import { describe, expect, it } from 'vitest';
import {
  call,
  effectTool,
  finish,
  makeEngine,
  openApproval,
  plannerOf,
  readTool,
} from '../../test/support/engine-kit.ts';
import { settle } from '../../test/support/manual-clock.ts';
import type { Engine } from './engine.ts';
import { statusOf } from './run-state.ts';
import { PendingAnswer } from './tool.ts';
import type { Decision } from './types.ts';

const run = { kind: 'test', goal: 'root' };
const ASK: Decision = { kind: 'ask_human', question: 'ok?', rationale: '' };

/** Starts child runs: `spawn a,b` starts the children a and b. */
const spawn = readTool(
  'spawn',
  (goals: string) =>
    new PendingAnswer({
      kind: 'children',
      children: goals.split(',').map((goal) => ({ kind: 'test', goal })),
    }),
);

/** Plans by goal: the children that a run starts first, and then what it does. */
function family(children: Record<string, string>, plan: (goal: string, done: number) => Decision) {
  return plannerOf(({ goal, evidence }) => {
    const before = evidence.filter(({ tool }) => tool === 'spawn').length;
    const goals = children[goal];
    if (goals !== undefined && before === 0) return call('spawn', goals);
    return plan(goal, evidence.length - before);
  });
}

async function statuses(engine: Engine): Promise<Record<string, string>> {
  return Object.fromEntries((await engine.parts.runs.list({})).map(({ goal, status }) => [goal, status]));
}

async function idOf(engine: Engine, goal: string): Promise<string> {
  return (await engine.parts.runs.list({})).find((one) => one.goal === goal)?.id ?? '';
}

describe('a tree of runs', () => {
  const counting = () => {
    const counts = { calls: 0 };
    const count = readTool('count', () => ++counts.calls);
    const leaf = (goal: string, done: number): Decision =>
      goal.startsWith('leaf') && done < 5 ? call('count') : finish(goal);
    const planner = family({ root: 'middle', middle: 'leaf 1,leaf 2' }, leaf);
    return { counts, ...makeEngine(planner, [spawn, count], { limits: { tool_calls: 8 } }) };
  };

  it('lets grandchildren use budget that is added to its root, once for all of them', async () => {
    const { engine, counts } = counting();
    const root = await engine.run(run);
    expect(counts.calls).toBe(6);
    expect(await statuses(engine)).toMatchObject({ 'leaf 1': 'waiting', 'leaf 2': 'waiting' });
    await engine.addBudget(root.id, { tool_calls: 2 }, 'ann');
    expect((await engine.resume(root.id)).limits.tool_calls).toBe(10);
    expect(counts.calls).toBe(8);
    await engine.addBudget(root.id, { tool_calls: 2 }, 'ann');
    expect(statusOf(await engine.resume(root.id))).toBe('completed');
    expect(counts.calls).toBe(10);
  });

  it('leaves runs parked that wait for another budget', async () => {
    const { engine } = counting();
    const root = await engine.run(run);
    await engine.addBudget(root.id, { steps: 50 }, 'ann');
    expect(await statuses(engine)).toMatchObject({ 'leaf 1': 'waiting', 'leaf 2': 'waiting' });
  });

  it('continues all ancestors when a grandchild is resumed with more budget', async () => {
    const { engine } = counting();
    const root = await engine.run(run);
    await engine.addBudget(await idOf(engine, 'leaf 1'), { tool_calls: 2 }, 'ann');
    await engine.resume(await idOf(engine, 'leaf 1'));
    await engine.addBudget(await idOf(engine, 'leaf 2'), { tool_calls: 2 }, 'ann');
    await engine.resume(await idOf(engine, 'leaf 2'));
    expect(await engine.load(root.id)).toMatchObject({
      ended: { status: 'completed' },
      used: { tool_calls: 12 },
    });
  });

  it('is paused and resumed as a whole', async () => {
    const { engine } = makeEngine(
      family({ root: 'middle', middle: 'leaf 1' }, (goal, done) =>
        goal === 'leaf 1' && done === 0 ? ASK : finish(goal),
      ),
      [spawn],
    );
    const root = await engine.run(run);
    await engine.pause(root.id, 'ann');
    expect(await statuses(engine)).toEqual({ root: 'paused', middle: 'paused', 'leaf 1': 'paused' });
    await engine.decide((await openApproval(engine)).id, { kind: 'answer', answer: 'yes' }, 'ann');
    expect(statusOf(await engine.resume(root.id, { by: 'ann' }))).toBe('completed');
  });

  it.each([
    ['paused', (engine: Engine, id: string) => engine.pause(id, 'ann'), ['paused', 'pending']],
    [
      'cancelled',
      (engine: Engine, id: string) => engine.cancel(id, 'ann', 'enough'),
      ['cancelled', 'cancelled'],
    ],
  ])('that is %s while it starts children does not run them', async (_, stop, expected) => {
    const ran: string[] = [];
    let stopping: Promise<unknown> | undefined;
    const late = readTool('spawn', async (goals: string, { runId }) => {
      // The request is recorded before the children are, and lists none.
      stopping = stop(engine, runId);
      stopping.catch(() => undefined);
      while ((await engine.load(runId)).index < 1) await settle();
      return new PendingAnswer({ kind: 'children', children: [{ kind: 'test', goal: goals }] });
    });
    const planner = family({ root: 'leaf' }, (goal) => {
      ran.push(goal);
      return finish(goal);
    });
    const { engine } = makeEngine(planner, [late]);
    await engine.run(run);
    await stopping;
    expect(ran).toEqual([]);
    const now = await statuses(engine);
    expect([now['root'], now['leaf'] ?? expected[1]]).toEqual(expected);
  });

  it('is undone as a whole, the newest change first', async () => {
    const file: string[] = [];
    const undone: string[] = [];
    const write = effectTool('write', (text: string) => file.push(text), {
      preimage: async () => [...file],
      undo: async ({ input }) => {
        undone.push(String(input));
        if (input === 'leaf 1') throw new Error('leaf 1 was changed');
        return `undid ${String(input)}`;
      },
    });
    const planner = family({ root: 'leaf 1,middle', middle: 'leaf 2' }, (goal, done) =>
      done === 0 ? call('write', goal) : finish(goal),
    );
    const allow = { decision: 'allow', rule: 'test', why: 'a test' } as const;
    const { engine } = makeEngine(planner, [spawn, write], {
      policy: { version: 'allow', decide: () => allow },
    });
    const root = await engine.run(run);
    expect(statusOf(root)).toBe('completed');
    const { changes } = await engine.undo(root.id, 'ann');
    expect(undone).toEqual([...file].reverse());
    expect(changes.filter(({ restored }) => !restored)).toMatchObject([
      { run: await idOf(engine, 'leaf 1'), what: 'leaf 1 was changed' },
    ]);
    // What was restored is not undone again.
    undone.length = 0;
    await engine.undo(root.id, 'ann');
    expect(undone).toEqual(['root', 'leaf 1']);
  });
});
