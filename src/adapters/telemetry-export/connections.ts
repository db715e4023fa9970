// Owns: the requests to a collector: their address, their limits, and what happens when they fail.
import { Agent as HttpAgent } from 'node:http';
import { Agent as HttpsAgent } from 'node:https';
import { OTLPMetricExporter } from '@opentelemetry/exporter-metrics-otlp-http';
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-http';

/** How long the end of a process waits for the last request. */
const CLOSE_LIMIT_MS = 1_500;

export interface ConnectionSettings {
  /** The collector; default: the address in the environment. */
  readonly otlp?: string;
  readonly headers?: Readonly<Record<string, string>>;
  /** How long a request may take. */
  readonly timeoutMs: number;
  /** Called at most once, when something could not be sent. */
  readonly onFailure: (why: string) => void;
}

type Exporter = {
  export: (items: never, done: (result: { code: number; error?: Error }) => void) => void;
};

/** The exporters, and the sockets that they use. */
export class Connections {
  readonly #settings: ConnectionSettings;
  readonly #agents = [new HttpAgent({ keepAlive: false }), new HttpsAgent({ keepAlive: false })] as const;
  #hasFailed = false;

  constructor(settings: ConnectionSettings) {
    this.#settings = settings;
  }

  spanExporter(): OTLPTraceExporter {
    return this.#reporting(new OTLPTraceExporter(this.#options('v1/traces')));
  }

  metricExporter(): OTLPMetricExporter {
    return this.#reporting(new OTLPMetricExporter(this.#options('v1/metrics')));
  }

  /** A collector that does not answer must not keep the process. */
  async closeAfter(ended: Promise<unknown>): Promise<void> {
    let timer: NodeJS.Timeout | undefined;
    const late = new Promise<true>((resolve) => {
      timer = setTimeout(() => resolve(true), CLOSE_LIMIT_MS);
    });
    const isLate = await Promise.race([ended.then(() => false), late]);
    clearTimeout(timer);
    if (isLate) this.#fail('no answer in time');
    for (const agent of this.#agents) agent.destroy();
  }

  #options(path: string) {
    const { otlp, headers, timeoutMs } = this.#settings;
    return {
      ...(otlp === undefined ? {} : { url: `${otlp.replace(/\/+$/, '')}/${path}` }),
      ...(headers === undefined ? {} : { headers: { ...headers } }),
      timeoutMillis: timeoutMs,
      httpAgentOptions: (protocol: string) => this.#agents[protocol === 'https:' ? 1 : 0],
    };
  }

  /** Tells the SDK that everything was sent: what a failed request held is dropped, and its error is reported here. */
  #reporting<E extends Exporter>(exporter: E): E {
    const send = exporter.export.bind(exporter);
    exporter.export = (items, done) =>
      send(items, (result) => {
        if (result.code !== 0) this.#fail(result.error?.message ?? 'unknown error');
        done({ code: 0 });
      });
    return exporter;
  }

  #fail(why: string): void {
    if (this.#hasFailed) return;
    this.#hasFailed = true;
    this.#settings.onFailure(why);
  }
}
