// Owns: the decisions of an agent between two calls of its model, and the transitions that a requested call needs. A pure
// function of the run, so that a replay decides the same.
import {
  type Decision,
  hasEffects,
  narrowTool,
  type PlanInput,
  type StateGraph,
} from '../../engine/index.ts';
import { OkaError } from '../../kernel/index.ts';
import { goTo } from '../findings.ts';
import { decideOwnCall } from './own-calls.ts';
import { answersTask, readTaskResult } from './task-result.ts';
import { answersIn, type RequestedCall, readTurns, type Turn } from './turns.ts';

const MAX_RATIONALE_LENGTH = 2_000;

/** The next decision of a run; undefined when the model must be called. */
export function nextDecision(input: PlanInput): Decision | undefined {
  const { state, evidence } = input;
  if (state === 'intake') return goTo('explore', 'the goal is accepted; explore before acting');
  const turn = readTurns(evidence).turns.at(-1);
  if (turn === undefined) return undefined;
  if (turn.answer.calls.length === 0) return finish(input, turn);
  const next = nextCall(input, turn);
  if (next !== undefined) return makeCall(input, next, turn);
  return state === 'act' ? goTo('validate', 'validate the changes before the next turn') : undefined;
}

/** The first decision after an answer of the model. */
export function firstDecision(input: PlanInput, turn: Turn): Decision {
  const [first] = turn.answer.calls;
  return first === undefined ? finish(input, turn) : makeCall(input, first, turn);
}

/** The next unanswered call of the turn. After a failure the turn makes no more calls with effects. */
function nextCall(input: PlanInput, turn: Turn): RequestedCall | undefined {
  const answers = answersIn(turn);
  const next = turn.answer.calls[answers.length];
  if (next === undefined) return undefined;
  const failed = answers.some(({ failure }) => failure !== undefined);
  return failed && effectsOf(input, next) ? undefined : next;
}

/** Text without calls ends the run, from a state that may end it. */
function finish({ graph, state, vars }: PlanInput, { answer }: Turn): Decision {
  if (graph.finishFrom(state) === undefined)
    return goTo(towardsEnd(graph, state), 'the model requests no more calls');
  // Only runs of earlier versions have recorded an answer that was refused or cut.
  if (answer.finish === 'refused') {
    const reason = answer.text.trim() || 'the model refused and did not say why.';
    return { kind: 'fail', code: 'models.refused', reason, rationale: 'the model refused' };
  }
  const cut = answer.finish === 'length' ? ' (cut at the output limit)' : '';
  const read = answersTask(vars) ? readTaskResult(answer.text) : { output: answer.text };
  if ('problem' in read) throw new OkaError('kernel.bug', `An unusable answer was recorded: ${read.problem}`);
  return { kind: 'finish', output: read.output, rationale: `the model has finished${cut}` };
}

function towardsEnd(graph: StateGraph, state: string): string {
  return state === 'act' || !graph.allows(state, 'decide') ? 'validate' : 'decide';
}

function makeCall(input: PlanInput, call: RequestedCall, turn: Turn): Decision {
  const rationale = (turn.answer.text.trim() || `the model requests ${call.tool}`).slice(
    0,
    MAX_RATIONALE_LENGTH,
  );
  const own = decideOwnCall(call, rationale.toWellFormed());
  const effects = own === undefined && effectsOf(input, call);
  const through = stateBefore(input.state, effects);
  if (through !== undefined)
    return goTo(through, effects ? `${call.tool} has effects, so it runs in act` : `${call.tool} only reads`);
  if (own !== undefined) return own;
  // Outcome and transition are one commit if no other call of this turn needs act.
  const later = turn.answer.calls.slice(turn.answer.calls.indexOf(call) + 1);
  const leave = effects && !later.some((other) => effectsOf(input, other));
  return {
    kind: 'call_tool',
    tool: call.tool,
    input: call.input,
    rationale: rationale.toWellFormed(),
    ...(leave ? { then: 'validate' } : {}),
  };
}

/** The state to enter before a call; undefined when the current state allows it. */
function stateBefore(state: string, effects: boolean): string | undefined {
  if (!effects) return state === 'act' ? 'validate' : undefined;
  switch (state) {
    case 'act':
      return undefined;
    case 'decide':
      return 'act';
    case 'validate':
      return 'explore';
    default:
      return 'decide';
  }
}

function effectsOf(input: PlanInput, { tool, input: given }: RequestedCall): boolean {
  const face = input.allTools.find(({ name }) => name === tool);
  return face !== undefined && hasEffects(narrowTool(face, given));
}
