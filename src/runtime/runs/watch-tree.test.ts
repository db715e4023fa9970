import { describe, expect, it } from 'vitest';
import { call, finish, makeEngine, plannerOf, readTool } from '../../../test/support/engine-kit.ts';
import type { EventView } from '../../api/index.ts';
import { type Engine, PendingAnswer } from '../../engine/index.ts';
import { createRedactor } from '../../kernel/index.ts';
import { TextListeners } from '../services/text-listeners.ts';
import { watchTree } from './watch-tree.ts';

/** An engine whose runs `parent <name>` start the child `child <name>`; every run emits its goal as model text. */
function kit() {
  const text = new TextListeners(createRedactor());
  const spawn = readTool(
    'spawn',
    (goal: string) => new PendingAnswer({ kind: 'children', children: [{ kind: 'test', goal }] }),
  );
  const planner = plannerOf(({ goal, evidence, run }) => {
    text.emit({ run: run.id, text: goal });
    text.emit({ run: run.id, text: '', last: true });
    if (goal.startsWith('fail') && evidence.length === 0)
      return { kind: 'fail', reason: 'no', rationale: '' };
    return goal.startsWith('parent') && evidence.length === 0
      ? call('spawn', goal.replace('parent', 'child'))
      : finish(goal);
  });
  const { engine } = makeEngine(planner, [spawn]);
  return { engine, text, parts: { events: engine.parts.events, runs: engine.parts.runs, text } };
}

const start = (engine: Engine, id: string) => engine.run({ kind: 'test', goal: `parent ${id}`, id });

describe('a watched tree', () => {
  it('reports events and text of a run and of children that start later, and of no other run', async () => {
    const { engine, parts } = kit();
    const events: EventView[] = [];
    const texts: string[] = [];
    const listeners = {
      onEvent: (event: EventView) => void events.push(event),
      onText: (piece: string) => void texts.push(piece),
    };
    await watchTree(parts, listeners, 'mine', async () => {
      await Promise.all([start(engine, 'other'), start(engine, 'mine'), start(engine, 'another')]);
    });
    const [child] = await engine.parts.runs.list({ parent: 'mine' as never });
    expect(new Set(events.map(({ stream }) => stream))).toEqual(
      new Set(['run/mine', `run/${child?.id}`, 'budget/mine']),
    );
    expect(events.filter(({ type }) => type === 'run.completed')).toHaveLength(2);
    expect(texts.join('')).toBe('parent minechild mineparent mine');
  });

  it('does not miss a child that starts while the tree is read', async () => {
    const { engine, parts } = kit();
    await engine.create({ kind: 'test', goal: 'parent mine', id: 'mine' });
    const events: EventView[] = [];
    const runs = {
      get: parts.runs.get.bind(parts.runs),
      list: async (filter: Parameters<typeof parts.runs.list>[0]) => {
        const found = await parts.runs.list(filter);
        if (filter.root !== undefined) await engine.resume('mine');
        return found;
      },
    };
    await watchTree(
      { ...parts, runs },
      { onEvent: (event) => void events.push(event) },
      'mine',
      async () => undefined,
    );
    expect(events.filter(({ type }) => type === 'run.completed')).toHaveLength(2);
  });

  it('includes the run that continues a failed one', async () => {
    const { engine, parts } = kit();
    const failed = await engine.run({ kind: 'test', goal: 'fail', id: 'mine' });
    const events: EventView[] = [];
    const seen = (event: EventView) => void events.push(event);
    await watchTree(parts, { onEvent: seen }, 'mine', () => engine.resume(failed.id));
    await watchTree(parts, { onEvent: seen }, 'mine', () => engine.resume(failed.id));
    expect(events.filter(({ type }) => type === 'run.failed')).toHaveLength(2);
  });
});
