import type { EpochMs } from '../../kernel/index.ts';
import { dayOf } from '../../memory/index.ts';
import { type Figure, type Interval, type ModelSpend, readWork, type Work } from './work-log.ts';

/** Computes the metrics of all work started since a time, in total and by day. A pure function of the events. */
export function computeMetrics(figures: Iterable<Figure>, since: EpochMs) {
  const { work, spends } = readWork(figures);
  const days = new Set([...work.map(({ startedAt }) => startedAt), ...spends.map(({ at }) => at)].map(dayOf));
  return {
    since,
    whole: figuresOf(work, spends),
    days: [...days]
      .sort()
      .reverse()
      .map((day) => ({
        day,
        ...figuresOf(
          work.filter(({ startedAt }) => dayOf(startedAt) === day),
          spends.filter(({ at }) => dayOf(at) === day),
        ),
      })),
  };
}

function figuresOf(work: readonly Work[], spends: readonly ModelSpend[]) {
  const ended = work.filter(({ status }) => status !== 'open');
  const completed = work.filter(({ status }) => status === 'completed');
  const goals = work.filter(({ isGoal }) => isGoal);
  const total = (of: (one: Work) => number): number => work.reduce((sum, one) => sum + of(one), 0);
  return {
    started: work.length,
    open: work.length - ended.length,
    completion: share(completed.length, ended.length),
    rework: {
      ...share(goals.filter(({ rejections }) => rejections > 0).length, goals.length),
      rejections: total(({ rejections }) => rejections),
    },
    timeToCompletion: {
      n: completed.length,
      medianMs: quantile(completed.map(duration), 0.5),
      medianWithoutWaitingMs: quantile(
        completed.map((one) => duration(one) - waited(one)),
        0.5,
      ),
    },
    corrections: {
      ...share(
        work.filter(({ edits, undos, corrections }) => edits + undos + corrections > 0).length,
        work.length,
      ),
      edits: total(({ edits }) => edits),
      undos: total(({ undos }) => undos),
      corrections: total(({ corrections }) => corrections),
    },
    contextPack: packFigures(spends.flatMap(({ packTokens }) => packTokens ?? [])),
    cost: costOf(spends),
  };
}

function share(count: number, n: number) {
  return { rate: n === 0 ? null : count / n, count, n };
}

function duration({ startedAt, endedAt = startedAt }: Work): number {
  return endedAt - startedAt;
}

/** The time spent waiting for a person; overlapping waits count once. */
function waited({ startedAt, endedAt = startedAt, waits }: Work): number {
  let total = 0;
  let covered = startedAt;
  for (const { from, to } of [...waits].sort((one, other) => one.from - other.from) as Interval[]) {
    const begin = Math.max(from, covered);
    const end = Math.min(to, endedAt);
    if (end <= begin) continue;
    total += end - begin;
    covered = end;
  }
  return total;
}

function packFigures(tokens: readonly number[]) {
  const median = quantile(tokens, 0.5);
  const [low, high] = [quantile(tokens, 0.1), quantile(tokens, 0.9)];
  const spread = median === null || median === 0 ? null : ((high ?? 0) - (low ?? 0)) / median;
  return { n: tokens.length, medianTokens: median, spread };
}

function costOf(spends: readonly ModelSpend[]) {
  const total = (name: string): number =>
    spends.reduce((sum, { spend }) => sum + Number(spend[name] ?? 0), 0);
  return {
    usd: total('cost_usd'),
    modelCalls: total('model_calls'),
    inputTokens: total('input_tokens'),
    outputTokens: total('output_tokens'),
    unpriced: spends.filter(({ unpriced }) => unpriced).length,
  };
}

/** The quantile with linear interpolation; null for an empty list. */
function quantile(numbers: readonly number[], part: number): number | null {
  const sorted = [...numbers].sort((one, other) => one - other);
  if (sorted.length === 0) return null;
  const place = (sorted.length - 1) * part;
  const below = sorted[Math.floor(place)] as number;
  const above = sorted[Math.ceil(place)] as number;
  return below + (above - below) * (place - Math.floor(place));
}
