import type { Redactor } from '../../kernel/index.ts';
import type { BuiltInMiddleware } from '../middleware.ts';

/** Redacts secrets from tool outputs before anything else sees them. A tool that writes finds them again by their tags. */
export function redact(redactor: Redactor): BuiltInMiddleware {
  return {
    name: 'redaction',
    afterTool(_, outcome) {
      if (outcome.kind === 'pending') return outcome;
      if (outcome.kind === 'output') {
        const output = redactor.tagged(outcome.output);
        return output === outcome.output ? outcome : { kind: 'output', output };
      }
      const { failure } = outcome;
      return { kind: 'failure', failure: { ...failure, message: redactor.text(failure.message) } };
    },
  };
}
