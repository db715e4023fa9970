import { CANONICAL_GRAPH, StateGraph } from '../engine/index.ts';

const { states } = CANONICAL_GRAPH.spec;

/**
 * The canonical states, with a person asked before every effect. An engine keeps it before a run of the assistant begins, and
 * the run is told its hash as the variable `asking`; tasks at the manual level are done on it.
 */
export const ASKING_GRAPH = new StateGraph({
  ...CANONICAL_GRAPH.spec,
  name: 'canonical-asking',
  states: { ...states, act: { ...states['act'], approval: 'always' } },
});
