import { describe, expect, it } from 'vitest';
import { SqlRunFigures } from '../../src/adapters/sql/index.ts';
import type { FiguresView } from '../../src/api/index.ts';
import { computeMetrics } from '../../src/assistant/index.ts';
import type { Engine } from '../../src/engine/index.ts';
import { answer, assistantEngine, GOAL, plan, RoleModel, task } from '../assistant/assistant-kit.ts';
import { ManualClock } from '../support/manual-clock.ts';
import { openTestLedger } from '../support/open-test-ledger.ts';
import { tempFolder } from '../support/temp-folder.ts';

/** An engine on a real ledger, and the figures of what it has done. */
async function counted(
  model: RoleModel,
  work: (engine: Engine, clock: ManualClock) => Promise<unknown>,
): Promise<FiguresView> {
  const clock = new ManualClock();
  const ledger = openTestLedger(tempFolder(), { clock });
  const engine = assistantEngine(model, { clock, events: ledger.events, runs: ledger.runs });
  await work(engine, clock);
  const { whole } = await computeMetrics(new SqlRunFigures(ledger.tables).read(0), 0);
  await ledger.close();
  return whole;
}

describe('the figures of a real ledger', () => {
  it('count a rejected plan as rework, and every model call', async () => {
    const judged = { acceptance: [{ judge: 'it reads well' }] };
    const verdict = (met: boolean) => ({ verdicts: [{ criterion: 'a.1', met, evidence: 'seen' }] });
    const model = new RoleModel({
      planner: [plan(task('a', judged)), plan(task('a', { ...judged, title: 'do a better' }))],
      critic: [verdict(false), verdict(true)],
    });
    const figures = await counted(model, (engine) => engine.run(GOAL));
    expect(figures).toMatchObject({
      started: 1,
      completion: { rate: 1, n: 1 },
      rework: { rate: 1, n: 1, rejections: 1 },
      corrections: { rate: 0, n: 1 },
    });
    const { planner, critic, executor } = model.asked;
    const calls = planner.length + critic.length + executor.length;
    expect(figures.cost).toMatchObject({ modelCalls: calls, inputTokens: 10 * calls, unpriced: calls });
  });

  it('leave out the time that a person took to answer, and count their corrections', async () => {
    const model = new RoleModel({ planner: [plan(task('a'))] });
    const figures = await counted(model, async (engine, clock) => {
      const waiting = await engine.run({ ...GOAL, vars: { ...GOAL.vars, autonomy: 'manual' } });
      clock.advance(3_600_000);
      const done = await answer(engine, waiting, 'go on');
      await engine.correct(done.id, 'say it shorter', 'ann');
    });
    expect(figures.timeToCompletion).toEqual({ n: 1, medianMs: 3_600_000, medianWithoutWaitingMs: 0 });
    expect(figures.corrections).toMatchObject({ count: 1, corrections: 1 });
  });
});
