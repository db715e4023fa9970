import { SpanStatusCode, trace } from '@opentelemetry/api';
import type { Telemetry } from '../../engine/index.ts';
import { isOkaError } from '../../kernel/index.ts';

/** Spans of the registered OpenTelemetry provider; without one they cost nothing. */
export function openTelemetry(): Telemetry {
  const tracer = trace.getTracer('oka');
  return {
    span: (name, attributes, work) =>
      tracer.startActiveSpan(name, { attributes: { ...attributes } }, async (span) => {
        try {
          return await work();
        } catch (error) {
          // Only the code: a message can quote what a model or a person wrote.
          span.setAttribute('error.type', isOkaError(error) ? error.code : '_OTHER');
          span.setStatus({ code: SpanStatusCode.ERROR });
          throw error;
        } finally {
          span.end();
        }
      }),
  };
}
