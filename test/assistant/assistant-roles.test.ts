import { describe, expect, it } from 'vitest';
import { type Engine, statusOf } from '../../src/engine/index.ts';
import type { Json } from '../../src/kernel/index.ts';
import { MemoryEventStore } from '../../src/ledger/index.ts';
import { modelError, ScriptedProvider } from '../../src/models/index.ts';
import { readTool } from '../support/engine-kit.ts';
import { ManualClock } from '../support/manual-clock.ts';
import { seededRandom } from '../support/seeded-random.ts';
import { assistantEngine, GOAL, plan, RoleModel, task } from './assistant-kit.ts';

const judged = { acceptance: [{ judge: 'it reads well' }] };
const met = { verdicts: [{ criterion: 'a.1', met: true, evidence: 'seen' }] };

describe('an unusable plan', () => {
  it('is requested once more with the problems, and both answers are recorded', async () => {
    const model = new RoleModel({ planner: [plan(task('a', { acceptance: [] })), plan(task('a'))] });
    const run = await assistantEngine(model).run(GOAL);
    expect(run.ended?.status).toBe('completed');
    expect(model.asked.planner[1]?.messages.at(-1)?.content).toContain('could not be used');
    expect(run.evidence.filter(({ source }) => source === 'model')).toHaveLength(2);
  });

  const unusable: readonly [string, Json, string][] = [
    [
      'in a cycle',
      plan(
        task('a', { depends_on: ['c'] }),
        task('b', { depends_on: ['a'] }),
        task('c', { depends_on: ['b'] }),
      ),
      'in a cycle: a, b, c',
    ],
    ['with an id twice', plan(task('a'), task('a')), 'two tasks have the id "a"'],
    ['with an unknown dependency', plan(task('a', { depends_on: ['ghost'] })), 'depends on "ghost"'],
    ['of too many tasks', plan(...Array.from({ length: 21 }, (_, i) => task(`t${i}`))), 'tasks'],
    ['with an unknown member', plan(task('a', { policy: 'allow' })), 'policy'],
    ['without tasks', plan(), 'tasks'],
  ];
  it.each(unusable)('fails the run the second time: %s', async (_, bad, said) => {
    const model = new RoleModel({ planner: [bad, bad] });
    const engine = assistantEngine(model);
    const run = await engine.run(GOAL);
    expect(run.failure).toMatchObject({ code: 'assistant.plan_unusable' });
    expect(run.failure?.message).toContain(said);
    expect(model.asked.executor).toHaveLength(0);
    expect(run.used.model_calls).toBe(2);
    expect(await engine.replayDecisions(run.id)).toMatchObject({ differences: [], notes: [] });
  });

  it('is not requested again when the model refuses', async () => {
    const refuse = () => {
      throw modelError('models.refused', 'The model refused to answer (I would rather not.).');
    };
    const run = await assistantEngine(new RoleModel({ planner: [refuse] })).run(GOAL);
    expect(run.failure).toMatchObject({ code: 'models.refused' });
    expect(run.failure?.message).toContain('I would rather not.');
  });
});

describe('an unusable verdict', () => {
  const wrong: readonly [string, Json][] = [
    ['leaves a criterion out', { verdicts: [] }],
    ['judges an unknown criterion', { verdicts: [{ criterion: 'z.1', met: true, evidence: 'x' }] }],
    ['judges twice', { verdicts: [...met.verdicts, ...met.verdicts] }],
    ['gives no evidence', { verdicts: [{ criterion: 'a.1', met: true, evidence: '' }] }],
  ];
  it.each(wrong)('is requested once more, then fails the run: it %s', async (_, bad) => {
    const mended = new RoleModel({ planner: [plan(task('a', judged))], critic: [bad, met] });
    expect((await assistantEngine(mended).run(GOAL)).ended?.status).toBe('completed');
    const broken = new RoleModel({ planner: [plan(task('a', judged))], critic: [bad, bad] });
    expect((await assistantEngine(broken).run(GOAL)).failure?.code).toBe('assistant.verdict_unusable');
  });

  it('is not reused from an earlier round', async () => {
    const unmet = { verdicts: [{ criterion: 'a.1', met: false, evidence: 'no' }] };
    const model = new RoleModel({
      planner: [plan(task('a', judged)), plan(task('a', judged))],
      critic: [unmet, { verdicts: [] }, met],
    });
    expect((await assistantEngine(model).run(GOAL)).output).toMatchObject({ plans: 2 });
  });
});

