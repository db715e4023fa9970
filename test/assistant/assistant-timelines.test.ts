import { describe, expect, it } from 'vitest';
import { ASKING_GRAPH } from '../../src/assistant/index.ts';
import { type Engine, type Grant, type Policy, type RunState, statusOf } from '../../src/engine/index.ts';
import type { JsonObject } from '../../src/kernel/index.ts';
import { ScriptedProvider } from '../../src/models/index.ts';
import { effectTool, openApproval } from '../support/engine-kit.ts';
import { ManualClock } from '../support/manual-clock.ts';
import { ALLOW, answer, assistantEngine, GOAL, plan, states, task } from './assistant-kit.ts';

const judged = { acceptance: [{ judge: 'it reads well' }] };
const change = effectTool('files.change', () => 'changed');

function verdict(met: boolean): JsonObject {
  return { verdicts: [{ criterion: 'draft.1', met, evidence: met ? 'it does' : 'the end is missing' }] };
}

/** What a script's roles say in turn; the executor says `done` where it has no turn. */
interface Script {
  readonly planner: readonly unknown[];
  readonly critic?: readonly unknown[];
  readonly executor?: readonly JsonObject[];
}

function scripted({ planner, critic = [], executor = [] }: Script): ScriptedProvider {
  const say = (role: string) => (json: unknown) => ({ role, once: true, json });
  const turns = [
    ...planner.map(say('planner')),
    ...critic.map(say('critic')),
    ...executor.map((turn) => ({ role: 'executor', once: true, ...turn })),
    { role: 'executor', text: 'done' },
  ];
  return new ScriptedProvider({ turns }, new ManualClock());
}

function policyFor(decision: 'ask' | 'deny'): Policy {
  return {
    version: decision,
    decide: (asked) =>
      asked.tool.name === 'files.change'
        ? { decision, rule: 'test', why: 'it changes' }
        : ALLOW.decide(asked),
  };
}

const CHANGING: Script = {
  planner: [plan(task('draft'))],
  executor: [{ tool_calls: [{ tool: 'files.change', input: {} }] }],
};

/** How a run stands, and which way it came. */
async function told(engine: Engine, run: RunState): Promise<object> {
  return { status: statusOf(run), timeline: await states(engine, run), code: run.failure?.code };
}

describe('the loop with a scripted model', () => {
  it('plans, executes, is rejected by the critic, plans again and completes', async () => {
    const again = plan(task('draft', { ...judged, title: 'draft it to the end' }));
    const engine = assistantEngine(
      scripted({ planner: [plan(task('draft', judged)), again], critic: [verdict(false), verdict(true)] }),
    );
    const run = await engine.run(GOAL);
    expect(await told(engine, run)).toEqual({
      status: 'completed',
      timeline: ['plan', 'execute', 'critique', 'plan', 'execute', 'critique', 'done'],
      code: undefined,
    });
    const why = (await engine.explain(run.id)).actions.map(({ rationale }) => rationale);
    expect(why).toContainEqual('rejected: "draft": it reads well: the end is missing');
    expect(await engine.replayDecisions(run.id)).toMatchObject({ differences: [] });
  });

  it('blocks while a task waits for a person, and completes once they approve', async () => {
    const engine = assistantEngine(scripted(CHANGING), { more: [change], policy: policyFor('ask') });
    const parked = await engine.run(GOAL);
    expect(await told(engine, parked)).toMatchObject({ status: 'waiting', timeline: ['plan', 'execute'] });
    const { id, run: child } = await openApproval(engine);
    await engine.decide(id, { kind: 'approve' }, 'ann');
    await engine.resume(child);
    expect(await told(engine, await engine.load(parked.id))).toMatchObject({
      status: 'completed',
      timeline: ['plan', 'execute', 'critique', 'done'],
    });
  });

  it('waits in place for budget, and completes once it gets more', async () => {
    const script = { planner: [plan(task('draft', judged))], critic: [verdict(true)] };
    const engine = assistantEngine(scripted(script));
    const parked = await engine.run({ ...GOAL, budgets: { model_calls: 2 } });
    expect(await told(engine, parked)).toMatchObject({
      status: 'waiting',
      timeline: ['plan', 'execute', 'critique'],
    });
    await engine.addBudget(parked.id, { model_calls: 1 }, 'ann');
    const run = await engine.resume(parked.id);
    expect(await told(engine, run)).toMatchObject({
      status: 'completed',
      timeline: ['plan', 'execute', 'critique', 'done'],
    });
  });

  it('ends as denied when policy forbids starting tasks', async () => {
    const refusing: Policy = {
      version: 'no children',
      decide: (asked) =>
        asked.tool.name === 'engine.run_children'
          ? { decision: 'deny', rule: 'test', why: 'no child runs' }
          : ALLOW.decide(asked),
    };
    const engine = assistantEngine(scripted(CHANGING), { more: [change], policy: refusing });
    expect(await told(engine, await engine.run(GOAL))).toEqual({
      status: 'failed',
      timeline: ['plan', 'execute', 'failed'],
      code: 'assistant.denied',
    });
  });

  it('hands over to a person after the last plan, and ends when they stop it', async () => {
    const engine = assistantEngine(
      scripted({ planner: [plan(task('draft', judged))], critic: [verdict(false)] }),
    );
    const asked = await engine.run({ ...GOAL, vars: { model: 'm', replans: 0 } });
    expect(await told(engine, asked)).toMatchObject({
      status: 'waiting',
      timeline: ['plan', 'execute', 'critique'],
    });
    expect(await told(engine, await answer(engine, asked, 'stop'))).toEqual({
      status: 'failed',
      timeline: ['plan', 'execute', 'critique', 'failed'],
      code: 'assistant.handed_off',
    });
  });

  it('ends after planning when only a plan is requested', async () => {
    const engine = assistantEngine(scripted({ planner: [plan(task('draft', judged))] }));
    const run = await engine.run({ ...GOAL, vars: { model: 'm', plan_only: true } });
    expect(await told(engine, run)).toMatchObject({ status: 'completed', timeline: ['plan', 'planned'] });
    expect(run.output).toMatchObject({ tasks: [{ id: 'draft', acceptance: [{ judge: 'it reads well' }] }] });
    expect(run.used.children).toBeUndefined();
  });
});

