// Owns: where an agent stands between two words of its model, and the way through the canonical states that a proposal
// needs. A pure function of the run, so that a replay takes the same way.
import {
  type Decision,
  hasEffects,
  narrowTool,
  type PlanInput,
  type StateGraph,
} from '../../engine/index.ts';
import { goTo } from '../findings.ts';
import { decideOwnCall } from './own-calls.ts';
import { type AskedCall, answersIn, readTurns, type Turn } from './said.ts';

/** What is done next: a decision, or the model has to be asked. */
export type Move = { readonly kind: 'decide'; readonly decision: Decision } | { readonly kind: 'ask' };

const ASK: Move = { kind: 'ask' };
const LONGEST_RATIONALE = 2_000;

/** The next move of a run whose model has said this much. */
export function nextMove(input: PlanInput): Move {
  const { state, evidence } = input;
  if (state === 'intake') return walk('explore', 'the goal is taken in; look before acting');
  const turn = readTurns(evidence).turns.at(-1);
  if (turn === undefined) return ASK;
  const { said } = turn;
  if (said.calls.length === 0) return finish(input, turn);
  const next = nextCall(input, turn);
  if (next !== undefined) return carryOut(input, next, turn);
  return state === 'act' ? walk('validate', 'what was done is looked at before going on') : ASK;
}

/** The first thing to do after the model has just said this. */
export function firstMove(input: PlanInput, turn: Turn): Move {
  if (turn.said.calls.length === 0) return finish(input, turn);
  return carryOut(input, turn.said.calls[0] as AskedCall, turn);
}

/** The next call of the turn that nothing has become of. After a failure nothing is changed any more in that turn. */
function nextCall(input: PlanInput, turn: Turn): AskedCall | undefined {
  const answers = answersIn(turn);
  const next = turn.said.calls[answers.length];
  if (next === undefined) return undefined;
  const failed = answers.some(({ failure }) => failure !== undefined);
  return failed && effectsOf(input, next) ? undefined : next;
}

/** Text without calls ends the run; the way there leads through a state that may end it. */
function finish({ graph, state }: PlanInput, { said }: Turn): Move {
  if (graph.finishFrom(state) === undefined) {
    return walk(towardsEnd(graph, state), 'the model asks for nothing more');
  }
  if (said.finish === 'refused') {
    const reason = said.text.trim() || 'the model refused and did not say why.';
    return decide({ kind: 'fail', code: 'models.refused', reason, rationale: 'the model refused' });
  }
  const cut = said.finish === 'length' ? ' (cut at the longest answer that was allowed)' : '';
  return decide({ kind: 'finish', output: said.text, rationale: `the model has finished${cut}` });
}

function towardsEnd(graph: StateGraph, state: string): string {
  return state === 'act' || !graph.allows(state, 'decide') ? 'validate' : 'decide';
}

function carryOut(input: PlanInput, call: AskedCall, turn: Turn): Move {
  const rationale = (turn.said.text.trim() || `the model asks for ${call.tool}`).slice(0, LONGEST_RATIONALE);
  const own = decideOwnCall(call, rationale.toWellFormed());
  const effects = own === undefined && effectsOf(input, call);
  const through = stateBefore(input.state, effects);
  if (through !== undefined) {
    return walk(
      through,
      effects ? `${call.tool} changes something, so it is done in act` : `${call.tool} only looks`,
    );
  }
  if (own !== undefined) return decide(own);
  // Outcome and transition are one commit where nothing else of this turn has to be done in act.
  const later = turn.said.calls.slice(turn.said.calls.indexOf(call) + 1);
  const leave = effects && !later.some((other) => effectsOf(input, other));
  return decide({
    kind: 'call_tool',
    tool: call.tool,
    input: call.input,
    rationale: rationale.toWellFormed(),
    ...(leave ? { then: 'validate' } : {}),
  });
}

/** The state to enter before a call may be made; undefined when it may be made here. */
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

function effectsOf(input: PlanInput, { tool, input: given }: AskedCall): boolean {
  const face = input.allTools.find(({ name }) => name === tool);
  return face !== undefined && hasEffects(narrowTool(face, given));
}

function walk(to: string, rationale: string): Move {
  return decide(goTo(to, rationale));
}

function decide(decision: Decision): Move {
  return { kind: 'decide', decision };
}