describe('after a crash', () => {
  /** Runs until something closes the engine, then goes on in a new one on the same ledger. */
  async function crash(before: RoleModel, after: RoleModel, check: (close: () => void) => Json = () => null) {
    const clock = new ManualClock();
    const events = new MemoryEventStore({ clock, random: seededRandom(1) });
    const tool = (close: () => void) => readTool('assistant.check', () => check(close));
    const engine: Engine = assistantEngine(before, {
      events,
      clock,
      more: [tool(() => void engine.close())],
    });
    closing = () => void engine.close();
    const parked = await engine.run(GOAL);
    expect(statusOf(parked)).not.toBe('completed');
    // Ids come from the randomness, and no two processes have the same.
    const random = seededRandom(9);
    const second = assistantEngine(after, { events, clock, random, more: [tool(() => undefined)] });
    const run = await second.resume(parked.id);
    expect(run.ended?.status).toBe('completed');
    expect(await second.replayDecisions(run.id)).toMatchObject({ differences: [], notes: [] });
    return run;
  }
  let closing: () => void = () => undefined;
  const dies = () => {
    closing();
    throw modelError('models.request_failed', 'the process is gone.');
  };

  it('while planning, it continues from the unusable answer', async () => {
    const before = new RoleModel({ planner: [plan(), dies] });
    const after = new RoleModel({ planner: [plan(task('a'))] });
    await crash(before, after);
    expect(after.asked.planner[0]?.messages.at(-1)?.content).toContain('could not be used');
  });

  it('while executing, it requests no new plan and repeats no task', async () => {
    const before = new RoleModel({
      planner: [plan(task('a'), task('b', { depends_on: ['a'] }))],
      executor: ['a is done', dies],
    });
    const after = new RoleModel({});
    const run = await crash(before, after);
    expect(after.asked.planner).toHaveLength(0);
    expect(after.asked.executor).toHaveLength(1);
    expect(run.output).toMatchObject({
      tasks: [{ output: { result: 'a is done' } }, { output: { result: 'did: do b' } }],
    });
  });

  it('while checking, it repeats only the check', async () => {
    const criteria = { acceptance: [{ file_exists: 'x' }, { judge: 'it reads well' }] };
    const before = new RoleModel({ planner: [plan(task('a', criteria))] });
    const after = new RoleModel({
      critic: [{ verdicts: [{ criterion: 'a.2', met: true, evidence: 'seen' }] }],
    });
    await crash(before, after, (close) => {
      close();
      return { results: [{ ok: true, evidence: 'there' }] };
    });
    expect(after.asked.planner).toHaveLength(0);
    expect(after.asked.executor).toHaveLength(0);
  });

  it('while judging, it asks only the critic again', async () => {
    const before = new RoleModel({ planner: [plan(task('a', judged))], critic: [dies] });
    const after = new RoleModel({ critic: [met] });
    await crash(before, after);
    expect(after.asked.planner).toHaveLength(0);
    expect(after.asked.executor).toHaveLength(0);
    expect(after.asked.critic).toHaveLength(1);
  });
});

describe('a scripted model', () => {
  it('plays every role of the loop', async () => {
    const script = {
      turns: [
        { role: 'planner', when: 'rejected', json: plan(task('a', { ...judged, title: 'draft two' })) },
        { role: 'planner', json: plan(task('a', judged)) },
        { role: 'executor', when: 'draft two', text: 'well written' },
        { role: 'executor', text: 'a mess' },
        { role: 'critic', when: 'well written', json: met },
        { role: 'critic', json: { verdicts: [{ criterion: 'a.1', met: false, evidence: 'a mess' }] } },
      ],
    };
    const run = await assistantEngine(new ScriptedProvider(script, new ManualClock())).run(GOAL);
    expect(run.output).toMatchObject({ result: 'well written', plans: 2 });
  });
});
