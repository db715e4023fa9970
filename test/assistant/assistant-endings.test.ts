import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { WorkspaceFiles } from '../../src/adapters/files/index.ts';
import type { TaskGraph } from '../../src/assistant/task-graph.ts';
import { type Engine, type Policy, type RunState, statusOf } from '../../src/engine/index.ts';
import type { JsonObject } from '../../src/kernel/index.ts';
import { builtInTools } from '../../src/tools/index.ts';
import { effectTool, openApproval, readTool } from '../support/engine-kit.ts';
import { ManualClock } from '../support/manual-clock.ts';
import { tempFolder } from '../support/temp-folder.ts';
import { ALLOW, answer, assistantEngine, GOAL, goalOf, plan, RoleModel, task } from './assistant-kit.ts';

const judged = { acceptance: [{ judge: 'it reads well' }] };
const no = { verdicts: [{ criterion: 'a.1', met: false, evidence: 'it does not' }] };
const yes = { verdicts: [{ criterion: 'a.1', met: true, evidence: 'it does' }] };

function request(vars: JsonObject = {}, more: object = {}) {
  return { ...GOAL, vars: { model: 'm', ...vars }, ...more };
}

function callTool(tool: string) {
  return () => ({ finish: 'tool_calls' as const, toolCalls: [{ id: 'c', tool, input: {} }] });
}

/** Everything is allowed but `files.change`, about which `decision` says what is done. */
function policyFor(decision: 'ask' | 'deny'): Policy {
  return {
    version: decision,
    decide: (asked) =>
      asked.tool.name === 'files.change'
        ? { decision, rule: 'test', why: 'it changes files' }
        : ALLOW.decide(asked),
  };
}

const change = effectTool('files.change', () => 'changed');

function changing(): RoleModel {
  return new RoleModel({ planner: [plan(task('a'))], executor: [callTool('files.change')] });
}

describe('a run of the assistant', () => {
  it('parks while a task waits for approval, and continues with it', async () => {
    const engine = assistantEngine(changing(), { more: [change], policy: policyFor('ask') });
    const parked = await engine.run(GOAL);
    expect(statusOf(parked)).toBe('waiting');
    expect(parked.waiting).toMatchObject({ for: 'outcome', tool: 'engine.run_children' });
    const { id, run } = await openApproval(engine);
    expect(run).not.toBe(parked.id);
    await engine.decide(id, { kind: 'approve' }, 'ann');
    expect((await engine.resume(parked.id)).output).toMatchObject({ result: 'did: do a' });
  });

  it('continues when the agent of a task finds an alternative to a refused call', async () => {
    const model = changing();
    const engine = assistantEngine(model, { more: [change], policy: policyFor('ask') });
    const parked = await engine.run(GOAL);
    await engine.decide((await openApproval(engine)).id, { kind: 'deny' }, 'ann');
    expect((await engine.resume(parked.id)).ended?.status).toBe('completed');
    expect(model.asked.executor).toHaveLength(2);
  });

  it('ends as denied when the approval expires, and does not retry', async () => {
    const model = changing();
    const clock = new ManualClock();
    const engine = assistantEngine(model, { clock, more: [change], policy: policyFor('ask') });
    const parked = await engine.run(GOAL);
    const { expiresAt } = await openApproval(engine);
    clock.advance(expiresAt - clock.now() + 1);
    const run = await engine.resume(parked.id);
    expect(run.failure).toMatchObject({ code: 'assistant.denied' });
    expect(run.failure?.message).toContain('Task "a" was refused (engine.approval_expired)');
    expect(model.asked.executor).toHaveLength(1);
  });

  it('ends as denied when policy forbids starting tasks', async () => {
    const policy: Policy = {
      version: 'none',
      decide: () => ({ decision: 'deny', rule: 'test', why: 'nothing is allowed here' }),
    };
    const run = await assistantEngine(new RoleModel({ planner: [plan(task('a'))] }), { policy }).run(GOAL);
    expect(run.failure).toMatchObject({ code: 'assistant.denied' });
  });

  it('treats a check that a person refuses as an unmet criterion', async () => {
    const process = effectTool('process.run', () => ({ exitCode: 0 }));
    const policy: Policy = {
      version: 'ask',
      decide: (asked) =>
        asked.tool.name === 'process.run'
          ? { decision: 'ask', rule: 'test', why: 'it runs programs' }
          : ALLOW.decide(asked),
    };
    const command = { acceptance: [{ command_exits_zero: { argv: ['make', 'test'] } }] };
    const model = new RoleModel({ planner: [plan(task('a', command)), plan(task('a'))] });
    const engine = assistantEngine(model, { more: [process], policy });
    const parked = await engine.run(GOAL);
    expect(parked.waiting).toMatchObject({ for: 'approval' });
    await engine.decide((await openApproval(engine)).id, { kind: 'deny' }, 'ann');
    const run = await engine.resume(parked.id);
    expect(run.output).toMatchObject({ plans: 2 });
    expect(model.asked.planner[1]?.messages.at(-1)?.content).toMatch(/make.*test.*denied/);
    expect(await engine.replayDecisions(run.id)).toMatchObject({ differences: [] });
  });

  it('ends when a task is cancelled', async () => {
    const engine = assistantEngine(changing(), { more: [change], policy: policyFor('ask') });
    const parked = await engine.run(GOAL);
    await engine.cancel((await openApproval(engine)).run, 'ann', 'not today');
    const run = await engine.resume(parked.id);
    expect(run.failure).toMatchObject({ code: 'assistant.cancelled' });
    expect(run.failure?.message).toContain('not today');
  });

  it('parks when the budget of the tree is used up, and continues with more', async () => {
    const model = new RoleModel({ planner: [plan(task('a', judged))], critic: [yes] });
    const engine = assistantEngine(model);
    const parked = await engine.run(request({}, { budgets: { model_calls: 2 } }));
    expect(parked).toMatchObject({ state: 'critique', waiting: { for: 'budget', budget: 'model_calls' } });
    expect(model.asked.critic).toHaveLength(0);
    await engine.addBudget(parked.id, { model_calls: 1 }, 'ann');
    const run = await engine.resume(parked.id);
    expect(run.ended?.status).toBe('completed');
    expect(run.used.model_calls).toBe(3);
  });

  it('ends with a code of its own when no child runs are allowed at all', async () => {
    const engine = assistantEngine(new RoleModel({ planner: [plan(task('a'))] }));
    const run = await engine.run(request({}, { budgets: { depth: 0 } }));
    expect(run.failure).toMatchObject({ code: 'assistant.budget' });
  });

  it('refuses invalid variables', async () => {
    const run = await assistantEngine(new RoleModel({})).run(request({ autonomy: 'wild', replans: -1 }));
    expect(run.failure).toMatchObject({ code: 'assistant.invalid_settings' });
    expect(run.failure?.message).toMatch(/autonomy.*replans/);
  });
});

