// Owns: the gate. What a learned procedure has shown so far, against the same kind of goal done without it.
// I1 Only executions that were shown the procedure and followed it speak for it; those that it was learned from are what it
//    is compared with, because they were done without it.
// I2 Nothing that read the words of strangers counts on either side.
import { dayOf } from '../days.ts';
import { NEEDED_EXECUTIONS } from './distil-procedure.ts';
import { followsProcedure } from './follow-procedure.ts';
import { independentExecutions, wentWell } from './independent-executions.ts';
import type { Execution, Figures, LearnedProcedure, Procedure, ProcedureEvidence } from './types.ts';

const DAY_MS = 86_400_000;
/** So long a contradiction stands in the way. */
const RECENT_DAYS = 7;
/** Times that differ by less are the same. */
const SAME_TIME = 0.1;
/** Ends that say nothing about how the work was done. */
const BAD_LUCK = /^(?:models\.|engine\.(?:cancelled|budget_exhausted)$|assistant\.(?:cancelled|budget)$)/;

/** A run that speaks against a procedure. */
export interface Contradiction {
  readonly run: string;
  readonly why: string;
}

/** What a learned procedure has shown so far. */
export interface Standing {
  readonly evidence: ProcedureEvidence;
  readonly contradictions: readonly Contradiction[];
  /** What stands in the way of its promotion, in words; empty when nothing does. */
  readonly waitsFor: readonly string[];
  /** It lacks uses and nothing speaks against it, so that a planner without a model may try it. */
  readonly lacksUses: boolean;
  /** When it was last used with success. */
  readonly lastUsedAt?: number;
}

/** Weighs a learned procedure on the executions of its kind of goal. */
export function weighProcedure(
  record: LearnedProcedure & { readonly procedure: Procedure },
  executions: readonly Execution[],
  now: number,
): Standing {
  const { procedure, since } = record;
  const uses = executions.filter(({ offered, endedAt }) => offered.includes(procedure.id) && endedAt > since);
  const followed = new Set(uses.filter((use) => followsProcedure(use, procedure) !== 'none'));
  const whole = uses.filter((use) => wentWell(use) && followsProcedure(use, procedure) === 'whole');
  const counted = independentExecutions(whole, executions);
  const without = executions.filter((execution) => wentWell(execution) && !followed.has(execution));
  const evidence = {
    with: figuresOf(counted),
    without: figuresOf(independentExecutions(without, executions)),
  };
  const mended = mendedRuns(executions);
  const contradictions = [
    ...uses.flatMap((use) => contradiction(use, procedure, mended)),
    ...executions.flatMap((execution) => withdrawnPrecedent(execution, record)),
  ];
  const last = Math.max(0, ...counted.map(({ endedAt }) => endedAt));
  return {
    evidence,
    contradictions,
    waitsFor: waitsFor(record, evidence, contradictions, now),
    lacksUses:
      counted.length < NEEDED_EXECUTIONS &&
      evidence.without.executions >= NEEDED_EXECUTIONS &&
      contradictions.length === 0 &&
      !isRecentlyContradicted(record, now),
    ...(last > 0 ? { lastUsedAt: last } : {}),
  };
}

/** Figures of executions, for each of them. */
export function figuresOf(executions: readonly Execution[]): Figures {
  const each = (of: (execution: Execution) => number): number =>
    executions.length === 0
      ? 0
      : Math.round((executions.reduce((sum, one) => sum + of(one), 0) / executions.length) * 100) / 100;
  return {
    executions: executions.length,
    runs: executions.map(({ run }) => run),
    medianMs: median(executions.map(({ activeMs }) => activeMs)),
    rejections: each(({ rejections }) => rejections),
    approvals: each(({ approvals }) => approvals),
    refusals: each(({ refusals }) => refusals),
  };
}

/** What is worse and what is better than the baseline. Better as a whole: something is better and nothing worse. */
function compareFigures(
  one: Figures,
  baseline: Figures,
): { readonly better: readonly string[]; readonly worse: readonly string[] } {
  const better: string[] = [];
  const worse: string[] = [];
  const compare = (name: string, mine: number, theirs: number, margin: number): void => {
    if (mine < theirs * (1 - margin)) better.push(name);
    else if (mine > theirs * (1 + margin)) worse.push(name);
  };
  if (one.medianMs !== null && baseline.medianMs !== null)
    compare('median time', one.medianMs, baseline.medianMs, SAME_TIME);
  compare('critic rejections', one.rejections, baseline.rejections, 0);
  compare('approvals and questions', one.approvals, baseline.approvals, 0);
  compare('policy refusals', one.refusals, baseline.refusals, 0);
  return { better, worse };
}

