import type { Middleware } from '../engine/index.ts';
import { matchText } from '../kernel/index.ts';

/** Run variable with the tool patterns of every agent in the mention chain. */
export const WITHIN = 'within';

/** A mentioned agent may use a tool only if every agent in the mention chain may use it. */
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
        message: `${decision.tool} is not allowed here: an agent earlier in the mention chain may not use it.`,
      },
    };
  },
};
