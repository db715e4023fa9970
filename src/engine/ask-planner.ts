// Owns: getting one valid decision from a planner within its budget. Does not own: carrying it out.
import { type Json, OkaError, toFailure, toJson } from '../kernel/index.ts';
import { largerOf, type Spend, sumOf } from './budgets.ts';
import { problemWithSpend, readDecision, spendOfAnswer } from './check-decision.ts';
import type { PlanInput, Planner } from './planner.ts';
import type { Session } from './session.ts';
import type { Decision } from './types.ts';

/**
 * Asks for a decision, and once more after an invalid answer. Undefined when the run has to wait, was stopped or has
 * failed.
 */
export async function askPlanner(session: Session): Promise<Decision | undefined> {
  const { planner } = session.kind;
  let view = session.view();
  let lost: Spend = {};
  let problem: string | undefined;
  for (let attempt = 1; ; attempt++) {
    let answer: unknown;
    let estimate: Spend = {};
    try {
      estimate = checkedEstimate(session, view);
      if (!(await session.reserveOrPark(sumOf(estimate, lost), lost))) return undefined;
      answer = await planner.plan(view);
    } catch (error) {
      if (session.stop.stopped) return undefined;
      const failure = toFailure(error, 'engine.planner_failed');
      const spend = sumOf(estimate, lost);
      await session.fail(failure, `the planner ${planner.name} failed`, { spend });
      return undefined;
    }
    const read = readDecision(answer);
    if (typeof read !== 'string') {
      const decision = repaired(charged(withoutSecrets(session, read), lost), problem);
      if (!estimatesNothing(planner, estimate) || session.budgets.minimumForModels() === undefined)
        return decision;
      const spend = spendOfAnswer(answer);
      if (spend === undefined || Object.keys(spend).length === 0) return decision;
      const message = `The planner ${planner.name} called a model although its budget is used up, and had not estimated the call.`;
      await session.fail({ code: 'engine.budget_exhausted', message }, message, {
        spend: sumOf(spend, lost),
      });
      return undefined;
    }
    // An invalid answer costs what it reports, or else what was reserved for it.
    lost = sumOf(lost, spendOfAnswer(answer) ?? estimate);
    if (attempt === 2) {
      const message = `The planner ${planner.name} returned two invalid answers: ${read}.`;
      await session.fail({ code: 'engine.invalid_decision', message }, message, { spend: lost });
      return undefined;
    }
    problem = read;
    view = session.view({ answer: toJson(answer), problem });
  }
}

function checkedEstimate(session: Session, view: PlanInput): Spend {
  const estimate = session.kind.planner.estimate?.(view) ?? {};
  const problem = problemWithSpend(estimate);
  if (problem !== undefined) {
    throw new OkaError('engine.planner_failed', `The planner's estimate is invalid: ${problem}.`);
  }
  const least = session.budgets.minimumForModels();
  if (least === undefined || estimatesNothing(session.kind.planner, estimate)) return estimate;
  return largerOf(estimate, least);
}

/** Planners never see secret values; tools get them by name. */
function withoutSecrets(session: Session, decision: Decision): Decision {
  return session.parts.redactor.known(decision as unknown as Json) as unknown as Decision;
}

/** True when the planner estimated that this step needs no model. Spending anyway fails the run. */
function estimatesNothing(planner: Planner, estimate: Spend): boolean {
  return planner.estimate !== undefined && Object.keys(estimate).length === 0;
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
