import { describe, expect, it } from 'vitest';
import type { Json, JsonObject } from '../../kernel/index.ts';
import { computeMetrics } from './compute-metrics.ts';
import type { Figure } from './work-log.ts';

const DAY = Date.parse('2026-01-31T00:00:00Z');

const at = (seconds: number, run: string, type: string, data: JsonObject = {}, manifest?: Json): Figure => ({
  run,
  type,
  at: DAY + seconds * 1_000,
  data,
  ...(manifest === undefined ? {} : { manifest }),
});
const started = (seconds: number, run: string, more: JsonObject = {}, kind = 'agent'): Figure =>
  at(seconds, run, 'run.started', { kind, lineage: { root: run, origin: run, ...more } });

describe('computeMetrics', () => {
  it('returns null rates without data', async () => {
    const { whole, days } = await computeMetrics([], 0);
    expect(days).toEqual([]);
    expect(whole).toMatchObject({
      started: 0,
      completion: { rate: null, n: 0 },
      timeToCompletion: { n: 0, medianMs: null, medianWithoutWaitingMs: null },
      contextPack: { n: 0, medianTokens: null },
      cost: { usd: 0, assumedUsd: 0, unpriced: 0 },
    });
  });

  it('counts work once, even if a new run resumes it after a failure', async () => {
    const { whole } = await computeMetrics(
      [
        started(0, 'a'),
        at(10, 'a', 'run.failed', { code: 'x' }),
        started(100, 'b', { origin: 'a', resumedFrom: 'a' }),
        at(105, 'b', 'run.completed'),
        started(0, 'c'),
        at(1, 'c', 'run.cancelled'),
        started(0, 'd'),
        started(0, 'call', {}, 'call'),
        started(0, 'house', {}, 'maintenance'),
        started(0, 'plan', {}, 'assistant'),
        at(2, 'plan', 'run.completed', { state: 'planned' }),
      ],
      0,
    );
    expect(whole).toMatchObject({ started: 3, open: 1, completion: { rate: 0.5, count: 1, n: 2 } });
    expect(whole.timeToCompletion).toEqual({ n: 1, medianMs: 105_000, medianWithoutWaitingMs: 15_000 });
  });

  it('counts overlapping waits for a person once, and only within the work', async () => {
    const child = { root: 'a', parent: 'a', origin: 'k' };
    const { whole } = await computeMetrics(
      [
        started(0, 'a'),
        at(0, 'k', 'run.started', { kind: 'agent', lineage: child }),
        at(10, 'k', 'approval.requested', { id: '1' }),
        at(15, 'a', 'run.paused'),
        at(20, 'k', 'approval.granted', { id: '1' }),
        at(30, 'a', 'run.unpaused'),
        at(40, 'a', 'question.asked', { id: '2' }),
        at(50, 'a', 'question.answered', { id: '2' }),
        at(60, 'a', 'run.completed'),
      ],
      0,
    );
    expect(whole.timeToCompletion).toEqual({ n: 1, medianMs: 60_000, medianWithoutWaitingMs: 30_000 });
  });

  it('counts rework and corrections', async () => {
    const step = (to: string): JsonObject => ({ kind: 'transition', state: 'critique', to });
    const { whole } = await computeMetrics(
      [
        started(0, 'a', {}, 'assistant'),
        at(1, 'a', 'step.completed', step('plan')),
        at(2, 'a', 'step.completed', step('critique')),
        at(3, 'a', 'step.completed', step('plan')),
        at(4, 'a', 'approval.granted', { id: '1', edited: true }),
        started(0, 'b', {}, 'assistant'),
        started(0, 'c'),
        at(5, 'c', 'run.undone'),
        at(6, 'c', 'run.corrected'),
      ],
      0,
    );
    expect(whole.rework).toEqual({ rate: 0.5, count: 1, n: 2, rejections: 2 });
    expect(whole.corrections).toEqual({ rate: 2 / 3, count: 2, n: 3, edits: 1, undos: 1, corrections: 1 });
  });

  it('sums model costs by the day of spending, and counts unpriced calls', async () => {
    const spend = (cost?: number): JsonObject => ({
      spend: {
        model_calls: 1,
        input_tokens: 10,
        output_tokens: 2,
        ...(cost === undefined ? {} : { cost_usd: cost }),
      },
    });
    const { whole, days } = await computeMetrics(
      [
        started(0, 'a'),
        at(1, 'a', 'step.completed', spend(0.5), { pack: { tokens: 1_000 } }),
        at(2, 'a', 'tool.intended', spend(), { pack: { tokens: 1_010 }, tokens: 4_000 }),
        at(86_400, 'a', 'run.completed', spend(0.25), { tokens: 9 }),
      ],
      0,
    );
    expect(whole.cost).toEqual({
      usd: 0.75,
      assumedUsd: 0,
      modelCalls: 3,
      inputTokens: 30,
      outputTokens: 6,
      unpriced: 1,
    });
    expect(whole.contextPack).toMatchObject({ n: 2, medianTokens: 1_005 });
    expect(days.map(({ day, cost, started: begun }) => [day, cost.usd, begun])).toEqual([
      ['2026-02-01', 0.25, 0],
      ['2026-01-31', 0.5, 1],
    ]);
  });

  it('compares packs of the same goal as history grows, and only those', async () => {
    const run = (second: number, id: string, goal: string, ...items: readonly string[]): Figure[] => [
      { ...started(second, id), goal },
      at(
        second,
        id,
        'step.completed',
        { spend: { model_calls: 1 } },
        {
          pack: { tokens: items.length * 100, items: items.map((item) => ({ kind: 'fact', id: item })) },
        },
      ),
    ];
    const { packStability } = await computeMetrics(
      [
        ...run(0, 'a', 'make tea', 'x', 'y'),
        ...run(1, 'b', 'mow the lawn', 'z'),
        ...run(2, 'c', 'Make  tea', 'x', 'y', 'w'),
        ...run(3, 'd', 'make tea', 'x', 'v', 'u'),
      ],
      0,
    );
    expect(packStability.n).toBe(2);
    expect(packStability.medianKept).toBeCloseTo((1 + 1 / 3) / 2);
    expect(packStability.medianSizeChange).toBeCloseTo(0.25);
    expect((await computeMetrics(run(0, 'a', 'once', 'x'), 0)).packStability).toEqual({
      ...{ n: 0, medianKept: null, medianSizeChange: null },
    });
  });

  it('reports the junk rate, and the lift only with enough work on both sides', async () => {
    const work = (id: string, end: string): Figure[] => [started(0, id), at(1, id, `run.${end}`)];
    const facts = { learned: 10, rejected: 1, superseded: 2, unused: 3 };
    const figures = [
      ...['a', 'b', 'c', 'd', 'e'].flatMap((id) => work(id, 'completed')),
      ...['f', 'g', 'h'].flatMap((id) => work(id, 'completed')),
      ...['i', 'j'].flatMap((id) => work(id, 'failed')),
    ];
    const runsWithFacts = new Set(['a', 'b', 'c', 'd', 'e']);
    const { memory } = await computeMetrics(figures, 0, { facts, runsWithFacts });
    expect(memory.junk).toEqual({ rate: 0.6, count: 6, n: 10, rejected: 1, superseded: 2, unused: 3 });
    expect(memory.lift.points).toBeCloseTo(0.4);
    const corrected = await computeMetrics([...figures, at(2, 'a', 'run.corrected')], 0, {
      facts,
      runsWithFacts,
    });
    expect(corrected.memory.lift.points).toBeCloseTo(0.2);
    const few = await computeMetrics(work('a', 'completed'), 0, { facts, runsWithFacts });
    expect(few.memory.lift).toMatchObject({
      points: null,
      needed: 5,
      withFacts: { n: 1 },
      without: { n: 0 },
    });
  });
});
