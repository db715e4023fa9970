// Owns: assessing a learned procedure against executions of the same kind of goal without it.
// I1 Only executions that were offered the procedure and followed it count for it. The ones it was learned from belong to the
//    baseline, because they were done without it.
// I2 Executions that read untrusted content count on neither side.
import { type Json, type JsonObject, sameJson } from '../../kernel/index.ts';
import { dayOf } from '../days.ts';
import { NEEDED_EXECUTIONS } from './distil-procedure.ts';
import { fillTemplate, isJsonObject, slotValues, tidyPath } from './goal-kind.ts';
import { hasSucceeded, independentExecutions } from './independent-executions.ts';
import type {
  ExecutedCall,
  Execution,
  Figures,
  LearnedProcedure,
  Procedure,
  ProcedureEvidence,
  ProcedureStep,
} from './types.ts';

const DAY_MS = 86_400_000;
/** A contradiction prevents a promotion for this long. */
const RECENT_DAYS = 7;
/** Smaller relative differences count as equal. */
const TIME_TOLERANCE = 0.1;
/** Failures that are not caused by the procedure. */
const UNRELATED_FAILURE =
  /^(?:models\.|engine\.(?:cancelled|budget_exhausted)$|assistant\.(?:cancelled|budget)$)/;

export interface Contradiction {
  readonly run: string;
  readonly why: string;
}

export interface Assessment {
  readonly evidence: ProcedureEvidence;
  readonly contradictions: readonly Contradiction[];
  /** Why it cannot be promoted yet; empty if it can. */
  readonly waitsFor: readonly string[];
  /** It only lacks uses, so that a planner without a model may try it. */
  readonly lacksUses: boolean;
  /** The end of the last successful use. */
  readonly lastUsedAt?: number;
}

/** Assesses a learned procedure by the executions of its kind of goal. */
export function assessProcedure(
  record: LearnedProcedure & { readonly procedure: Procedure },
  executions: readonly Execution[],
  now: number,
): Assessment {
  const { procedure, since } = record;
  const uses = executions.filter(({ offered, endedAt }) => offered.includes(procedure.id) && endedAt > since);
  const followed = new Set(uses.filter((use) => followsProcedure(use, procedure) !== 'none'));
  const whole = uses.filter((use) => hasSucceeded(use) && followsProcedure(use, procedure) === 'whole');
  const counted = independentExecutions(whole, executions);
  const without = executions.filter((execution) => hasSucceeded(execution) && !followed.has(execution));
  const evidence = {
    with: figuresOf(counted),
    without: figuresOf(independentExecutions(without, executions)),
  };
  const recovered = recoveredRuns(executions);
  const contradictions = [
    ...uses.flatMap((use) => contradiction(use, procedure, recovered)),
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
      !isRecent(record.contradictedAt, now),
    ...(last > 0 ? { lastUsedAt: last } : {}),
  };
}

/** The average figures of executions. */
export function figuresOf(executions: readonly Execution[]): Figures {
  const mean = (name: 'rejections' | 'approvals' | 'refusals'): number => {
    const sum = executions.reduce((total, execution) => total + execution[name], 0);
    return executions.length === 0 ? 0 : Math.round((sum / executions.length) * 100) / 100;
  };
  return {
    executions: executions.length,
    runs: executions.map(({ run }) => run),
    medianMs: median(executions.map(({ activeMs }) => activeMs)),
    rejections: mean('rejections'),
    approvals: mean('approvals'),
    refusals: mean('refusals'),
  };
}