describe('after the last plan', () => {
  async function rejected(more: { planner?: unknown[]; critic?: unknown[] } = {}) {
    const model = new RoleModel({
      planner: [plan(task('a', judged)), ...((more.planner ?? []) as never[])],
      critic: [no, ...((more.critic ?? []) as never[])],
    });
    const engine = assistantEngine(model);
    return { model, engine, run: await engine.run(request({ replans: 0 })) };
  }

  it('hands over to a person with the unmet criteria', async () => {
    const { run } = await rejected();
    expect(run.waiting).toMatchObject({
      for: 'answer',
      options: ['try again', 'accept it as it is', 'stop'],
    });
    expect((run.waiting as { question: string }).question).toContain('"a": it reads well: it does not');
  });

  it('completes when the person accepts the result, and lists the unmet criteria', async () => {
    const { engine, run } = await rejected();
    const done = await answer(engine, run, 'accept it as it is');
    expect(done.output).toMatchObject({
      unmet: [{ task: 'a', criterion: 'it reads well', evidence: 'it does not' }],
    });
  });

  it('ends when the person stops it', async () => {
    const { engine, run } = await rejected();
    expect((await answer(engine, run, 'stop')).failure?.code).toBe('assistant.handed_off');
  });

  it('plans once more when the person asks for it, and asks again after the next rejection', async () => {
    const { engine, run, model } = await rejected({ planner: [plan(task('a', judged))], critic: [no] });
    const again = await answer(engine, run, 'try again');
    expect(model.asked.planner).toHaveLength(2);
    expect((again.waiting as { question: string }).question).toContain('After 2 plans');
  });

  it('offers no acceptance of a task that failed', async () => {
    const giveUp = () => ({
      finish: 'tool_calls' as const,
      toolCalls: [{ id: 'c', tool: 'agent.give_up', input: { reason: 'no spade' } }],
    });
    const model = new RoleModel({ planner: [plan(task('a'))], executor: [giveUp] });
    const run = await assistantEngine(model).run(request({ replans: 0 }));
    expect(run.waiting).toMatchObject({ options: ['try again', 'stop'] });
  });
});