function waitsFor(
  { contradictedAt }: LearnedProcedure,
  evidence: ProcedureEvidence,
  contradictions: readonly Contradiction[],
  now: number,
): readonly string[] {
  const reasons: string[] = [];
  const { with: mine, without: baseline } = evidence;
  if (mine.executions < NEEDED_EXECUTIONS) {
    const so = `${mine.executions} of ${NEEDED_EXECUTIONS} independent executions that were shown it followed it with success`;
    reasons.push(`${so}; copies, forks, resumed runs and the same values on the same day count once`);
  }
  if (baseline.executions < NEEDED_EXECUTIONS) {
    reasons.push(
      `there is no baseline: only ${baseline.executions} of ${NEEDED_EXECUTIONS} independent executions without it are left to compare with`,
    );
  } else if (mine.executions > 0) {
    const { better, worse } = compareFigures(mine, baseline);
    if (worse.length > 0) reasons.push(`it is worse than without it in ${worse.join(', ')}`);
    else if (better.length === 0) reasons.push('it is no better than without it in any figure');
  }
  for (const { run, why } of contradictions) reasons.push(`run ${run} speaks against it: ${why}`);
  if (contradictedAt !== undefined && isRecentlyContradicted({ contradictedAt }, now))
    reasons.push(`it was contradicted on ${dayOf(contradictedAt)}, less than ${RECENT_DAYS} days ago`);
  return reasons;
}

function isRecentlyContradicted(
  { contradictedAt }: Pick<LearnedProcedure, 'contradictedAt'>,
  now: number,
): boolean {
  return contradictedAt !== undefined && now - contradictedAt < RECENT_DAYS * DAY_MS;
}

/** The runs that failed and were then resumed to a good end: what was in the way was not how the work was done. */
function mendedRuns(executions: readonly Execution[]): ReadonlySet<string> {
  const before = new Map(executions.map(({ run, resumedFrom }) => [run, resumedFrom]));
  const mended = new Set<string>();
  for (const { resumedFrom } of executions.filter(wentWell))
    for (let run = resumedFrom; run !== undefined && !mended.has(run); run = before.get(run)) mended.add(run);
  return mended;
}

function contradiction(
  use: Execution,
  procedure: Procedure,
  mended: ReadonlySet<string>,
): readonly Contradiction[] {
  const { run, outcome, failureCode = '', objections } = use;
  if (!tried(use, procedure)) return [];
  if (objections.length > 0) return [{ run, why: `a person ${OBJECTIONS[objections[0] as 'corrected']}` }];
  if (outcome !== 'failed' || mended.has(run) || BAD_LUCK.test(failureCode)) return [];
  return [{ run, why: `it followed the procedure and failed with ${failureCode || 'no code'}` }];
}

const OBJECTIONS = {
  corrected: 'corrected it',
  undone: 'undid it',
  edited: 'changed the arguments of a call',
} as const;

/** It did the first step, or failed at it. */
function tried(use: Execution, procedure: Procedure): boolean {
  if (followsProcedure(use, procedure) !== 'none') return true;
  const first = procedure.steps.find(({ tool }) => tool !== undefined)?.tool;
  return use.setbacks.some((setback) => setback.startsWith(`${first}: `));
}

/** What it was learned from may turn out to have been wrong. */
function withdrawnPrecedent(
  { run, objections }: Execution,
  { precedents }: LearnedProcedure,
): readonly Contradiction[] {
  const objection = objections.find((one) => one !== 'edited');
  if (objection === undefined || !precedents.includes(run)) return [];
  return [{ run, why: `it was learned from this run, and a person ${OBJECTIONS[objection]}` }];
}

function median(values: readonly number[]): number | null {
  if (values.length === 0) return null;
  const sorted = [...values].sort((a, b) => a - b);
  const middle = Math.floor(sorted.length / 2);
  const upper = sorted[middle] as number;
  return sorted.length % 2 === 1 ? upper : (upper + (sorted[middle - 1] as number)) / 2;
}
