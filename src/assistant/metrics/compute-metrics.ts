import type { EpochMs } from '../../kernel/index.ts';
import { dayOf } from '../../memory/index.ts';
import {
  type Figure,
  type Interval,
  type LearnedFacts,
  type ModelSpend,
  type PackSeen,
  readWork,
  type Work,
} from './work-log.ts';

/** Computes the metrics of all work started since a time, in total and by day. A pure function of the events. */
export async function computeMetrics(
  figures: Iterable<Figure> | AsyncIterable<Figure>,
  since: EpochMs,
  memory: { readonly facts: LearnedFacts; readonly runsWithFacts: ReadonlySet<string> } = NO_MEMORY,
) {
  const { work, spends, packs } = await readWork(figures, memory.runsWithFacts);
  const days = new Set([...work.map(({ startedAt }) => startedAt), ...spends.map(({ at }) => at)].map(dayOf));
  return {
    since,
    whole: figuresOf(work, spends),
    packStability: stabilityOf(packs),
    memory: memoryFigures(memory.facts, work),
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

const NO_MEMORY = {
  facts: { learned: 0, rejected: 0, superseded: 0, unused: 0 },
  runsWithFacts: new Set<string>(),
};

/** Fewer runs on one side say nothing about the other. */
const MIN_COMPARED = 5;

/** The share of learned facts that were of no use, and what facts add to the success of work. */
function memoryFigures({ learned, rejected, superseded, unused }: LearnedFacts, work: readonly Work[]) {
  const ended = work.filter(({ status }) => status !== 'open');
  const completed = (group: readonly Work[]) =>
    share(
      group.filter(({ status, undos, corrections }) => status === 'completed' && undos + corrections === 0)
        .length,
      group.length,
    );
  const withFacts = completed(ended.filter(({ usedFacts }) => usedFacts));
  const without = completed(ended.filter(({ usedFacts }) => !usedFacts));
  const isEnough = Math.min(withFacts.n, without.n) >= MIN_COMPARED;
  return {
    junk: { ...share(rejected + superseded + unused, learned), rejected, superseded, unused },
    lift: {
      /** The difference of the two rates; null with too little data. */
      points: isEnough ? (withFacts.rate ?? 0) - (without.rate ?? 0) : null,
      needed: MIN_COMPARED,
      withFacts,
      without,
    },
  };
}

/** Compares each pack with the one before it for the same goal, while history grew between them. */
function stabilityOf(packs: readonly PackSeen[]) {
  const last = new Map<string, PackSeen>();
  const sizeChanges: number[] = [];
  const kept: number[] = [];
  for (const pack of packs) {
    const before = last.get(pack.goal);
    last.set(pack.goal, pack);
    if (before === undefined) continue;
    sizeChanges.push(Math.abs(pack.tokens - before.tokens) / Math.max(1, before.tokens));
    const same = [...before.items].filter((item) => pack.items.has(item)).length;
    kept.push(before.items.size === 0 ? 1 : same / before.items.size);
  }
  return { n: kept.length, medianKept: quantile(kept, 0.5), medianSizeChange: quantile(sizeChanges, 0.5) };
}

function figuresOf(work: readonly Work[], spends: readonly ModelSpend[]) {
  const ended = work.filter(({ status }) => status !== 'open');
  const completed = work.filter(({ status }) => status === 'completed');
  const goals = work.filter(({ isGoal }) => isGoal);
  const total = (of: (one: Work) => number): number => work.reduce((sum, one) => sum + of(one), 0);
  return {
    started: work.length,
    open: work.length - ended.length,
    completion: {
      ...share(completed.length, ended.length),
      partial: work.filter(({ status }) => status === 'partial').length,
      unproven: work.filter(({ status }) => status === 'unproven').length,
    },
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
  return { n: tokens.length, medianTokens: median };
}

function costOf(spends: readonly ModelSpend[]) {
  const total = (name: string): number =>
    spends.reduce((sum, { spend }) => sum + Number(spend[name] ?? 0), 0);
  return {
    usd: total('cost_usd'),
    assumedUsd: total('assumed_cost_usd'),
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
