import type { Middleware } from '../middleware.ts';
import type { Telemetry } from '../ports.ts';

/** A span around each handler, when somebody watches. */
export function trace(telemetry: Telemetry | undefined): Middleware {
  if (telemetry === undefined) return { name: 'telemetry' };
  return {
    name: 'telemetry',
    onTool: (call, next) =>
      telemetry.span(`tool ${call.tool.name}`, { run: call.run.id, step: call.run.step }, async () => next()),
  };
}
