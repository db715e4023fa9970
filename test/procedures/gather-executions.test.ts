import { describe, expect, it } from 'vitest';
import { readGoal } from '../../src/agent/index.ts';
import type { Engine, RunId } from '../../src/engine/index.ts';
import { gatherExecutions } from '../../src/memory/procedures/gather-executions.ts';
import { generaliseStep } from '../../src/memory/procedures/generalise-calls.ts';
import { kindOfGoal } from '../../src/memory/procedures/goal-kind.ts';
import type { Execution } from '../../src/memory/procedures/types.ts';
import { assistantEngine, plan, RoleModel, task } from '../assistant/assistant-kit.ts';
import { effectTool, readTool } from '../support/engine-kit.ts';
import { ManualClock } from '../support/manual-clock.ts';

const read = (goal: string) => readGoal(goal).parts;
const kind = (goal: string) => kindOfGoal(goal, read);

async function gather(engine: Engine, root: RunId): Promise<Execution | undefined> {
  const members = await engine.parts.runs.list({ root });
  const trees = await Promise.all(members.map(({ id }) => engine.parts.events.read(`run/${id}`)));
  return gatherExecutions([trees.flat()], read)[0];
}

describe('the kind of a goal', () => {
  it('omits its values and polite words, and keeps negations', () => {
    expect(kind('Please summarise "late bloom" from data.csv by 2026-01-31')?.phrase).toBe(
      'summarise {{quoted1}} from {{path1}} by {{date1}}',
    );
    expect(kind('rename 3 files in docs')?.key).toBe(kind('rename 12 files in ./notes/')?.key);
    expect(kind('do not run the tests')?.key).not.toBe(kind('do run the tests')?.key);
    expect(kind('docs/a.md')).toBeUndefined();
  });
});

describe('gathering executions', () => {
  it('joins a goal with the runs of its tasks: calls, rejections, and no time spent waiting for a person', async () => {
    const clock = new ManualClock();
    const acts = (path: string) => () => ({
      finish: 'tool_calls' as const,
      toolCalls: [
        { id: 'a', tool: 'files.look', input: { path } },
        { id: 'b', tool: 'files.put', input: { path } },
      ],
    });
    const model = new RoleModel({
      planner: [plan(task('one', { acceptance: [{ judge: 'good' }] })), plan(task('two'))],
      critic: [{ verdicts: [{ criterion: 'one.1', met: false, evidence: 'no' }] }],
      executor: [acts('x'), 'done' as never, acts('y'), 'done' as never],
    });
    const look = readTool('files.look', () => 'seen');
    const put = effectTool('files.put', () => {
      clock.advance(5);
      return 'put';
    });
    const ask = { version: 'ask', decide: askFor('files.put') };
    const engine = assistantEngine(model, { more: [look, put], clock, policy: ask });
    let run = await engine.run({ kind: 'assistant', goal: 'tidy notes/x.md', vars: { model: 'm' } });
    for (let asked = 0; asked < 2; asked++) {
      const [open] = await engine.parts.runs.approvals({ status: 'pending' });
      clock.advance(60_000);
      await engine.decide(open?.id ?? '', { kind: 'approve' }, 'ann');
      await engine.resume(open?.run ?? '');
      run = await engine.resume(run.id);
    }
    expect(run.ended?.status).toBe('completed');
    const execution = await gather(engine, run.id);
    expect(execution).toMatchObject({
      run: run.id,
      outcome: 'completed',
      rejections: 1,
      approvals: 2,
      refusals: 0,
      activeMs: 10,
      untrusted: false,
      calls: [
        { tool: 'files.look', input: { path: 'x' }, effects: false },
        { tool: 'files.put', input: { path: 'x' }, effects: true },
        { tool: 'files.look', input: { path: 'y' }, effects: false },
        { tool: 'files.put', input: { path: 'y' }, effects: true },
      ],
    });
  });
});

function askFor(name: string) {
  return ({ tool }: { tool: { name: string } }) => ({
    decision: tool.name === name ? ('ask' as const) : ('allow' as const),
    rule: 'test',
    why: 'as the test wants it',
  });
}

describe('the common form of a step in several executions', () => {
  const seen = (goal: string, ...inputs: object[]) => ({
    group: {
      tool: 't',
      calls: inputs.map((input) => ({ tool: 't', input: input as never, effects: false })),
    },
    kind: kind(goal) as never,
  });

  it('looks into objects, reads numbers, and prefers the value of the goal to a constant', () => {
    const step = generaliseStep([
      seen('keep 5 of a/b', { where: { path: 'a/b', most: 5 }, mode: 'fast' }),
      seen('keep 5 of c/d', { where: { path: './c/d/', most: 5 }, mode: 'fast' }),
    ]);
    expect(step.input).toEqual({ where: { path: '{{path1}}', most: '{{number1}}' }, mode: 'fast' });
  });

  it('is only advice if an argument differs, if it takes several calls, or if a constant looks like a path', () => {
    const differs = generaliseStep([
      seen('keep a/b', { path: 'a/b', text: 'x' }),
      seen('keep c/d', { path: 'c/d', text: 'y' }),
    ]);
    expect(differs).toEqual({ title: 'call t with path {{path1}}; up to you: text', tool: 't' });
    const several = generaliseStep([seen('keep a/b', { a: 1 }, { a: 2 }), seen('keep c/d', { a: 1 })]);
    expect(several).toEqual({ title: 'call t as often as it takes', tool: 't' });
    const place = generaliseStep([
      seen('keep a/b', { text: '{{path1}}' }),
      seen('keep c/d', { text: '{{path1}}' }),
    ]);
    expect(place.input).toBeUndefined();
    const odd = generaliseStep([seen('keep a/b', { constructor: 1 }), seen('keep c/d', { constructor: 1 })]);
    expect(odd.input).toBeUndefined();
  });
});
