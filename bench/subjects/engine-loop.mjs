// A kind of run with a planner of its own, which calls one tool again and again: what a step costs without any graph.

import { StateGraph } from '../../src/engine/index.ts';

const graph = new StateGraph({
  name: 'loop',
  start: 'working',
  states: {
    working: { to: ['done'], tools: { names: ['look', 'act', 'advance'] } },
    done: { terminal: 'completed' },
  },
});

/** Calls one tool `steps` times, then finishes. */
export function engineLoop(name, tool, steps, onEnds = () => {}) {
  const planner = {
    name,
    version: '1',
    deterministic: true,
    plan({ evidence }) {
      const i = evidence.length;
      if (i === 0 || i === steps) onEnds(i);
      if (i < steps) return { kind: 'call_tool', tool, input: { i }, rationale: 'the next one' };
      return { kind: 'finish', output: { looked: i }, rationale: 'all were looked at' };
    },
  };
  return { name, planner, graph };
}
