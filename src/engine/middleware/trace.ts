import { OkaError, type Redactor, toFailure } from '../../kernel/index.ts';
import type { Middleware, ToolOutcome } from '../middleware.ts';
import type { Telemetry } from '../ports.ts';

/** Traces each handler with a span if telemetry is on; errors are redacted. */
export function trace(telemetry: Telemetry | undefined, redactor: Redactor): Middleware {
  if (telemetry === undefined) return { name: 'telemetry' };
  return {
    name: 'telemetry',
    onTool: async (call, next) => {
      let failed: { readonly error: unknown } | undefined;
      const watched = async (): Promise<ToolOutcome> => {
        try {
          return await next();
        } catch (error) {
          failed = { error };
          const { code, message } = toFailure(error, 'engine.tool_failed');
          throw new OkaError(code, redactor.text(message));
        }
      };
      const about = { run: call.run.id, step: call.run.step };
      try {
        return await telemetry.span(`tool ${call.tool.name}`, about, watched);
      } catch (error) {
        throw failed === undefined ? error : failed.error;
      }
    },
  };
}