describe('levels of autonomy', () => {
  it('asks before every task at the manual level, whatever risk the plan declares', async () => {
    const model = new RoleModel({
      planner: [plan(task('a', { risk: 'none' }), task('b', { depends_on: ['a'] }))],
    });
    const engine = assistantEngine(model);
    const first = await engine.run(request({ autonomy: 'manual' }));
    expect(first.waiting).toMatchObject({ options: ['go on', 'stop'] });
    expect(model.asked.executor).toHaveLength(0);
    const second = await answer(engine, first, 'go on');
    expect(model.asked.executor.map(goalOf)).toEqual(['do a']);
    expect((second.waiting as { question: string }).question).toContain('"b"');
    expect((await answer(engine, second, 'stop')).failure?.code).toBe('assistant.denied');
  });

  it('drops a level after the second rejection', async () => {
    const drafts = [1, 2, 3].map((n) => plan(task('a', { ...judged, title: `draft ${n}` })));
    const model = new RoleModel({ planner: drafts, critic: [no, no, yes] });
    const engine = assistantEngine(model);
    const parked = await engine.run(GOAL);
    expect(model.asked.executor.map(goalOf)).toEqual(['draft 1', 'draft 2']);
    expect(parked.waiting).toMatchObject({ for: 'answer', options: ['go on', 'stop'] });
    expect((await answer(engine, parked, 'go on')).output).toMatchObject({ plans: 3 });
  });

  it('asks no one at the autonomous level after the same rejections', async () => {
    const drafts = [1, 2, 3].map((n) => plan(task('a', { ...judged, title: `draft ${n}` })));
    const model = new RoleModel({ planner: drafts, critic: [no, no, yes] });
    const run = await assistantEngine(model).run(request({ autonomy: 'autonomous' }));
    expect(run.output).toMatchObject({ plans: 3 });
  });
});

describe('without a model', () => {
  function ruled(planWithoutModel?: () => TaskGraph): Engine {
    const root = tempFolder();
    writeFileSync(join(root, 'notes.md'), 'peas');
    return assistantEngine(undefined, {
      more: builtInTools().filter(({ name }) => name === 'files.read'),
      capabilities: { files: new WorkspaceFiles(root) },
      ...(planWithoutModel ? { assistant: { planWithoutModel } } : {}),
    });
  }
  const run = (engine: Engine, goal: string): Promise<RunState> => engine.run({ kind: 'assistant', goal });

  it('does the goal as one task of the agent that plans by rules', async () => {
    const engine = ruled();
    const done = await run(engine, 'read notes.md');
    expect(JSON.stringify(done.output)).toContain('peas');
    expect(await engine.replayDecisions(done.id)).toMatchObject({ differences: [], notes: [] });
  });

  it('fails with the reason of the task when it cannot be done', async () => {
    const failed = await run(ruled(), 'read none.md');
    expect(failed.failure).toMatchObject({ code: 'assistant.task_failed' });
    expect(failed.failure?.message).toContain('files.not_found');
  });

  it('reports before anything starts what it cannot do, the nearest abilities and what would help', async () => {
    const failed = await run(ruled(), 'philosophise');
    expect(failed.failure).toMatchObject({ code: 'agent.goal_not_understood' });
    expect(failed.failure?.message).toMatch(
      /"philosophise" was not understood.*what can you do.*oka model add/,
    );
    expect(failed.used.children).toBeUndefined();
  });

  it('runs a composed plan, and a person judges the criteria that no check can', async () => {
    const composed = (): TaskGraph => ({
      goal: 'know the notes',
      tasks: [
        {
          id: 'look',
          title: 'read notes.md',
          depends_on: [],
          acceptance: [
            { file_contains: { path: 'notes.md', text: 'peas' } },
            { judge: 'they are about peas' },
          ],
        },
      ],
    });
    const engine = ruled(composed);
    const asked = await run(engine, 'know the notes');
    expect((asked.waiting as { question: string }).question).toContain('they are about peas');
    expect((await answer(engine, asked, 'yes')).ended?.status).toBe('completed');
  });

  it('refuses a composed plan that cannot be executed', async () => {
    const failed = await run(
      ruled(() => ({ goal: 'nothing', tasks: [] })),
      'anything',
    );
    expect(failed.failure?.code).toBe('assistant.plan_unusable');
  });
});

describe('an unusable check', () => {
  it('ends the run, because nothing is accepted unchecked', async () => {
    const silent = readTool('assistant.check', () => ({ results: [] }));
    const model = new RoleModel({ planner: [plan(task('a', { acceptance: [{ file_exists: 'x' }] }))] });
    const run = await assistantEngine(model, { more: [silent] }).run(GOAL);
    expect(run.failure?.code).toBe('assistant.check_failed');
  });
});
