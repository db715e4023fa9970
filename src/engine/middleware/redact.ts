import type { Redactor } from '../../kernel/index.ts';
import type { BuiltInMiddleware } from '../middleware.ts';

/** Redacts secrets from tool outputs before anything else sees them. */
export function redact(redactor: Redactor): BuiltInMiddleware {
  return {
    name: 'redaction',
    afterTool(_, outcome) {
      if (outcome.kind === 'pending') return outcome;
      if (outcome.kind === 'output') {
        const output = redactor.json(outcome.output);
        return output === outcome.output ? outcome : { kind: 'output', output };
      }
      const { failure } = outcome;
      return { kind: 'failure', failure: { ...failure, message: redactor.text(failure.message) } };
    },
  };
}
