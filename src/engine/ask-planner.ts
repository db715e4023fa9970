// Owns: getting one valid decision from a planner within its budget. Does not own: carrying it out.
import { isOkaError, type Json, OkaError, toFailure, toJson } from '../kernel/index.ts';
import { largerOf, type Spend, sumOf } from './budgets.ts';
import { problemWithSpend, readDecision, spendOfAnswer } from './check-decision.ts';
import type { PlanView } from './plan-input.ts';
import type { PlanInput, Planner } from './planner.ts';
import type { Session } from './session.ts';
import type { ArtifactRef, Decision, RecoveryNote } from './types.ts';
import { waitForModel } from './wait-for-model.ts';

/**
 * Asks for a decision, and once more after an invalid answer. Undefined when the run has to wait, was stopped or has
 * failed.
 */
export async function askPlanner(session: Session): Promise<Decision | undefined> {
  const { planner } = session.kind;
  let view = session.view();
  let lost: Spend = {};
  let unusable: string | undefined;
  for (let attempt = 1; ; attempt++) {
    let answer: unknown;
    let problem: string | undefined;
    let spend: Spend | undefined;
    try {
      const again: Spend = usesModel(lost) ? { retries: 1 } : {};
      const estimate = await reserveEstimate(session, view, lost, again);
      if (estimate === undefined) return undefined;
      view.reserved = estimate;
      const before = sumOf(lost, again);
      lost = before;
      view.reserve = async (total) => (await session.budgets.reserve(sumOf(total, before))) === undefined;
      answer = await planner.plan(view);
      // An invalid answer costs what it reports, or else what was reserved for it.
      spend = spendOfAnswer(answer) ?? estimate;
    } catch (error) {
      spend = spendOfError(error, view.reserved);
      if (session.stop.stopped) {
        // The run may be resumed, and then asks again.
        if (usesModel(spend)) await session.budgets.holdForModels(sumOf(spend, lost));
        return undefined;
      }
      if (!isOkaError(error, 'engine.invalid_decision') || attempt === 2 || !mayAskAgain(session, spend)) {
        await waitOrFail(session, error, sumOf(spend, lost));
        return undefined;
      }
      answer = null;
      problem = error.message;
    }
    const read = problem ?? readDecision(answer);
    if (typeof read !== 'string') {
      const decision = repaired(charged(withoutSecrets(session, read), lost), unusable);
      if (!estimatesNothing(planner, view.reserved) || session.budgets.minimumForModels() === undefined)
        return decision;
      const unplanned = spendOfAnswer(answer);
      if (unplanned === undefined || Object.keys(unplanned).length === 0) return decision;
      const message = `The planner ${planner.name} called a model although its budget is used up, and had not estimated the call.`;
      await session.fail({ code: 'engine.budget_exhausted', message }, message, {
        spend: sumOf(unplanned, lost),
      });
      return undefined;
    }
    lost = sumOf(lost, spend ?? {});
    if (attempt === 2 || !mayAskAgain(session, spend)) {
      const message = `The planner ${planner.name} returned ${attempt === 2 ? 'two invalid answers' : 'an invalid answer'}: ${read}.`;
      await session.fail({ code: 'engine.invalid_decision', message }, message, { spend: lost });
      return undefined;
    }
    unusable = read;
    view = session.view({ answer: toJson(answer), problem: read });
  }
}

function usesModel(spend: Spend | undefined): boolean {
  return (spend?.model_calls ?? 0) > 0;
}

/** Asking a model again is a retry. */
function mayAskAgain({ budgets }: Session, spend: Spend | undefined): boolean {
  return !usesModel(spend) || budgets.left('retries') - (spend?.retries ?? 0) >= 1;
}

/** The cost of a planner that threw: what its error reports. If the cost is unknown, all that was reserved is charged. */
function spendOfError(error: unknown, reserved: Spend | undefined): Spend | undefined {
  if (!isOkaError(error)) return reserved;
  const isAnswer = error.code === 'engine.invalid_decision';
  return spendOfAnswer({ model: error.data }) ?? (isAnswer ? reserved : undefined);
}

