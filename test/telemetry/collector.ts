// A collector that speaks OTLP over HTTP with JSON, as the test's own.
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { onTestFinished } from 'vitest';

interface Value {
  readonly stringValue?: string;
  readonly intValue?: number | string;
  readonly doubleValue?: number;
  readonly boolValue?: boolean;
  readonly arrayValue?: { readonly values: readonly Value[] };
}

interface WireSpan {
  readonly name: string;
  readonly traceId: string;
  readonly spanId: string;
  readonly parentSpanId?: string;
  readonly kind: number;
  readonly status: { readonly code: number };
  readonly attributes: readonly Pair[];
  readonly links: readonly { readonly spanId: string }[];
  readonly startTimeUnixNano: string;
  readonly endTimeUnixNano: string;
}

interface WirePoint {
  readonly attributes: readonly Pair[];
  readonly asDouble?: number;
  readonly asInt?: number | string;
  readonly sum?: number;
  readonly count?: number | string;
}

interface WireMetric {
  readonly name: string;
  readonly unit: string;
  readonly sum?: { readonly dataPoints: readonly WirePoint[] };
  readonly gauge?: { readonly dataPoints: readonly WirePoint[] };
  readonly histogram?: { readonly dataPoints: readonly WirePoint[] };
}

interface Wire<Scope> {
  readonly resource: { readonly attributes: readonly Pair[] };
  readonly scopeSpans: readonly Scope[];
  readonly scopeMetrics: readonly Scope[];
}

interface Pair {
  readonly key: string;
  readonly value: Value;
}

export type Plain = string | number | boolean | readonly Plain[];
export type Attributes = Readonly<Record<string, Plain>>;

export interface SeenSpan {
  readonly name: string;
  readonly traceId: string;
  readonly spanId: string;
  readonly parent: string | undefined;
  readonly kind: number;
  readonly isError: boolean;
  readonly attributes: Attributes;
  readonly links: readonly string[];
  readonly startMs: number;
  readonly endMs: number;
}

export interface SeenPoint {
  readonly name: string;
  readonly unit: string;
  readonly attributes: Attributes;
  /** The value of a counter or gauge; the sum of a histogram. */
  readonly value: number;
  /** Of a histogram. */
  readonly count?: number;
}

export class Collector {
  readonly bodies: string[] = [];
  readonly headers: IncomingMessage['headers'][] = [];
  readonly spans: SeenSpan[] = [];
  /** The points of the newest request, which are cumulative. */
  points: readonly SeenPoint[] = [];
  resource: Attributes = {};
  /** Answers with something else than success. */
  answer: ((response: ServerResponse) => void) | undefined;
  readonly #server: Server;
  #onNews: () => void = () => undefined;

  private constructor() {
    this.#server = createServer((request, response) => void this.#take(request, response));
  }

  static async open(): Promise<Collector> {
    const collector = new Collector();
    await new Promise<void>((resolve) => collector.#server.listen(0, '127.0.0.1', resolve));
    onTestFinished(() => collector.close());
    return collector;
  }

  get url(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  close(): void {
    this.#server.close();
    this.#server.closeAllConnections();
  }

  async until(isThere: () => boolean): Promise<void> {
    while (!isThere())
      await new Promise<void>((resolve) => {
        this.#onNews = resolve;
      });
  }

  span(name: string): SeenSpan {
    const found = this.spans.filter((span) => span.name === name);
    if (found.length !== 1)
      throw new Error(`${found.length} spans ${name} of: ${this.spans.map((span) => span.name).join(', ')}`);
    return found[0] as SeenSpan;
  }

  /** The points of a metric that have these attributes. */
  metric(name: string, attributes: Attributes = {}): readonly SeenPoint[] {
    return this.points.filter(
      (point) =>
        point.name === name &&
        Object.entries(attributes).every(([key, value]) => point.attributes[key] === value),
    );
  }

  async #take(request: IncomingMessage, response: ServerResponse): Promise<void> {
    let text = '';
    for await (const part of request.setEncoding('utf8')) text += part;
    this.bodies.push(text);
    this.headers.push(request.headers);
    if (request.headers['content-type'] !== 'application/json') throw new Error('not JSON');
    const body = JSON.parse(text);
    if (request.url === '/v1/traces') this.#takeSpans(body.resourceSpans);
    else if (request.url === '/v1/metrics') this.#takePoints(body.resourceMetrics);
    this.#onNews();
    if (this.answer !== undefined) return this.answer(response);
    response.writeHead(200, { 'content-type': 'application/json' }).end('{}');
  }

  #takeSpans(resources: readonly Wire<{ readonly spans: readonly WireSpan[] }>[]): void {
    for (const { resource, scopeSpans } of resources) {
      this.resource = plain(resource.attributes);
      this.spans.push(...scopeSpans.flatMap(({ spans }) => spans.map(toSpan)));
    }
  }

  #takePoints(resources: readonly Wire<{ readonly metrics: readonly WireMetric[] }>[]): void {
    this.points = resources.flatMap(({ resource, scopeMetrics }) => {
      this.resource = plain(resource.attributes);
      return scopeMetrics.flatMap(({ metrics }) => metrics.flatMap(toPoints));
    });
  }
}

function toSpan(span: WireSpan): SeenSpan {
  return {
    name: span.name,
    traceId: span.traceId,
    spanId: span.spanId,
    parent: span.parentSpanId || undefined,
    kind: span.kind,
    isError: span.status.code === 2,
    attributes: plain(span.attributes),
    links: span.links.map((link) => link.spanId),
    startMs: Number(BigInt(span.startTimeUnixNano) / 1_000_000n),
    endMs: Number(BigInt(span.endTimeUnixNano) / 1_000_000n),
  };
}

function toPoints({ name, unit, sum, gauge, histogram }: WireMetric): readonly SeenPoint[] {
  return ((sum ?? gauge ?? histogram)?.dataPoints ?? []).map((point) => ({
    ...{ name, unit },
    attributes: plain(point.attributes),
    value: Number(point.asDouble ?? point.asInt ?? point.sum),
    ...(point.count === undefined ? {} : { count: Number(point.count) }),
  }));
}

function plain(pairs: readonly Pair[]): Attributes {
  return Object.fromEntries(pairs.map(({ key, value }) => [key, plainValue(value)]));
}

function plainValue(value: Value): Plain {
  if (value.arrayValue) return value.arrayValue.values.map(plainValue);
  if (value.intValue !== undefined) return Number(value.intValue);
  return value.stringValue ?? value.doubleValue ?? value.boolValue ?? '';
}
