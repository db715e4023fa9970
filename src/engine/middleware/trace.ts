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
      const { id, step } = call.run;
      const { name } = call.tool;
      const about = {
        'gen_ai.operation.name': 'execute_tool',
        'gen_ai.tool.name': name,
        'gen_ai.tool.type': 'function',
        'gen_ai.tool.call.id': `${id}/${step}`,
        'oka.run.id': id,
        'oka.step': step,
      };
      try {
        return await telemetry.span(`execute_tool ${name}`, about, watched);
      } catch (error) {
        throw failed === undefined ? error : failed.error;
      }
    },
  };
}