/** The figures that are better and those that are worse than the baseline. */
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
    compare('median time', one.medianMs, baseline.medianMs, TIME_TOLERANCE);
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
    const uses = `${mine.executions} of ${NEEDED_EXECUTIONS} independent executions followed it successfully`;
    reasons.push(`${uses}; copies, forks, resumed runs and the same values on the same day count once`);
  }
  if (baseline.executions < NEEDED_EXECUTIONS) {
    reasons.push(
      `no baseline: ${baseline.executions} of ${NEEDED_EXECUTIONS} independent executions without it to compare with`,
    );
  } else if (mine.executions > 0) {
    const { better, worse } = compareFigures(mine, baseline);
    if (worse.length > 0) reasons.push(`it is worse than the baseline in ${worse.join(', ')}`);
    else if (better.length === 0) reasons.push('it is not better than the baseline in any figure');
  }
  for (const { run, why } of contradictions) reasons.push(`run ${run} contradicts it: ${why}`);
  if (isRecent(contradictedAt, now))
    reasons.push(`it was contradicted on ${dayOf(contradictedAt)}, less than ${RECENT_DAYS} days ago`);
  return reasons;
}

function isRecent(at: number | undefined, now: number): at is number {
  return at !== undefined && now - at < RECENT_DAYS * DAY_MS;
}

/** The failed runs that succeeded after they were resumed: the procedure did not cause the failure. */
function recoveredRuns(executions: readonly Execution[]): ReadonlySet<string> {
  const before = new Map(executions.map(({ run, resumedFrom }) => [run, resumedFrom]));
  const recovered = new Set<string>();
  for (const { resumedFrom } of executions.filter(hasSucceeded))
    for (let run = resumedFrom; run !== undefined && !recovered.has(run); run = before.get(run))
      recovered.add(run);
  return recovered;
}

function contradiction(
  use: Execution,
  procedure: Procedure,
  recovered: ReadonlySet<string>,
): readonly Contradiction[] {
  const { run, outcome, failureCode = '', objections } = use;
  if (!hasTried(use, procedure)) return [];
  if (objections.length > 0) return [{ run, why: `a person ${OBJECTIONS[objections[0] as 'corrected']}` }];
  if (outcome !== 'failed' || recovered.has(run) || UNRELATED_FAILURE.test(failureCode)) return [];
  return [{ run, why: `it followed the procedure and failed with ${failureCode || 'no code'}` }];
}

const OBJECTIONS = {
  corrected: 'corrected it',
  undone: 'undid it',
  edited: 'changed the arguments of a call',
} as const;

/** Whether it did the first step or failed at it. */
function hasTried(use: Execution, procedure: Procedure): boolean {
  if (followsProcedure(use, procedure) !== 'none') return true;
  const first = procedure.steps.find(({ tool }) => tool !== undefined)?.tool;
  return use.setbacks.some((setback) => setback.startsWith(`${first}: `));
}

/** A run that it was learned from may later be corrected or undone. */
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

/** How much of a procedure an execution did: all steps in order, the first ones, or none. */
type Following = 'whole' | 'part' | 'none';

/** Compares the calls of an execution with the steps of a procedure. Calls in between are ignored. */
function followsProcedure(execution: Execution, procedure: Pick<Procedure, 'steps'>): Following {
  const values = slotValues(execution.kind);
  const wanted = procedure.steps.filter(({ tool }) => tool !== undefined);
  let done = 0;
  for (const call of execution.calls) {
    const step = wanted[done];
    if (step === undefined) break;
    if (matchesStep(call, step, values)) done += 1;
  }
  if (wanted.length > 0 && done === wanted.length) return 'whole';
  return done > 0 ? 'part' : 'none';
}

function matchesStep(call: ExecutedCall, step: ProcedureStep, values: JsonObject): boolean {
  if (call.tool !== step.tool) return false;
  if (step.input === undefined) return true;
  const wanted = fillTemplate(step.input, values);
  return wanted !== undefined && isEqual(call.input, wanted);
}

/** Paths may be spelled differently. */
function isEqual(given: Json, wanted: Json): boolean {
  if (typeof given === 'string' && typeof wanted === 'string')
    return given === wanted || tidyPath(given) === tidyPath(wanted);
  if (!isJsonObject(given) || !isJsonObject(wanted)) return sameJson(given, wanted);
  const names = new Set([...Object.keys(given), ...Object.keys(wanted)]);
  return [...names].every((name) => {
    const [one, other] = [given[name], wanted[name]];
    return one !== undefined && other !== undefined && isEqual(one, other);
  });
}
