// Owns: the spans of runs, tools and model requests, and which span is the parent of which. Does not own: where they are sent.
import { AsyncLocalStorage } from 'node:async_hooks';
import {
  type Attributes,
  type Context,
  ROOT_CONTEXT,
  type Span,
  SpanKind,
  SpanStatusCode,
  TraceFlags,
  type Tracer,
  trace,
} from '@opentelemetry/api';
import { type IdGenerator, RandomIdGenerator } from '@opentelemetry/sdk-trace-base';
import type { RunSummary, Telemetry } from '../../engine/index.ts';
import { spanIdOf, traceIdOf } from '../../kernel/index.ts';
import {
  AGENT,
  ERROR_TYPE,
  errorTypeOf,
  knownCode,
  OPERATION,
  RUN,
  RUN_KIND,
  RUN_STATUS,
  TOOL,
  WORKFLOW,
} from './conventions.ts';
import type { Instruments } from './instruments.ts';

/** Gives the next span the ids of a run; all others get random ones. */
export class RunIds implements IdGenerator {
  readonly #random = new RandomIdGenerator();
  #next: { readonly trace: string; readonly span: string } | undefined;

  /** Starts a span with the ids of a run. */
  startRun(run: string, root: string, start: () => Span): Span {
    this.#next = { trace: traceIdOf(root), span: spanIdOf(run) };
    try {
      return start();
    } finally {
      this.#next = undefined;
    }
  }

  generateTraceId = (): string => this.#next?.trace ?? this.#random.generateTraceId();
  generateSpanId = (): string => this.#next?.span ?? this.#random.generateSpanId();
}

export class RunTracer implements Telemetry {
  readonly #tracer: Tracer;
  readonly #ids: RunIds;
  readonly #instruments: Instruments;
  /** Of our own, because the global one belongs to the program that embeds Oka. */
  readonly #current = new AsyncLocalStorage<Context>();

  constructor(tracer: Tracer, ids: RunIds, instruments: Instruments) {
    this.#tracer = tracer;
    this.#ids = ids;
    this.#instruments = instruments;
  }

  inRun: NonNullable<Telemetry['inRun']> = ({ id, root }, work) =>
    this.#current.run(runContext(id, root), work);

  span: Telemetry['span'] = async (name, attributes, work) => {
    const seconds = stopwatch();
    const { span, within } = this.start(name, attributes);
    let failure: string | undefined;
    try {
      return await within(work);
    } catch (error) {
      failure = errorTypeOf(error);
      markFailed(span, failure);
      throw error;
    } finally {
      span.end();
      const tool = attributes[TOOL];
      if (tool !== undefined) this.#instruments.toolRan(String(tool), seconds(), failure);
    }
  };

  /** Starts a span below the current one; what runs `within` it is below it. */
  start(
    name: string,
    attributes: Attributes,
    kind = SpanKind.INTERNAL,
  ): { readonly span: Span; readonly within: <T>(work: () => T) => T } {
    const parent = this.#current.getStore() ?? ROOT_CONTEXT;
    const span = this.#tracer.startSpan(name, { kind, attributes: { ...attributes } }, parent);
    const inside = trace.setSpan(parent, span);
    return { span, within: (work) => this.#current.run(inside, work) };
  }

  /** The span of a run, once it has ended. Only the process that records the end of a run calls it. */
  runEnded(run: RunSummary, endedAt: number): void {
    const { id, root, parent, kind, subject, status, failureCode, resumedFrom } = run;
    const isGraph = kind === 'graph';
    const operation = isGraph ? 'invoke_workflow' : 'invoke_agent';
    const name = subject ?? kind;
    const above = parent === undefined ? ROOT_CONTEXT : runContext(parent, root);
    const attributes = {
      [OPERATION]: operation,
      [isGraph ? WORKFLOW : AGENT]: name,
      [RUN]: id,
      [RUN_KIND]: kind,
      [RUN_STATUS]: status,
    };
    const links = resumedFrom === undefined ? [] : [{ context: runSpan(resumedFrom, resumedFrom) }];
    const span = this.#ids.startRun(id, root, () =>
      this.#tracer.startSpan(`${operation} ${name}`, { attributes, links, startTime: run.startedAt }, above),
    );
    if (status === 'failed') markFailed(span, knownCode(failureCode));
    span.end(Math.max(endedAt, run.startedAt));
  }
}

/** Seconds since the call. */
export function stopwatch(): () => number {
  const begun = performance.now();
  return () => (performance.now() - begun) / 1_000;
}

export function markFailed(span: Span, type: string): void {
  span.setAttribute(ERROR_TYPE, type);
  span.setStatus({ code: SpanStatusCode.ERROR });
}

function runSpan(run: string, root: string) {
  return { traceId: traceIdOf(root), spanId: spanIdOf(run), traceFlags: TraceFlags.SAMPLED, isRemote: true };
}

function runContext(run: string, root: string): Context {
  return trace.setSpanContext(ROOT_CONTEXT, runSpan(run, root));
}
