import type { Middleware } from '../engine/index.ts';
import { matchText } from '../kernel/index.ts';

/** The variable of a run that says what everybody on the way to it may use. */
export const WITHIN = 'within';

/** Who was mentioned by an agent may use no tool that one of the agents on the way may not use. */
export const chainPrivilege: Middleware = {
  name: 'chain privilege',
  onDecision({ decision, run }, next) {
    if (decision.kind !== 'call_tool') return next();
    const within = run.vars[WITHIN];
    const lists = Array.isArray(within) ? (within as readonly (readonly string[])[]) : [];
    if (lists.every((patterns) => patterns.some((pattern) => matchText(pattern, decision.tool))))
      return next();
    return {
      kind: 'refuse',
      failure: {
        code: 'engine.policy_denied',
        message: `${decision.tool} may not be used by somebody on the way to this mention, so it may not be used here.`,
      },
    };
  },
};
