import { type BuiltInMiddleware, refuse } from '../middleware.ts';

/** A tool may be called only in a state that lists it; a state may be entered only along an edge. */
export const checkEligibility: BuiltInMiddleware = {
  name: 'eligibility',
  checkDecision({ decision, graph, run, tool }) {
    if (decision.kind !== 'call_tool') return undefined;
    if (tool === undefined || !graph.eligible(run.state, tool)) {
      return refuse(
        'engine.tool_not_eligible',
        `${decision.tool} may not be called in the state "${run.state}". The planner has to move on first.`,
      );
    }
    const { then } = decision;
    if (then === undefined || (graph.allows(run.state, then) && !graph.isTerminal(then))) return undefined;
    return refuse('engine.invalid_transition', `A call in "${run.state}" cannot lead to "${then}".`);
  },
  checkTransition({ graph, from, to }) {
    if (graph.allows(from, to)) return undefined;
    return refuse('engine.invalid_transition', `The graph has no edge from "${from}" to "${to}".`);
  },
};
