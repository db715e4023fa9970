import type { TelemetryConfig } from './types.ts';

const DEFAULTS: TelemetryConfig = { traces: true, metrics: true, intervalMs: 60_000, jsonLogs: false };

const ENDPOINTS = [
  'OTEL_EXPORTER_OTLP_ENDPOINT',
  'OTEL_EXPORTER_OTLP_TRACES_ENDPOINT',
  'OTEL_EXPORTER_OTLP_METRICS_ENDPOINT',
];
const HEADERS = [
  'OTEL_EXPORTER_OTLP_HEADERS',
  'OTEL_EXPORTER_OTLP_TRACES_HEADERS',
  'OTEL_EXPORTER_OTLP_METRICS_HEADERS',
];

/** The telemetry of this process: the user's configuration and the standard variables of OpenTelemetry. */
export interface ActiveTelemetry extends TelemetryConfig {
  /** Whether an address is known to send to; without `otlp` it is in the environment. */
  readonly sends: boolean;
  /** Values of the environment that may hold secrets. */
  readonly secrets: readonly string[];
}

/** Undefined if nothing is sent or served. */
export function activeTelemetry(
  config: TelemetryConfig | undefined,
  environment: Readonly<Record<string, string | undefined>> = process.env,
): ActiveTelemetry | undefined {
  const value = (name: string): string | undefined => environment[name]?.trim() || undefined;
  if (value('OTEL_SDK_DISABLED')?.toLowerCase() === 'true') return undefined;
  const sends = config?.otlp !== undefined || ENDPOINTS.some((name) => value(name) !== undefined);
  const { prometheus, jsonLogs, ...rest } = { ...DEFAULTS, ...config };
  if (!(sends && (rest.traces || rest.metrics)) && prometheus === undefined) return undefined;
  return {
    ...{ ...rest, jsonLogs, sends },
    ...(prometheus === undefined ? {} : { prometheus }),
    secrets: HEADERS.flatMap((name) => headerValues(value(name) ?? '')),
  };
}

function headerValues(headers: string): readonly string[] {
  return Object.values(parseHeaders(headers));
}

/** Reads headers as OpenTelemetry writes them: `name=value,name=value`, with values as in a URL. */
export function parseHeaders(text: string): Record<string, string> {
  const pairs = text.split(',').flatMap((pair) => {
    const at = pair.indexOf('=');
    return at < 1 ? [] : [[pair.slice(0, at).trim(), decode(pair.slice(at + 1).trim())] as const];
  });
  return Object.fromEntries(pairs.filter(([, value]) => value !== ''));
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
