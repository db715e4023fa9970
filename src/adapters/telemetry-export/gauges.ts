// Owns: the gauges, which are computed at each collection.
import { monitorEventLoopDelay } from 'node:perf_hooks';
import type { Meter } from '@opentelemetry/api';
import { RUN_STATUS } from './conventions.ts';

/** The state of a workspace. */
export interface WorkspaceFigures {
  /** Runs without a parent, by status. */
  readonly runs: Readonly<Record<string, number>>;
  readonly approvals: number;
  /** The sequence number of the newest event. */
  readonly head: number;
}

const NANOSECONDS = 1e9;

/** Memory and event loop of this process. Returns a function that stops measuring. */
export function observeProcess(meter: Meter): () => void {
  const delay = monitorEventLoopDelay({ resolution: 20 });
  delay.enable();
  const memory = meter.createObservableGauge('process.memory.usage', {
    description: 'Memory in use',
    unit: 'By',
  });
  const gauge = (name: string, description: string) =>
    meter.createObservableGauge(name, { description, unit: 's' });
  const p50 = gauge('nodejs.eventloop.delay.p50', 'Median delay of the event loop since the last collection');
  const p99 = gauge('nodejs.eventloop.delay.p99', '99th percentile of the same');
  const max = gauge('nodejs.eventloop.delay.max', 'Maximum of the same');
  meter.addBatchObservableCallback(
    (result) => {
      result.observe(memory, process.memoryUsage.rss());
      if (delay.count === 0) return;
      result.observe(p50, delay.percentile(50) / NANOSECONDS);
      result.observe(p99, delay.percentile(99) / NANOSECONDS);
      result.observe(max, delay.max / NANOSECONDS);
      delay.reset();
    },
    [memory, p50, p99, max],
  );
  return () => delay.disable();
}

/** The state of the workspace; one process per workspace reports it. */
export function observeWorkspace(meter: Meter, read: () => Promise<WorkspaceFigures>): void {
  const runs = meter.createObservableGauge('oka.runs.current', {
    description: 'Runs without a parent, by status',
    unit: '{run}',
  });
  const approvals = meter.createObservableGauge('oka.approvals.waiting', {
    description: 'Approvals and questions that wait for a person',
    unit: '{approval}',
  });
  const head = meter.createObservableGauge('oka.ledger.head', {
    description: 'Sequence number of the newest event',
    unit: '{event}',
  });
  meter.addBatchObservableCallback(
    async (result) => {
      const figures = await read();
      for (const [status, count] of Object.entries(figures.runs))
        result.observe(runs, count, { [RUN_STATUS]: status });
      result.observe(approvals, figures.approvals);
      result.observe(head, figures.head);
    },
    [runs, approvals, head],
  );
}
