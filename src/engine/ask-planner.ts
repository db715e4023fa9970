// Owns: getting one usable decision out of a planner, within its budget. Does not own: what is done with it.
import { type Json, OkaError, toFailure, toJson } from '../kernel/index.ts';
import { addSpend, type BudgetName, type Spend } from './budgets.ts';
import { problemWithSpend, readDecision, spendOfAnswer } from './check-decision.ts';
import type { PlanInput, Planner } from './planner.ts';
import type { SessionCore } from './session-core.ts';
import type { Decision } from './types.ts';

/** The planner's decision. Undefined when the run cannot go on for now, or has ended over it. */
export function askPlanner(core: SessionCore): Decision | undefined | Promise<Decision | undefined> {
  const { planner } = core.kind;
  if (planner.estimate !== undefined || core.desk.leastForModels() !== undefined) return ask(core);
  let answer: unknown;
  try {
    answer = planner.plan(core.view());
  } catch (error) {
    return ask(core, Promise.reject(error as Error));
  }
  if (answer instanceof Promise) return ask(core, answer);
  const read = readDecision(answer);
  return typeof read === 'string' ? ask(core, Promise.resolve(answer)) : withoutSecrets(core, read);
}

/** Asks, and once more after an answer that cannot be used. `under` is the first question when it is already put. */
async function ask(core: SessionCore, under?: Promise<unknown>): Promise<Decision | undefined> {
  const { planner } = core.kind;
  let view = core.view();
  let lost: Spend = {};
  for (let attempt = 1; ; attempt++) {
    let answer: unknown;
    let estimate: Spend = {};
    try {
      if (attempt === 1 && under !== undefined) answer = await under;
      else {
        estimate = checkedEstimate(core, view);
        if (!(await core.enough(sum(estimate, lost), lost))) return undefined;
        answer = await planner.plan(view);
      }
    } catch (error) {
      if (core.stop.stopped) return undefined;
      const spend = sum(estimate, lost);
      await core.fail(toFailure(error, 'engine.planner_failed'), `the planner ${planner.name} gave up`, {
        spend,
      });
      return undefined;
    }
    const read = readDecision(answer);
    if (typeof read !== 'string') {
      const decision = charged(withoutSecrets(core, read), lost);
      if (!saidNothing(planner, estimate) || core.desk.leastForModels() === undefined) return decision;
      const spend = spendOfAnswer(answer);
      if (spend === undefined || Object.keys(spend).length === 0) return decision;
      const message = `the planner ${planner.name} asked a model although the budget for it is used up, and had not said so.`;
      await core.fail({ code: 'engine.budget_exhausted', message }, message, { spend: sum(spend, lost) });
      return undefined;
    }
    // Nobody knows better what an unusable answer has cost than what was set aside for it.
    lost = sum(lost, spendOfAnswer(answer) ?? estimate);
    if (attempt === 2) {
      const message = `the planner ${planner.name} twice gave an answer that cannot be used: ${read}.`;
      await core.fail({ code: 'engine.invalid_decision', message }, message, { spend: lost });
      return undefined;
    }
    view = core.view({ answer: toJson(answer), problem: read });
  }
}

function checkedEstimate(core: SessionCore, view: PlanInput): Spend {
  const estimate = core.kind.planner.estimate?.(view) ?? {};
  const problem = problemWithSpend(estimate);
  if (problem !== undefined) {
    throw new OkaError('engine.planner_failed', `the planner's estimate cannot be used: ${problem}.`);
  }
  const least = core.desk.leastForModels();
  if (least === undefined || saidNothing(core.kind.planner, estimate)) return estimate;
  const need: { [name in BudgetName]?: number } = { ...estimate };
  for (const key in least) {
    const name = key as BudgetName;
    need[name] = Math.max(need[name] ?? 0, least[name] ?? 0);
  }
  return need;
}

/** A planner has no business with the values of secrets; tools get them by name. */
function withoutSecrets(core: SessionCore, decision: Decision): Decision {
  return core.parts.redactor.known(decision as unknown as Json) as unknown as Decision;
}

/** True when the planner has said that this step needs no model. It is believed, and held to it. */
function saidNothing(planner: Planner, estimate: Spend): boolean {
  return planner.estimate !== undefined && Object.keys(estimate).length === 0;
}

/** The decision, with what was spent on answers that could not be used charged to it as well. */
function charged(decision: Decision, lost: Spend): Decision {
  if (Object.keys(lost).length === 0) return decision;
  return { ...decision, spend: sum(decision.model?.spend ?? {}, lost) };
}

function sum(a: Spend, b: Spend): Spend {
  const total: { [name in BudgetName]?: number } = { ...a };
  addSpend(total, b);
  return total;
}
