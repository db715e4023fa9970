import type { AskHuman, CallTool, Decision, Evidence, Fail, PlanInput } from '../engine/index.ts';
import { asObject, type JsonObject } from '../kernel/index.ts';
import type { AgentErrorCode } from './types.ts';

/** For tools that return a part unless they are asked for more. */
export const NO_LIMIT: number = Number.MAX_SAFE_INTEGER;

/** The evidence of a tool's calls, oldest first. */
export function callsOf(input: PlanInput, tool: string): Evidence[] {
  return input.evidence.filter((evidence) => evidence.source === 'tool' && evidence.tool === tool);
}

/** The newest call of a tool for a path. */
export function callFor(input: PlanInput, tool: string, path: string): Evidence | undefined {
  return callsOf(input, tool).findLast((call) => asObject(call.input)['path'] === path);
}

/** Whether a simulation withheld the call. */
export function isWithheld(made: Evidence | undefined): boolean {
  return asObject(made?.output)['simulated'] === true;
}

/** A person's answer to a question of this run, if there is one. */
export function answerTo(input: PlanInput, question: string): string | undefined {
  const answered = input.evidence.findLast(
    (evidence) => evidence.source === 'person' && asObject(evidence.output)['question'] === question,
  );
  const answer = asObject(answered?.output)['answer'];
  return typeof answer === 'string' ? answer : undefined;
}

const MISSES = ['files.not_found', 'files.not_text', 'files.not_a_file', 'files.not_a_folder'];

/** A call of a plan by rules. What a read does not find is an answer: the plan uses it, or ends the run with it. */
export function call(tool: string, input: JsonObject, rationale: string): CallTool {
  return { kind: 'call_tool', tool, input, rationale, expects: MISSES };
}

export function fail(code: AgentErrorCode, reason: string, rationale: string): Fail {
  return { kind: 'fail', code, reason, rationale };
}

/** A failed call ends the run with the call's own reason. */
export function failWith(failed: Evidence): Fail {
  const { code, message } = failed.failure ?? { code: 'engine.tool_failed', message: 'it gave no reason.' };
  return {
    kind: 'fail',
    code,
    reason: message,
    rationale: `${failed.tool} failed, and there is no other way`,
  };
}

export function goTo(to: string, rationale: string): Decision {
  return { kind: 'transition', to, rationale };
}

export function ask(question: string, rationale: string, options?: readonly string[]): AskHuman {
  return { kind: 'ask_human', question, rationale, ...(options === undefined ? {} : { options }) };
}

/** A copy with changes. Copies each member by name, because some are getters. */
export function changedInput(input: PlanInput, changes: Partial<PlanInput>): PlanInput {
  const { goal, state, graph, evidence, allTools, eligibleTools, budgets, vars, visit, latest, run, signal } =
    input;
  const { reserved } = input;
  const whole: PlanInput['whole'] = (artifact) => input.whole(artifact);
  return {
    goal,
    state,
    graph,
    evidence,
    allTools,
    eligibleTools,
    budgets,
    vars,
    visit,
    latest,
    run,
    signal,
    ...(reserved && { reserved }),
    ...(input.reserve && { reserve: (total) => input.reserve?.(total) ?? Promise.resolve(false) }),
    whole,
    ...changes,
  };
}
