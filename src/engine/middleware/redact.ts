import type { Redactor } from '../../kernel/index.ts';
import type { BuiltInMiddleware, ToolOutcome } from '../middleware.ts';

/** Redacts secrets from tool outputs before anything else sees them. */
export function redact(redactor: Redactor): BuiltInMiddleware {
  const clean = (outcome: ToolOutcome): ToolOutcome => {
    switch (outcome.kind) {
      case 'output': {
        const output = redactor.json(outcome.output);
        return output === outcome.output ? outcome : { kind: 'output', output };
      }
      case 'failure':
        return {
          kind: 'failure',
          failure: { ...outcome.failure, message: redactor.text(outcome.failure.message) },
        };
      case 'pending':
        return outcome;
    }
  };
  return { name: 'redaction', afterTool: (_, outcome) => clean(outcome) };
}
