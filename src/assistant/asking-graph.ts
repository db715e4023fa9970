import { CANONICAL_GRAPH, StateGraph } from '../engine/index.ts';

const { states } = CANONICAL_GRAPH.spec;

/**
 * The canonical states with an approval before every effect. The engine stores it before an assistant run starts and passes
 * its hash as the variable `asking`; tasks at the manual level run on it.
 */
export const ASKING_GRAPH = new StateGraph({
  ...CANONICAL_GRAPH.spec,
  name: 'canonical-asking',
  states: { ...states, act: { ...states['act'], approval: 'always' } },
});