/** Ends a run whose planner failed, or lets it wait for a model that is busy. */
async function waitOrFail(session: Session, thrown: unknown, spend: Spend): Promise<void> {
  const { run, parts } = session;
  const { error, recovered, received } = withoutContent(thrown);
  const waiting = mayAskAgain(session, spend)
    ? waitForModel(error, run, { now: parts.clock.now(), random: parts.random })
    : { failed: error };
  if (!('failed' in waiting)) {
    const wait = { wait_ms: waiting.busy?.waitMs ?? 0, ...(usesModel(spend) ? { retries: 1 } : {}) };
    return session.park(waiting, sumOf(spend, wait), undefined, recovered);
  }
  const artifacts = received === undefined ? [] : [await keepReceived(session, received)];
  const { message, ...failure } = toFailure(waiting.failed, 'engine.planner_failed');
  const kept = artifacts.map(({ name }) => ` What was received is the artifact ${name} of the run.`);
  await session.fail(
    { ...failure, message: message + kept.join('') },
    `the planner ${session.kind.planner.name} failed`,
    { spend, recovered, artifacts },
  );
}

/** Separates what an error of a model call carries for the record from the error itself. */
function withoutContent(thrown: unknown) {
  if (!isOkaError(thrown)) return { error: thrown };
  const { recovered, received, ...data } = thrown.data;
  const { code, message, transient } = thrown;
  return {
    error: new OkaError(code, message, { data, transient, cause: thrown }),
    recovered: recovered as unknown as readonly RecoveryNote[] | undefined,
    received: typeof received === 'string' ? received : undefined,
  };
}

/** Keeps the text of an answer that was not finished. */
function keepReceived({ parts, run }: Session, text: string): Promise<ArtifactRef> {
  const about = { name: `unfinished-answer-${run.step}.txt`, mediaType: 'text/plain' };
  return parts.artifacts.put(parts.redactor.known(text.toWellFormed()), about);
}

/** Reserves what the planner estimates, besides what was lost before and the retry. Undefined when the run has to wait. */
async function reserveEstimate(
  session: Session,
  view: PlanView,
  lost: Spend,
  again: Spend,
): Promise<Spend | undefined> {
  const { budgets } = session;
  for (let attempt = 1; ; attempt++) {
    const estimate = await checkedEstimate(session, view);
    const missing = await budgets.reserve(sumOf(sumOf(estimate, lost), again));
    if (missing === undefined) return estimate;
    // Another run reserved in between. The planner may do with less.
    if (attempt === 1 && budgets.account.shared) continue;
    await session.park(missing, lost);
    return undefined;
  }
}

async function checkedEstimate(session: Session, view: PlanInput): Promise<Spend> {
  const { planner } = session.kind;
  const estimate = planner.estimate === undefined ? {} : await planner.estimate(view, session.budgets.left);
  const problem = problemWithSpend(estimate);
  if (problem !== undefined) {
    throw new OkaError('engine.planner_failed', `The planner's estimate is invalid: ${problem}.`);
  }
  const least = session.budgets.minimumForModels();
  if (least === undefined || estimatesNothing(planner, estimate)) return estimate;
  return largerOf(estimate, least);
}

/** Planners never see secret values; tools get them by name. */
function withoutSecrets(session: Session, decision: Decision): Decision {
  return session.parts.redactor.known(decision as unknown as Json) as unknown as Decision;
}

/** True when the planner estimated that this step needs no model. Spending anyway fails the run. */
function estimatesNothing(planner: Planner, estimate: Spend | undefined): boolean {
  return planner.estimate !== undefined && Object.keys(estimate ?? {}).length === 0;
}

/** The decision plus the cost of the invalid answers before it. */
function charged(decision: Decision, lost: Spend): Decision {
  if (Object.keys(lost).length === 0) return decision;
  return { ...decision, spend: sumOf(decision.model?.spend ?? {}, lost) };
}

/** Notes the invalid answer before this one: with the model's use, or in the rationale of a planner without a model. */
function repaired(decision: Decision, problem: string | undefined): Decision {
  if (problem === undefined) return decision;
  const { model } = decision;
  if (model === undefined)
    return { ...decision, rationale: `${decision.rationale} (The first answer was invalid: ${problem}.)` };
  const recovered = [...(model.recovered ?? []), { kind: 'repair' as const, message: problem }];
  return { ...decision, model: { ...model, recovered } };
}
