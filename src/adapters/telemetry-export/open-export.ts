// Owns: the OpenTelemetry SDK of one Oka: its exporters, their failures, its end. Registers nothing globally, because that belongs
// to the program that embeds Oka.
import { randomUUID } from 'node:crypto';
import { PrometheusSerializer } from '@opentelemetry/exporter-prometheus';
import {
  detectResources,
  envDetector,
  type Resource,
  resourceFromAttributes,
} from '@opentelemetry/resources';
import {
  type IMetricReader,
  MeterProvider,
  MetricReader,
  PeriodicExportingMetricReader,
} from '@opentelemetry/sdk-metrics';
import { AlwaysOffSampler, BasicTracerProvider, BatchSpanProcessor } from '@opentelemetry/sdk-trace-base';
import type { Telemetry } from '../../engine/index.ts';
import type { EventStore } from '../../ledger/index.ts';
import type { ModelDirectory } from '../../models/index.ts';
import { type ConnectionSettings, Connections } from './connections.ts';
import { SCHEMA_URL } from './conventions.ts';
import { observeProcess, observeWorkspace, type WorkspaceFigures } from './gauges.ts';
import { Instruments } from './instruments.ts';
import { EventObserver, type EventObservers, timedEvents } from './observed-events.ts';
import { observedModels } from './observed-models.ts';
import { RunIds, RunTracer } from './run-tracer.ts';

/** Without a time of its own and without labels about this library on every sample. */
const PROMETHEUS = new PrometheusSerializer(undefined, false, undefined, false, true);

/** Spans beyond it are dropped, so that a slow collector costs no memory. */
const QUEUE = { maxQueueSize: 8_192 };

export interface ExportSettings extends ConnectionSettings {
  /** Default: the name in the environment, or `oka`. */
  readonly serviceName?: string;
  readonly version: string;
  /** The name of the workspace, which tells the processes of several workspaces apart. */
  readonly workspace: string;
  /** Whether anything is sent; without `otlp` to the address in the environment. */
  readonly sends: boolean;
  readonly traces: boolean;
  readonly metrics: boolean;
  readonly intervalMs: number;
  /** Whether metrics can be read as Prometheus text. */
  readonly prometheus: boolean;
}

export interface TelemetryExport {
  readonly telemetry: Telemetry;
  models(models: ModelDirectory): ModelDirectory;
  events(store: EventStore): EventStore;
  /** Counts what is committed to the store from now on. */
  follow(store: Pick<EventStore, 'subscribe'>, about: Pick<EventObservers, 'runs' | 'isTool'>): void;
  /** Reports the state of the workspace as well. */
  observeWorkspace(read: () => Promise<WorkspaceFigures>): void;
  /** The metrics as Prometheus text. */
  prometheusText(): Promise<string>;
  /** Sends what is left, for a second at most. */
  close(): Promise<void>;
}

export function openTelemetryExport(settings: ExportSettings): TelemetryExport {
  const { version, sends } = settings;
  const resource = describeProcess(settings);
  const connections = new Connections(settings);
  const ids = new RunIds();
  const spans = sends && settings.traces ? [new BatchSpanProcessor(connections.spanExporter(), QUEUE)] : [];
  const tracers = new BasicTracerProvider({
    resource,
    idGenerator: ids,
    spanProcessors: spans,
    ...(spans.length === 0 ? { sampler: new AlwaysOffSampler() } : {}),
  });
  const scrapes = settings.prometheus ? new ScrapeReader() : undefined;
  const readers: IMetricReader[] = [...(scrapes ? [scrapes] : [])];
  if (sends && settings.metrics)
    readers.push(
      new PeriodicExportingMetricReader({
        exporter: connections.metricExporter(),
        exportIntervalMillis: settings.intervalMs,
        exportTimeoutMillis: Math.min(settings.timeoutMs, settings.intervalMs),
      }),
    );
  const meters = new MeterProvider({ resource, readers });
  const meter = meters.getMeter('oka', version, { schemaUrl: SCHEMA_URL });
  const instruments = new Instruments(meter);
  const stopMeasuring = observeProcess(meter);
  const tracer = new RunTracer(
    tracers.getTracer('oka', version, { schemaUrl: SCHEMA_URL }),
    ids,
    instruments,
  );
  const followed: { readonly observer: EventObserver; readonly stop: () => void }[] = [];
  return {
    telemetry: tracer,
    models: (models) => observedModels(models, { tracer, instruments }),
    events: (store) => timedEvents(store, instruments),
    follow: (store, about) => {
      const observer = new EventObserver({ instruments, tracer, ...about });
      followed.push({ observer, stop: store.subscribe(observer.note) });
    },
    observeWorkspace: (read) => observeWorkspace(meter, read),
    prometheusText: async () => {
      const { resourceMetrics } = await (scrapes as ScrapeReader).collect();
      return PROMETHEUS.serialize(resourceMetrics);
    },
    close: async () => {
      for (const { observer, stop } of followed) {
        stop();
        await observer.idle();
      }
      await connections.closeAfter(Promise.allSettled([tracers.shutdown(), meters.shutdown()]));
      stopMeasuring();
    },
  };
}

function describeProcess({ serviceName, version, workspace }: ExportSettings): Resource {
  const own = resourceFromAttributes({
    'service.name': 'oka',
    'service.version': version,
    'service.instance.id': randomUUID(),
    'oka.workspace': workspace,
  });
  const environment = detectResources({ detectors: [envDetector] });
  const configured = serviceName === undefined ? {} : { 'service.name': serviceName };
  return own.merge(environment).merge(resourceFromAttributes(configured));
}

/** Collects metrics when it is asked to. */
class ScrapeReader extends MetricReader {
  protected override async onForceFlush(): Promise<void> {
    // Nothing is buffered.
  }

  protected override async onShutdown(): Promise<void> {
    // Nothing is open.
  }
}