describe('levels of autonomy', () => {
  const GRANT: Grant = { id: 'granted', tool: 'files.change', by: 'ann', at: 0 };
  const granted = { of: () => [GRANT], add: async () => undefined };

  async function started(level: string, options: object = {}): Promise<RunState> {
    const engine = assistantEngine(scripted(CHANGING), { more: [change], ...options });
    const asking = await engine.storeGraph(ASKING_GRAPH);
    const run = await engine.run({ ...GOAL, vars: { model: 'm', autonomy: level, asking } });
    const [open] = await engine.parts.runs.approvals({ status: 'pending' });
    expect(open === undefined).toBe(run.ended !== undefined);
    return run;
  }

  it('manual asks before an effect that policy allows, and not before reads', async () => {
    expect(statusOf(await started('manual'))).toBe('waiting');
  });

  it('guided asks only where policy asks', async () => {
    expect(statusOf(await started('guided'))).toBe('completed');
    expect(statusOf(await started('guided', { policy: policyFor('ask') }))).toBe('waiting');
  });

  it('autonomous uses remembered approvals', async () => {
    const policy = policyFor('ask');
    expect(statusOf(await started('autonomous', { policy }))).toBe('waiting');
    expect(statusOf(await started('autonomous', { policy, grants: granted }))).toBe('completed');
  });

  it('drops to asking before every effect after the second rejection', async () => {
    const draft = (n: number) => plan(task('draft', { ...judged, title: `draft ${n}` }));
    const acts = { when: 'draft 3', tool_calls: [{ tool: 'files.change', input: {} }] };
    const model = scripted({
      planner: [1, 2, 3].map(draft),
      critic: [verdict(false), verdict(false), verdict(true)],
      executor: [acts],
    });
    const engine = assistantEngine(model, { more: [change] });
    const asking = await engine.storeGraph(ASKING_GRAPH);
    const parked = await engine.run({ ...GOAL, vars: { model: 'm', asking } });
    const { id, run: child } = await openApproval(engine);
    expect((await states(engine, parked)).filter((state) => state === 'plan')).toHaveLength(3);
    await engine.decide(id, { kind: 'approve' }, 'ann');
    await engine.resume(child);
    expect((await engine.load(parked.id)).output).toMatchObject({ plans: 3, unmet: [] });
  });
});
